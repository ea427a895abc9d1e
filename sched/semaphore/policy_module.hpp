// SPDX-License-Identifier: MIT
// The scheduling subsystem outside the kernel's mechanisms (Oleinick and Fuller, 4.2.3): its processes
// take the pages of waiting processes away, bring them back, and only then let those processes go on. Each
// serves requests, one after another, so requests wait where there are more of them than processes.
//
// A request may enter by the queue for communication, from which a process hands it on to the queue for
// scheduling. The documents tell two things of the processes of the first policy: "one would start and stop
// processes and the other would handle communication between the Kernel and user" (4.2.3), and "to expedite
// the costly wake up procedure" both "cooperate to start and stop" (3.4.4). Both hold here: each process has
// a queue that it serves first, and serves the other while its own is empty.
//
// A process has one record, which is in at most one queue. A wake-up that finds the record in a queue is
// added to the request: the pages are written and brought back, and then the process goes on.
#pragma once

#include "base/spin_lock.hpp"
#include "sched/semaphore/surroundings.hpp"

#include "platform.hpp"

namespace parley::sched {

class PolicyModule {
    using Records = List<SemaphoreWaiter, &SemaphoreWaiter::request_link>;
    using Stage = PageRecord::Stage;

public:
    // A policy process that takes a request from `communication` puts it into `scheduling`; one that takes it
    // from `scheduling` stops or starts the process that it is about.
    enum Queue : unsigned { communication, scheduling };

    PolicyModule(const SemaphoreSurroundings& surroundings, Queue entry)
        : clock_(surroundings.clock), store_(surroundings.store), counts_(surroundings.counts), entry_(entry)
    {
    }
    PolicyModule(const PolicyModule&) = delete;

    // ---- processes in P and V call these ----

    // A wait has begun: the pages are to be written at once.
    void suspend(SemaphoreWaiter& waiter, WaitTicket ticket)
    {
        LockGuard guard(lock_);
        if (begins_anew(waiter, ticket))
            put(waiter);
    }
    // A wait has begun: the pages are to be written after so many nanoseconds.
    void suspend_later(SemaphoreWaiter& waiter, WaitTicket ticket, std::uint64_t delay)
    {
        const std::uint64_t due = clock_.nanoseconds() + delay;
        LockGuard guard(lock_);
        if (!begins_anew(waiter, ticket))
            return;
        waiter.pages.stage = Stage::aging;
        waiter.pages.due = due;
        aging_.push_back(waiter);
        announce(aging_news_);
    }
    // V has come for that wait.
    void wake(SemaphoreWaiter& waiter, WaitTicket ticket)
    {
        {
            LockGuard guard(lock_);
            PageRecord& pages = waiter.pages;
            if (pages.ticket != ticket)
                return; // forgotten
            if (pages.stage != Stage::aging) {
                pages.wake_wanted = true;
                if (pages.stage == Stage::nowhere)
                    put(waiter);
                return;
            }
            aging_.remove(waiter);
            pages.stage = Stage::nowhere;
        }
        SemaphoreCounts::add(counts_.in_time);
        waiter.end(ticket);
    }
    // The process has been killed.
    void forget(SemaphoreWaiter& waiter)
    {
        LockGuard guard(lock_);
        PageRecord& pages = waiter.pages;
        if (pages.stage == Stage::aging)
            aging_.remove(waiter);
        else if (pages.stage == Stage::queued)
            queue_of(pages).remove(waiter);
        const bool is_served = pages.stage == Stage::served;
        pages = PageRecord{};
        pages.stage = is_served ? Stage::served : Stage::nowhere;
    }

    // ---- policy processes call these; each returns after close(), or when its process must end ----

    // Serves requests of both queues, those of `first` before those of the other.
    void serve(Queue first)
    {
        for (;;) {
            // Acquire pairs with announce(): whoever puts a request into a queue later changes `news`, but
            // for a policy process, which looks for it itself.
            const std::uint32_t seen = news_.load(std::memory_order_acquire);
            if (const Request request = take(first); request.waiter != nullptr) {
                SemaphoreCounts::add(counts_.policy_runs);
                request.queue == communication ? hand_on(*request.waiter) : carry_out(*request.waiter);
                continue;
            }
            if (closed_.load(std::memory_order_acquire) || !platform::block(news_, seen))
                return;
        }
    }
    // Requests that the pages that are due are written.
    void watch_the_time()
    {
        for (;;) {
            const std::uint32_t seen = aging_news_.load(std::memory_order_acquire);
            if (closed_.load(std::memory_order_acquire))
                return;
            const std::uint64_t next = release_due(clock_.nanoseconds());
            const bool goes_on =
                next != 0 ? clock_.sleep_until(next, closed_) : platform::block(aging_news_, seen);
            if (!goes_on)
                return;
        }
    }
    void close()
    {
        closed_.store(true, std::memory_order_relaxed); // announce() releases it
        announce(news_, ~0u);
        announce(aging_news_, ~0u);
    }

private:
    struct Request {
        SemaphoreWaiter* waiter = nullptr; // null: there is none
        Queue queue = communication;       // where it was
    };

