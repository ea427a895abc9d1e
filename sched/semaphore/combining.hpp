// SPDX-License-Identifier: MIT
// Like kernel, but a V of several semaphores wakes by a tree: its caller makes two processes ready, and
// each of them makes two more ready before it does anything else. So the last of n is ready after about
// log n wake-ups and not n, which pays where a V costs more than a process takes until it runs.
//
// The processes that each one wakes are chosen before the first is woken, as in a heap: the i-th wakes
// those at 2i + 2 and 2i + 3. Only a killed process may go on earlier. Its lock decides whether it can
// still be given others: either its wait is not over yet, and it wakes them when that is over, or the
// process that gives them wakes them itself.
#pragma once

#include "sched/semaphore/semaphore.hpp"

#include <string_view>

namespace parley::sched {

class CombiningSemaphore final : public Semaphore {
public:
    static constexpr std::string_view name = "combining";
    static constexpr std::string_view promise =
        "as kernel; of a V of several the caller wakes two, and each of these two more, by a tree";

    explicit CombiningSemaphore(const SemaphoreSurroundings&) { }

    Result<void> p(Counter& semaphore, SemaphoreWaiter& self) override
    {
        const Result<void> result = semaphore.p(self, *this);
        wake_followers(self);
        return result;
    }
    Result<void> v(Counter& semaphore) override { return semaphore.v(*this); }

    Result<void> v_all(std::span<Counter* const> semaphores) override
    {
        Result<void> all;
        SemaphoreWait claimed[PARLEY_MOST_AT_ONCE];
        unsigned count = 0;
        for (Counter* const semaphore : semaphores) {
            if (const Result<void> one = semaphore->claim(claimed[count]); !one)
                all = one;
            else if (claimed[count].waiter != nullptr)
                ++count;
        }
        for (unsigned at = roots; at < count; ++at)
            if (!follows(claimed[at / 2 - 1], claimed[at]))
                wake(claimed[at]);
        for (unsigned at = 0; at < count && at < roots; ++at)
            wake(claimed[at]);
        return all;
    }

    // For the Counter.
    bool sleep(SemaphoreWaiter& waiter, WaitTicket ticket) { return waiter.sleep(ticket); }
    void suspended(SemaphoreWaiter&, WaitTicket) { }
    void resume(SemaphoreWaiter& waiter, WaitTicket ticket) { waiter.end(ticket); }
    void forget(SemaphoreWaiter&) { }

private:
    static constexpr unsigned roots = 2; // how many the caller wakes

    // Whether `leader` will wake it, because the leader's own wait is not over.
    static bool follows(const SemaphoreWait& leader, const SemaphoreWait& wait)
    {
        Followers& followers = leader.waiter->followers;
        LockGuard guard(followers.lock);
        if (leader.waiter->ticket() != leader.ticket)
            return false;
        followers.waits[followers.count++] = wait;
        return true;
    }
    static void wake(const SemaphoreWait& wait) { wait.waiter->end(wait.ticket); }
    // The wait is over, so nobody is added from here on.
    static void wake_followers(SemaphoreWaiter& self)
    {
        SemaphoreWait waits[roots];
        unsigned count = 0;
        {
            Followers& followers = self.followers;
            LockGuard guard(followers.lock);
            for (; count < followers.count; ++count)
                waits[count] = followers.waits[count];
            followers.count = 0;
        }
        for (unsigned at = 0; at < count; ++at)
            wake(waits[at]);
    }
};

} // namespace parley::sched
