// SPDX-License-Identifier: MIT
// A process as semaphores see it: the word that it sleeps on, and its links in queues. Each process has
// one, and waits for one semaphore at a time.
#pragma once

#include "base/atomic.hpp"
#include "base/intrusive_list.hpp"
#include "base/spin_lock.hpp"

#include "platform.hpp"

#include <cstdint>

namespace parley::sched {

// The number of one wait of a process. A wake-up names the wait that it is for, so that one that comes too
// late, because the process was killed, never ends a later wait.
using WaitTicket = std::uint32_t;

// What the policy processes know of a process's pages. The lock of their module guards it.
struct PageRecord {
    enum class Stage : std::uint8_t { nowhere, aging, queued, served };
    Stage stage = Stage::nowhere; // where the record is
    unsigned queue = 0;           // the queue that it is in, if it is queued
    bool wake_wanted = false;     // V has come: the pages are brought back and the process goes on
    bool wait_again = false;      // a new wait has begun while the record was served
    bool pages_away = false;
    WaitTicket ticket = 0;
    std::uint64_t due = 0; // nanoseconds: when the pages are to be written
};

class SemaphoreWaiter;

// One wait of one process.
struct SemaphoreWait {
    SemaphoreWaiter* waiter = nullptr; // null: nobody's
    WaitTicket ticket = 0;
};

// The waits that a process ends when its own wait is over, before it does anything else.
struct Followers {
    SpinLock lock;
    unsigned count GUARDED_BY(lock) = 0;
    SemaphoreWait waits[2] GUARDED_BY(lock);
};

class alignas(64) SemaphoreWaiter {
public:
    explicit SemaphoreWaiter(unsigned process) : process_(process) { }
    SemaphoreWaiter(const SemaphoreWaiter&) = delete;

    unsigned process() const { return process_; }

    // Begins the process's next wait, for that semaphore. The process itself calls this, before others can
    // find it in a queue.
    WaitTicket begin(std::uint32_t semaphore)
    {
        semaphore_.store(semaphore, std::memory_order_relaxed);
        const WaitTicket ticket = word_.load(std::memory_order_relaxed) + 1;
        word_.store(ticket, std::memory_order_release); // pairs with waits(), which reads the semaphore then
        queued_.store(true, std::memory_order_relaxed);
        return ticket;
    }
    // The wait that has begun last. The caller holds the lock of the queue that the waiter is in, or of its
    // followers: under either the wait does not begin anew. The compiler cannot hold that, because it knows
    // no lock that is one of two, and the waiter not the semaphore whose queue it is in.
    WaitTicket ticket() const { return word_.load(std::memory_order_relaxed); }

    // The process sleeps until that wait is over. False: the process must end; the wait may be over or not.
    bool sleep(WaitTicket ticket)
    {
        // block() loads the word before the process sleeps, with the word's lock held. Acquire pairs with the
        // release in pass(): what was done before V is seen after P.
        do
            if (!platform::block(word_, ticket))
                return false;
        while (word_.load(std::memory_order_acquire) == ticket);
        return true;
    }
    // Like sleep(), but the process spins.
    bool spin(WaitTicket ticket)
    {
        platform::SpinWait wait;
        while (word_.load(std::memory_order_acquire) == ticket)
            if (!wait.once())
                return false;
        return true;
    }
    // Ends the wait, but does not wake the process if it sleeps. False: the wait was over before.
    bool pass(WaitTicket ticket)
    {
        WaitTicket expected = ticket;
        return word_.compare_exchange_strong(expected, ticket + 1, std::memory_order_release,
                                             std::memory_order_relaxed);
    }
    void end(WaitTicket ticket)
    {
        if (pass(ticket))
            platform::wake(word_, 1);
    }

    // Whether it is in its semaphore's queue. This changes only under the semaphore's lock.
    bool is_queued() const { return queued_.load(std::memory_order_relaxed); }
    void leave_queue() { queued_.store(false, std::memory_order_relaxed); }

    // Whether it waits and no V has come for it. `wait` is then its wait, and remains it as long as it
    // waits. Any process may call this.
    struct WaitInP {
        WaitTicket ticket;
        std::uint32_t semaphore;
    };
    bool waits(WaitInP& wait) const
    {
        wait = {word_.load(std::memory_order_acquire), semaphore_.load(std::memory_order_relaxed)};
        return wait.ticket % 2 == 1 && is_queued();
    }

    Link semaphore_link; // among those that wait for the semaphore, guarded by its lock
    Link request_link;   // in a queue of the policy module
    PageRecord pages;
    Followers followers;

private:
    const unsigned process_;
    Atomic<std::uint32_t> word_{0}; // odd: it waits
    Atomic<std::uint32_t> semaphore_{0};
    Atomic<bool> queued_{false};
};

} // namespace parley::sched
