// SPDX-License-Identifier: MIT
// The scheduling subsystem outside the kernel's mechanisms (Oleinick and Fuller, 4.2.3): processes that take
// the pages of waiting processes away, bring them back, and only then let those go on. Each serves a queue of
// requests, one after the other, so that a queue with one server is as slow as its server.
//
// A process has one record, which stands in at most one queue. A wake-up that finds it there joins what it
// waits for: the pages are written, brought back, and the process goes on.
#pragma once

#include "base/spin_lock.hpp"
#include "sched/semaphore/surroundings.hpp"

#include "platform.hpp"

namespace parley::sched {

class PolicyModule {
    using Records = List<Waiter, &Waiter::request_link>;
    using Place = PageRecord::Place;

public:
    // Requests enter at the first queue, and are carried out by who serves the last.
    enum Queue : unsigned { communication, scheduling };

    PolicyModule(const SemaphoreSurroundings& surroundings, Queue entry)
        : clock_(surroundings.clock), store_(surroundings.store), counts_(surroundings.counts), entry_(entry)
    {
    }
    PolicyModule(const PolicyModule&) = delete;

    // ---- by processes in P and V ----

    // A wait has begun: the pages are to be written, at once.
    void suspend(Waiter& waiter, WaitTicket ticket)
    {
        LockGuard guard(lock_);
        if (begins_anew(waiter, ticket))
            put(waiter, entry_);
    }
    // The same, when so many nanoseconds have gone by.
    void suspend_later(Waiter& waiter, WaitTicket ticket, std::uint64_t delay)
    {
        const std::uint64_t due = clock_.nanoseconds() + delay;
        LockGuard guard(lock_);
        if (!begins_anew(waiter, ticket))
            return;
        waiter.pages.place = Place::aging;
        waiter.pages.due = due;
        aging_.push_back(waiter);
        announce(aging_news_);
    }
    // V has come for that wait.
    void wake(Waiter& waiter, WaitTicket ticket)
    {
        {
            LockGuard guard(lock_);
            PageRecord& pages = waiter.pages;
            if (pages.ticket != ticket)
                return; // forgotten
            if (pages.place != Place::aging) {
                pages.wake_wanted = true;
                if (pages.place == Place::nowhere)
                    put(waiter, entry_);
                return;
            }
            aging_.remove(waiter);
            pages.place = Place::nowhere;
        }
        SemaphoreCounts::add(counts_.in_time);
        waiter.end(ticket);
    }
    // The process has been killed.
    void forget(Waiter& waiter)
    {
        LockGuard guard(lock_);
        PageRecord& pages = waiter.pages;
        if (pages.place == Place::aging)
            aging_.remove(waiter);
        else if (pages.place == Place::queued)
            queue_of(pages).remove(waiter);
        const bool is_served = pages.place == Place::served;
        pages = PageRecord{};
        pages.place = is_served ? Place::served : Place::nowhere;
    }

    // ---- by policy processes; each returns after close(), or when it must end ----

    // Takes requests in and hands them to those who schedule.
    void communicate()
    {
        each(communication, [this](Waiter& waiter) {
            LockGuard guard(lock_);
            // Forgotten, and perhaps waiting anew: then it is a request all the same.
            if (finish(waiter))
                put(waiter, scheduling);
        });
    }
    // Stops and starts processes.
    void schedule()
    {
        each(scheduling, [this](Waiter& waiter) { carry_out(waiter); });
    }
    // Has pages written that are due.
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
        closed_.store(true, std::memory_order_relaxed); // the announcements release it
        for (Atomic<std::uint32_t>* const news : {&news_[0], &news_[1], &aging_news_})
            announce(*news, ~0u);
    }

private:
    // One request wants one process: who is awake goes on until it finds none.
    static void announce(Atomic<std::uint32_t>& news, unsigned processes = 1)
    {
        news.fetch_add(1, std::memory_order_release); // pairs with the looks at news before a block()
        platform::wake(news, processes);
    }

    Records& queue_of(const PageRecord& pages) REQUIRES(lock_) { return queues_[pages.queue]; }

    // Whether a request is to be made of it: it is in nobody's hands.
    bool begins_anew(Waiter& waiter, WaitTicket ticket) REQUIRES(lock_)
    {
        PageRecord& pages = waiter.pages;
        pages.ticket = ticket;
        pages.wake_wanted = false;
        pages.wait_again = pages.place == Place::served;
        return !pages.wait_again;
    }
    void put(Waiter& waiter, Queue queue) REQUIRES(lock_)
    {
        waiter.pages.place = Place::queued;
        waiter.pages.queue = queue;
        queues_[queue].push_back(waiter);
        announce(news_[queue]);
    }
    Waiter* take(Queue queue)
    {
        LockGuard guard(lock_);
        Waiter* const waiter = queues_[queue].pop_front();
        if (waiter != nullptr)
            waiter->pages.place = Place::served;
        return waiter;
    }

    template <class Serve>
    void each(Queue queue, Serve serve)
    {
        for (;;) {
            // Acquire pairs with announce(): a request that is not in the queue yet moves the news on.
            const std::uint32_t seen = news_[queue].load(std::memory_order_acquire);
            if (Waiter* const waiter = take(queue)) {
                SemaphoreCounts::add(counts_.policy_runs);
                clock_.spend_on_request(queue);
                serve(*waiter);
                continue;
            }
            if (closed_.load(std::memory_order_acquire) || !platform::block(news_[queue], seen))
                return;
        }
    }

    // The hands of a policy process are off it. Whether its process still waits, or waits anew.
    bool finish(Waiter& waiter) REQUIRES(lock_)
    {
        waiter.pages.place = Place::nowhere;
        waiter.pages.wait_again = false;
        return waiter.pages.ticket != 0;
    }

    void carry_out(Waiter& waiter)
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
                return put(waiter, scheduling); // V, or the next wait, has come meanwhile
            if (!pages.wake_wanted)
                return;
            over = pages.ticket;
            pages.ticket = 0;
        }
        waiter.end(over);
    }
    WaitTicket ticket_of(Waiter& waiter)
    {
        LockGuard guard(lock_);
        return waiter.pages.ticket;
    }
    bool are_away(Waiter& waiter)
    {
        LockGuard guard(lock_);
        return waiter.pages.pages_away;
    }
    bool is_to_go_on(Waiter& waiter)
    {
        LockGuard guard(lock_);
        return waiter.pages.wake_wanted;
    }
    // Where the wait that is served has been forgotten meanwhile, the pages were those of a process that is
    // gone.
    void note_away(Waiter& waiter, WaitTicket served, bool away)
    {
        LockGuard guard(lock_);
        if (waiter.pages.ticket == served)
            waiter.pages.pages_away = away;
    }

    // When the next pages are due; 0: none are waited for.
    std::uint64_t release_due(std::uint64_t now)
    {
        LockGuard guard(lock_);
        for (;;) {
            Waiter* const oldest = aging_.first();
            if (oldest == nullptr)
                return 0;
            if (oldest->pages.due > now)
                return oldest->pages.due;
            aging_.remove(*oldest);
            put(*oldest, entry_);
        }
    }

    SemaphoreClock& clock_;
    BackingStore& store_;
    SemaphoreCounts& counts_;
    const Queue entry_;
    SpinLock lock_;
    Records queues_[2] GUARDED_BY(lock_);
    Records aging_ GUARDED_BY(lock_); // all wait equally long, so the oldest is due first
    Atomic<std::uint32_t> news_[2] = {};
    Atomic<std::uint32_t> aging_news_{0};
    Atomic<bool> closed_{false};
};

} // namespace parley::sched
