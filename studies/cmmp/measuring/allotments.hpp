// SPDX-License-Identifier: MIT
// Time slices as Hydra gave them out (Oleinick and Fuller, 3.4.4): at the end of a slice others go first, and
// a process that has used up an allotment of slices asks the scheduler for as many again, and waits until it
// has been given them. Requests stand in one queue, which one process of the scheduler's serves in order.
// Time is counted in ticks that interrupted the process.
#pragma once

#include "base/intrusive_list.hpp"
#include "base/spin_lock.hpp"
#include "sched/process.hpp"

#include <cstdint>

namespace parley::cmmp {

class Allotments {
public:
    // What a process must do at a tick.
    enum class Due : std::uint8_t { nothing, others_first, more_slices };

    // Neither is 0.
    Allotments(std::uint64_t ticks_of_a_slice, std::uint64_t slices)
        : ticks_of_a_slice_(ticks_of_a_slice), ticks_(ticks_of_a_slice * slices)
    {
    }

    // Of the process that the tick interrupted, which counts it among its ticks.
    Due due(const sched::Process& process) const
    {
        const std::uint64_t used = process.ticks - process.allotted_at;
        if (used >= ticks_)
            return Due::more_slices;
        return used % ticks_of_a_slice_ == 0 ? Due::others_first : Due::nothing;
    }

    // The caller's process queues a request; it is in no other queue, and does not run on. True: whoever
    // serves requests waits for one, and the caller makes it ready.
    bool ask(sched::Process& process)
    {
        LockGuard guard(lock_);
        requests_.push_back(process);
        const bool waits = !served_;
        served_ = true;
        return waits;
    }
    // The next request, by whoever serves them. Null: there is none, and from now on it waits for one.
    sched::Process* take()
    {
        LockGuard guard(lock_);
        sched::Process* const process = requests_.pop_front();
        served_ = process != nullptr;
        return process;
    }
    // It has slices again; the caller makes it ready.
    static void grant(sched::Process& process) { process.allotted_at = process.ticks; }

private:
    const std::uint64_t ticks_of_a_slice_;
    const std::uint64_t ticks_; // of an allotment
    SpinLock lock_;
    List<sched::Process, &sched::Process::ready_link> requests_ GUARDED_BY(lock_);
    bool served_ GUARDED_BY(lock_) = false;
};

} // namespace parley::cmmp
