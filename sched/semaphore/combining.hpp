// SPDX-License-Identifier: MIT
// As kernel, but a V of several semaphores wakes by a tree: its caller makes two processes ready, and each
// that goes on two more, before anything else. So the last of n has been made ready after about log n
// wake-ups and not n, which pays where a V costs more than what a process takes until it runs.
//
// Which process wakes which is settled before the first is woken, as in a heap: the i-th wakes those at
// 2i + 2 and 2i + 3. Only a killed process may go on before; whether it can still be given others is decided
// under its lock: either its wait is not over yet, and it takes them along when it is, or the process that
// gives them wakes them itself.
#pragma once

#include "sched/semaphore/semaphore.hpp"

#include <string_view>

namespace parley::sched {

class CombiningSemaphore final : public Semaphore {
public:
    static constexpr std::string_view name = "combining";
    static constexpr std::string_view promise =
        "as kernel; of a V of several the caller wakes two, and each of these two more, by a tree";

    explicit CombiningSemaphore(const SemaphoreSurroundings& surroundings) : clock_(surroundings.clock) { }

    Result<void> p(Counter& semaphore, Waiter& self) override
    {
        const Result<void> result = semaphore.p(self, *this);
        wake_followers(self);
        return result;
    }
    Result<void> v(Counter& semaphore) override { return semaphore.v(*this); }

    Result<void> v_all(std::span<Counter* const> semaphores) override
    {
        Result<void> all;
        Wait claimed[PARLEY_MOST_AT_ONCE];
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
    bool sleep(Waiter& waiter, WaitTicket ticket) { return waiter.sleep(ticket); }
    void suspended(Waiter&, WaitTicket) { }
    void resume(Waiter& waiter, WaitTicket ticket) { waiter.end(ticket); }
    void forget(Waiter&) { }

private:
    static constexpr unsigned roots = 2; // whom the caller wakes

    // Whether `leader` will wake it, as its own wait is not over.
    static bool follows(const Wait& leader, const Wait& wait)
    {
        Followers& followers = leader.waiter->followers;
        LockGuard guard(followers.lock);
        if (leader.waiter->ticket() != leader.ticket)
            return false;
        followers.waits[followers.count++] = wait;
        return true;
    }
    void wake(const Wait& wait)
    {
        clock_.spend_on_wake();
        wait.waiter->end(wait.ticket);
    }
    // The wait is over, so that nobody follows from here on.
    void wake_followers(Waiter& self)
    {
        Wait waits[roots];
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

    SemaphoreClock& clock_;
};

} // namespace parley::sched
