// SPDX-License-Identifier: MIT
// Time slices of a length that was asked for, and the process of the kernel that gives processes more of them
// when their allotment has ended (allotments.hpp). It goes before all programs and takes a processor
// away from one where none is idle, as Hydra's scheduler did. What a request takes beyond that is injected,
// and the record of the run says so.
//
// Members of gangs keep their processors, or take turns in the gang's queue: they have none of these slices.
#pragma once

#include "arch/x86_64/clock.hpp"
#include "kernel/process/preemption.hpp"
#include "sched/dispatcher.hpp"
#include "studies/cmmp/measuring/allotments.hpp"

namespace parley::cmmp {

class TimeSlices {
public:
    using Due = Allotments::Due;

    // Before any processor ticks; neither number of ticks and slices is 0. `programs`: the queue of processes
    // that have slices. `scheduler`: the process that gives more out; its context runs give_out().
    TimeSlices(std::uint64_t ticks_of_a_slice, std::uint64_t slices, std::uint64_t request_nanoseconds,
               const sched::ReadyQueue& programs, sched::Process& scheduler)
        : allotments_(ticks_of_a_slice, slices), request_nanoseconds_(request_nanoseconds),
          programs_(programs), scheduler_(scheduler)
    {
    }

    // At a tick of that process. For processes that have no slices each tick lets others go first.
    Due due(const sched::Process& process) const
    {
        if (process.queue != &programs_ || process.kind != sched::ProcessKind::application)
            return Due::others_first;
        return allotments_.due(process);
    }
    // The current process asks for more and leaves its processor. Returns when it has been given them and is
    // dispatched again. With interrupts off and no locks held.
    void ask()
    {
        requests_.fetch_add(1, std::memory_order_relaxed);
        if (allotments_.ask(sched::current()))
            sched::make_ready(scheduler_);
        sched::Dispatcher::here().run_next();
    }

    // The scheduler's own work.
    [[noreturn]] void give_out()
    {
        for (;;) {
            sched::Process* const process = allotments_.take();
            if (process == nullptr) {
                sched::Dispatcher::here().run_next();
                continue;
            }
            const std::uint64_t end = arch::nanoseconds() + request_nanoseconds_;
            while (arch::nanoseconds() < end)
                kernel::give_way_once();
            Allotments::grant(*process);
            sched::make_ready(*process);
        }
    }

    // How many processes have asked since this was last asked.
    std::uint64_t requests() { return requests_.exchange(0, std::memory_order_relaxed); }

private:
    Allotments allotments_;
    const std::uint64_t request_nanoseconds_;
    const sched::ReadyQueue& programs_;
    sched::Process& scheduler_;
    Atomic<std::uint64_t> requests_{0};
};

} // namespace parley::cmmp
