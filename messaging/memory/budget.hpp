// SPDX-License-Identifier: MIT
// The memory that a job's messages and their bytes may use, and those who wait for some of it. A process
// announces itself before it tries again, and whoever frees something looks for such processes afterwards. So
// of a release and an announcement that meet, one sees the other: the heap's lock orders the look at the
// count after the try; where a block is released to a shelf without that lock, all four steps have one order
// (seq_cst).
#pragma once

#include "assertion.hpp"
#include "messaging/memory/buddy_heap.hpp"
#include "messaging/waiter.hpp"

#include <span>

namespace parley::messaging {

template <class S = Synchronization>
class Budget {
public:
    // `waiters`: all who may wait, in any order.
    Budget(BuddyHeap& heap, std::span<Waiter<S>* const> waiters) : heap_(heap), waiters_(waiters) { }

    BuddyHeap& heap() { return heap_; }

    // Anyone: something has been freed.
    void freed()
    {
        if (waiting_.load(std::memory_order_seq_cst) != 0)
            wake_waiters();
    }

    // The process itself calls announce() before it tries again, and withdraw() afterwards; whoever closes a
    // process that has ended calls withdraw() for it.
    void announce(Waiter<S>& waiter)
    {
        waiter.status().set_wants_budget(true);
        waiting_.fetch_add(1, std::memory_order_seq_cst);
    }
    void withdraw(Waiter<S>& waiter)
    {
        assert_that([&] { return waiter.status().wants_budget(); });
        waiting_.fetch_sub(1, std::memory_order_acq_rel);
        waiter.status().set_wants_budget(false);
    }

private:
    [[gnu::noinline]] void wake_waiters()
    {
        for (Waiter<S>* const waiter : waiters_)
            if (waiter->status().wants_budget())
                waiter->signal();
    }

    BuddyHeap& heap_;
    std::span<Waiter<S>* const> waiters_;
    Atomic<std::uint32_t> waiting_{0};
};

} // namespace parley::messaging
