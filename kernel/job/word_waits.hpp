// SPDX-License-Identifier: MIT
// How the processes of a job wait for locks and events whose design has them wait by semaphores: P and V of a
// kind of the job's own, beside what its programs have (sched/semaphore/word_waits.hpp).
#pragma once

#include "base/arena.hpp"
#include "kernel/job/semaphore_kind.hpp"
#include "sched/semaphore/word_waits.hpp"

#include <new>

namespace parley::kernel {

class JobWordWaits {
public:
    // Makes the waits of the processes of so many endpoints. Errors: no_memory.
    static Result<JobWordWaits*> create(Window& window, SemaphoreKind& kind, unsigned endpoints)
    {
        std::byte* const memory =
            TRY(window.allocate(endpoints * sizeof(sched::WordSleeper), alignof(sched::WordSleeper)));
        for (unsigned endpoint = 0; endpoint < endpoints; ++endpoint)
            ::new (memory + endpoint * sizeof(sched::WordSleeper))
                sched::WordSleeper(endpoint, kind.counts());
        return window.create<JobWordWaits>(kind, reinterpret_cast<sched::WordSleeper*>(memory));
    }

    // As sched::WordWaits. Called by the process of that endpoint.
    template <class StillWanted>
    bool block(unsigned endpoint, std::uintptr_t word, const StillWanted& still_wanted)
    {
        return words_.block(sleepers_[endpoint], word, still_wanted);
    }
    unsigned wake(std::uintptr_t word, unsigned count) { return words_.wake(word, count); }

private:
    friend Arena;
    JobWordWaits(SemaphoreKind& kind, sched::WordSleeper* sleepers)
        : words_(kind.semaphore()), sleepers_(sleepers)
    {
    }

    sched::WordWaits words_;
    sched::WordSleeper* const sleepers_;
};

} // namespace parley::kernel
