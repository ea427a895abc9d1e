// SPDX-License-Identifier: MIT
// How processes wait for one another at the semaphores of a job (Oleinick and Fuller, 4.2); the program
// does not see the choice. A leaf is a file sched/semaphore/<name>.hpp with the class <Name>Semaphore, and
// states its `name` and `promise`, and `arguments` where it takes any. Its constructor takes a
// SemaphoreSurroundings, and the values of its arguments as its last parameter.
//
// A leaf's policy processes belong to the job. They run in the kernel, which starts them before the job's
// programs and waits for their ends; on Linux they are helpers of nxrun, which ends them behind the programs.
#pragma once

#include "base/leaf_argument.hpp"
#include "sched/semaphore/surroundings.hpp"

#include <span>

namespace parley::sched {

class Semaphore {
public:
    // P and V are the program's own instructions, on a word of the shared region (semaphores.h); the kernel
    // never sees them. Then delay() is how many turns of an empty loop stand between two looks at it.
    virtual bool in_user() const { return false; }
    virtual std::uint32_t delay() const { return 0; }
    // The largest count that one can be opened with.
    virtual std::uint32_t largest_count() const { return PARLEY_MAX_SEMAPHORE_COUNT; }

    // The process whose waiter this is calls it. Errors: killed.
    virtual Result<void> p(Counter& semaphore, SemaphoreWaiter& self) = 0;
    // Any process of the job calls it. Errors: count_too_large.
    virtual Result<void> v(Counter& semaphore) = 0;
    // Makes a V of each of these. Errors: count_too_large, for one or more; the others have had their V.
    virtual Result<void> v_all(std::span<Counter* const> semaphores)
    {
        Result<void> all;
        for (Counter* const semaphore : semaphores)
            if (const Result<void> one = v(*semaphore); !one)
                all = one;
        return all;
    }

    // How many policy processes it has.
    virtual unsigned processes() const { return 0; }
    // One policy process calls this and works in it until close(), or until it must end.
    virtual void run(unsigned) { }
    // No process waits any longer, and none will.
    virtual void close() { }

protected:
    ~Semaphore() = default;
};

} // namespace parley::sched
