// SPDX-License-Identifier: MIT
// One semaphore of a job: its count, and the processes that wait for it, the oldest first.
#pragma once

#include "base/result.hpp"
#include "base/spin_lock.hpp"
#include "interface/semaphores.h"
#include "sched/semaphore/semaphore_waiter.hpp"

namespace parley::sched {

// The totals of P and V over all semaphores of a job.
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

// P and V of semaphores that the kernel keeps. The leaf decides what happens to a process between the P
// that has to wait and the V that it waits for:
//   sleep(waiter, ticket)       makes it wait until that wait is over; false: it must end
//   suspended(waiter, ticket)   it is in the queue and is about to leave its processor; the caller holds the
//                               semaphore's lock, which the compiler cannot hold: a leaf knows no semaphore
//   resume(waiter, ticket)      V has taken it from the queue: makes it go on, by waiter.end(ticket)
//   forget(waiter)              it has been killed, and will neither wait nor go on
class Counter {
public:
    Counter(std::uint32_t number, std::uint32_t count, SemaphoreCounts& counts)
        : counts_(counts), number_(number), first_(count), count_(count)
    {
    }
    Counter(const Counter&) = delete;

    // The count with which it was opened.
    std::uint32_t first() const { return first_; }

    // P, by the process whose waiter this is. Errors: killed; the caller then waits no longer, and a V that
    // had come for it goes to another process.
    template <class Leaf>
    Result<void> p(SemaphoreWaiter& self, Leaf& leaf)
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

    // Takes the process that has waited longest from the queue; the caller wakes it. If none waits, the count
    // grows by 1. Errors: count_too_large.
    [[gnu::always_inline]] Result<void> claim(SemaphoreWait& claimed)
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

    // V, by any process of the job. Errors: count_too_large.
    template <class Leaf>
    Result<void> v(Leaf& leaf)
    {
        SemaphoreWait claimed;
        TRY_VOID(claim(claimed));
        if (claimed.waiter != nullptr)
            leaf.resume(*claimed.waiter, claimed.ticket);
        return {};
    }

private:
    // This is a function of its own, so that a P that need not wait does not pay for it.
    template <class Leaf>
    [[gnu::noinline]] Result<void> wait(SemaphoreWaiter& self, WaitTicket ticket, Leaf& leaf)
    {
        SemaphoreCounts::add(counts_.waits);
        if (leaf.sleep(self, ticket))
            return {};
        give_up(self, ticket, leaf);
        return std::unexpected(Error::killed);
    }
    template <class Leaf>
    void give_up(SemaphoreWaiter& self, WaitTicket ticket, Leaf& leaf)
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
        self.end(ticket); // a V that is about to end it comes too late
        // V fails only where the count is at its limit, and the count then stays as it is.
        if (was_meant)
            (void)v(leaf);
    }

    SemaphoreCounts& counts_;
    const std::uint32_t number_;
    const std::uint32_t first_;
    SpinLock lock_;
    std::uint32_t count_ GUARDED_BY(lock_);
    List<SemaphoreWaiter, &SemaphoreWaiter::semaphore_link> waiting_ GUARDED_BY(lock_);
};

} // namespace parley::sched