    // One request needs one process, whichever, since each serves both queues. A process that is awake goes
    // on until it finds no request.
    static void announce(Atomic<std::uint32_t>& news, unsigned processes = 1)
    {
        news.fetch_add(1, std::memory_order_release); // pairs with the looks at news before a block()
        platform::wake(news, processes);
    }

    Records& queue_of(const PageRecord& pages) REQUIRES(lock_) { return queues_[pages.queue]; }

    // Whether a request is to be made of it, because it is in no queue and nobody serves it.
    bool begins_anew(SemaphoreWaiter& waiter, WaitTicket ticket) REQUIRES(lock_)
    {
        PageRecord& pages = waiter.pages;
        pages.ticket = ticket;
        pages.wake_wanted = false;
        pages.wait_again = pages.stage == Stage::served;
        return !pages.wait_again;
    }
    // The caller announces it, or is a policy process, which looks for a request next.
    void append(SemaphoreWaiter& waiter, Queue queue) REQUIRES(lock_)
    {
        waiter.pages.stage = Stage::queued;
        waiter.pages.queue = queue;
        queues_[queue].push_back(waiter);
    }
    void put(SemaphoreWaiter& waiter) REQUIRES(lock_)
    {
        append(waiter, entry_);
        announce(news_);
    }
    Request take(Queue first)
    {
        LockGuard guard(lock_);
        for (const Queue queue : {first, first == communication ? scheduling : communication})
            if (SemaphoreWaiter* const waiter = queues_[queue].pop_front()) {
                waiter->pages.stage = Stage::served;
                return {waiter, queue};
            }
        return {};
    }

    // A policy process has served the record. Answers whether the record's process still waits, or waits
    // anew.
    bool finish(SemaphoreWaiter& waiter) REQUIRES(lock_)
    {
        waiter.pages.stage = Stage::nowhere;
        waiter.pages.wait_again = false;
        return waiter.pages.ticket != 0;
    }

    void hand_on(SemaphoreWaiter& waiter)
    {
        LockGuard guard(lock_);
        // It was forgotten, and may be waiting anew: then it is a request all the same.
        if (finish(waiter))
            append(waiter, scheduling);
    }
    void carry_out(SemaphoreWaiter& waiter)
    {
        const WaitTicket served = ticket_of(waiter);
        if (!are_away(waiter)) {
            SemaphoreCounts::add(counts_.page_writes, store_.write_back(waiter.process()));
            note_away(waiter, served, true);
        }
        if (is_to_go_on(waiter)) {
            SemaphoreCounts::add(counts_.page_reads, store_.bring_back(waiter.process()));
            note_away(waiter, served, false);
        }
        WaitTicket over = 0;
        {
            LockGuard guard(lock_);
            const bool again = waiter.pages.wait_again;
            if (!finish(waiter))
                return;
            PageRecord& pages = waiter.pages;
            if (again || (pages.wake_wanted && pages.pages_away))
                return append(waiter, scheduling); // V, or the next wait, has come meanwhile
            if (!pages.wake_wanted)
                return;
            over = pages.ticket;
            pages.ticket = 0;
        }
        waiter.end(over);
    }
    WaitTicket ticket_of(SemaphoreWaiter& waiter)
    {
        LockGuard guard(lock_);
        return waiter.pages.ticket;
    }
    bool are_away(SemaphoreWaiter& waiter)
    {
        LockGuard guard(lock_);
        return waiter.pages.pages_away;
    }
    bool is_to_go_on(SemaphoreWaiter& waiter)
    {
        LockGuard guard(lock_);
        return waiter.pages.wake_wanted;
    }
    // If the wait that is served has been forgotten, before or meanwhile, the pages belonged to a process
    // that no longer exists.
    void note_away(SemaphoreWaiter& waiter, WaitTicket served, bool away)
    {
        LockGuard guard(lock_);
        if (served != 0 && waiter.pages.ticket == served)
            waiter.pages.pages_away = away;
    }

    // The time at which the next pages are due; 0: none will be.
    std::uint64_t release_due(std::uint64_t now)
    {
        LockGuard guard(lock_);
        for (;;) {
            SemaphoreWaiter* const oldest = aging_.first();
            if (oldest == nullptr)
                return 0;
            if (oldest->pages.due > now)
                return oldest->pages.due;
            aging_.remove(*oldest);
            put(*oldest);
        }
    }

    SemaphoreClock& clock_;
    BackingStore& store_;
    SemaphoreCounts& counts_;
    const Queue entry_;
    SpinLock lock_;
    Records queues_[2] GUARDED_BY(lock_);
    Records aging_ GUARDED_BY(lock_); // all are due after the same delay, so the oldest is due first
    Atomic<std::uint32_t> news_{0};
    Atomic<std::uint32_t> aging_news_{0};
    Atomic<bool> closed_{false};
};

} // namespace parley::sched
