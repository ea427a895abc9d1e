// SPDX-License-Identifier: MIT
// One semaphore of a job: its count and those who wait for it, oldest first.
#pragma once

#include "base/result.hpp"
#include "base/spin_lock.hpp"
#include "interface/semaphores.h"
#include "sched/semaphore/waiter.hpp"

namespace parley::sched {

// What P and V of all semaphores of a job add up to.
struct SemaphoreCounts {
    Atomic<std::uint64_t> calls{0}, waits{0}, wakes{0}, policy_runs{0}, page_writes{0}, page_reads{0},
        in_time{0};

    static void add(Atomic<std::uint64_t>& count, std::uint64_t many = 1)
    {
        count.fetch_add(many, std::memory_order_relaxed);
    }
    parley_semaphore_counts now() const
    {
        const auto value = [](const Atomic<std::uint64_t>& count) {
            return count.load(std::memory_order_relaxed);
        };
        return {value(calls),       value(waits),      value(wakes),  value(policy_runs),
                value(page_writes), value(page_reads), value(in_time)};
    }
};

// P and V of semaphores that the kernel keeps. What becomes of a process between the P that has to wait and
// the V that it waits for, is the leaf's business:
//   sleep(waiter, ticket)       have it wait until that wait is over; false when it must end
//   suspended(waiter, ticket)   it stands in the queue and is about to leave its processor; called with the
//                               semaphore's lock held
//   resume(waiter, ticket)      V has taken it from the queue: have it go on, by waiter.end(ticket)
//   forget(waiter)              it has been killed, and will neither wait nor go on
class Counter {
public:
    Counter(std::uint32_t number, std::uint32_t count, SemaphoreCounts& counts)
        : counts_(counts), number_(number), first_(count), count_(count)
    {
    }
    Counter(const Counter&) = delete;

    // With which it was opened.
    std::uint32_t first() const { return first_; }

    // Errors: killed, and then the caller waits no more, and a V that had come for it is another's.
    template <class Leaf>
    Result<void> p(Waiter& self, Leaf& leaf)
    {
        WaitTicket ticket = 0;
        {
            LockGuard guard(lock_);
            if (count_ != 0) {
                --count_;
                return {};
            }
            ticket = self.begin(number_);
            waiting_.push_back(self);
            leaf.suspended(self, ticket);
        }
        return wait(self, ticket, leaf);
    }

    // Takes the process that has waited longest from the queue, for the caller to wake; if none waits, the
    // count is 1 more. Errors: count_too_large.
    [[gnu::always_inline]] Result<void> claim(Wait& claimed)
    {
        {
            LockGuard guard(lock_);
            claimed.waiter = waiting_.pop_front();
            if (claimed.waiter == nullptr) {
                if (count_ == PARLEY_MAX_SEMAPHORE_COUNT)
                    return std::unexpected(Error::count_too_large);
                ++count_;
                return {};
            }
            claimed.waiter->leave_queue();
            claimed.ticket = claimed.waiter->ticket();
        }
        SemaphoreCounts::add(counts_.wakes);
        return {};
    }

    // Errors: count_too_large.
    template <class Leaf>
    Result<void> v(Leaf& leaf)
    {
        Wait claimed;
        TRY_VOID(claim(claimed));
        if (claimed.waiter != nullptr)
            leaf.resume(*claimed.waiter, claimed.ticket);
        return {};
    }

private:
    // Apart, so that who need not wait pays nothing for it.
    template <class Leaf>
    [[gnu::noinline]] Result<void> wait(Waiter& self, WaitTicket ticket, Leaf& leaf)
    {
        SemaphoreCounts::add(counts_.waits);
        if (leaf.sleep(self, ticket))
            return {};
        give_up(self, ticket, leaf);
        return std::unexpected(Error::killed);
    }
    template <class Leaf>
    void give_up(Waiter& self, WaitTicket ticket, Leaf& leaf)
    {
        bool was_meant = false;
        {
            LockGuard guard(lock_);
            was_meant = !self.is_queued();
            if (!was_meant) {
                waiting_.remove(self);
                self.leave_queue();
            }
        }
        leaf.forget(self);
        self.end(ticket); // whoever is about to end it comes too late
        // Only a count at its limit refuses it, and that stays what it is.
        if (was_meant)
            (void)v(leaf);
    }

    SemaphoreCounts& counts_;
    const std::uint32_t number_;
    const std::uint32_t first_;
    SpinLock lock_;
    std::uint32_t count_ GUARDED_BY(lock_);
    List<Waiter, &Waiter::semaphore_link> waiting_ GUARDED_BY(lock_);
};

} // namespace parley::sched
