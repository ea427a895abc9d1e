// SPDX-License-Identifier: MIT
// Processors of two speeds in a machine that has one: a slow one gives a part of every tick away. The loss is
// injected, and the record of the run says so. What it does for programs and in the kernel is as slow on
// average; only between two ticks it is as fast as the others.
#pragma once

#include "arch/x86_64/clock.hpp"
#include "arch/x86_64/pause.hpp"
#include "sched/dispatcher.hpp"
#include "studies/cmmp/measuring/stealing.hpp"

namespace parley::cmmp {

class SlowProcessors {
public:
    // The first `fast` of the machine's are fast, the others slow. `percent`: the time that a slow one takes
    // for what a fast one does in 100.
    SlowProcessors(const sched::ServerSet& servers, unsigned fast, unsigned percent, bool steals)
        : stealing_(servers, fast), loss_(sched::time_slice_nanoseconds * (percent - 100) / percent),
          steals_(steals)
    {
    }

    // At a tick of a slow processor, with interrupts off. `preemptible`: whether its process may leave it
    // now. True: it has left, for a fast one, and goes on there.
    bool tick(bool preemptible)
    {
        sched::Dispatcher& slow = sched::Dispatcher::here();
        if (slow.idles())
            return false;
        const std::uint64_t end = arch::nanoseconds() + loss_;
        while (arch::nanoseconds() < end)
            arch::pause();
        if (!steals_ || !preemptible)
            return false;
        sched::Server* const taker = stealing_.taker_for(slow, sched::current());
        if (taker == nullptr)
            return false;
        taken_over_.fetch_add(1, std::memory_order_relaxed);
        slow.hand_over(*taker);
        return true;
    }
    // How many processes have gone over to fast processors since this was last asked.
    std::uint64_t taken_over() { return taken_over_.exchange(0, std::memory_order_relaxed); }

private:
    const Stealing stealing_;
    const std::uint64_t loss_;
    const bool steals_;
    Atomic<std::uint64_t> taken_over_{0};
};

} // namespace parley::cmmp
