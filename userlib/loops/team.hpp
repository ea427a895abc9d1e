// SPDX-License-Identifier: MIT
// Threads that run one body together: they meet at its barrier, come to its loops in the same order, and
// share its tasks. A team can be used again for another body with as many threads.
#pragma once

#include "userlib/loops/loop.hpp"
#include "userlib/loops/surroundings/clusters.hpp"
#include "userlib/loops/tasks.hpp"

namespace parley::loops {

class Team {
public:
    // With leaves as chosen, one of several teams with so many threads together; its words lie in the memory
    // of their home. Null: there is no memory.
    static Team* create(unsigned threads, unsigned all_threads, const Choice& choice, bool crowded,
                        int home = no_home);
    static void destroy(Team* team);

    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    unsigned threads() const { return threads_; }
    unsigned all_threads() const { return all_threads_; }

    // How many meetings, loops and places of the team a thread has come to: its own.
    struct Place {
        std::uint32_t met = 0, places = 0;
        std::uint64_t loops = 0;   // of which use() makes a number that goes on where a word is full
        bool has_finished = false; // the body; this counts as a meeting when it joins for the next
        Atomic<Meanwhile*> thread{nullptr};
    };
    Place& place(unsigned number, Meanwhile& thread)
    {
        Place& place = places_of_threads_[number].as<Place>();
        if (place.thread.load(std::memory_order_relaxed) != &thread)
            place.thread.store(&thread, std::memory_order_seq_cst);
        return place;
    }
    // A task was queued: threads that sleep look.
    void rouse()
    {
        for (Line& line : places_of_threads_)
            if (Meanwhile* const thread = line.as<Place>().thread.load(std::memory_order_seq_cst))
                thread->notice_work();
    }

    Wait& wait() { return *wait_; }
    // As those of its barrier.
    void meet(unsigned number, Meanwhile& meanwhile) { meet_(*barrier_, number, meanwhile); }
    void gather(unsigned number, Meanwhile& meanwhile) { gather_(*barrier_, number, meanwhile); }
    Tasks& tasks() { return tasks_; }

    // The loop that a thread comes to after so many others, and for the how manieth time it is used then.
    Loop& loop(std::uint64_t after) { return loops_[after % loops]; }
    static std::uint32_t use(std::uint64_t after) { return static_cast<std::uint32_t>(after / loops); }

    // Whether the caller is the first to come to a place of the program that all come to, after so many
    // others.
    bool is_first(std::uint32_t after)
    {
        std::uint32_t found = after;
        return places_.load(std::memory_order_relaxed) == after &&
               places_.compare_exchange_strong(found, after + 1, std::memory_order_relaxed,
                                               std::memory_order_relaxed);
    }

    // What one thread tells all; a meeting stands between.
    void tell(void* what) { told_ = what; }
    void* told() const { return told_; }

    // A thread that has met the others so many times has queued a task; and whether any such has.
    void note_task(std::uint32_t met) { with_tasks_.store(met, std::memory_order_relaxed); }
    bool had_tasks(std::uint32_t met) const { return with_tasks_.load(std::memory_order_relaxed) == met; }

    Team* other = nullptr; // of a list

private:
    static constexpr unsigned loops = 8;

    Team() = default;
    ~Team() = default;

    unsigned threads_ = 1;
    unsigned all_threads_ = 1;
    int home_ = no_home;
    std::size_t bytes_ = 0;
    Wait* wait_ = nullptr;
    Barrier* barrier_ = nullptr;
    decltype(BarrierKind::meet) meet_ = nullptr; // of its class
    decltype(BarrierKind::gather) gather_ = nullptr;
    void* told_ = nullptr;
    std::span<Line> places_of_threads_;
    alignas(line_bytes) Atomic<std::uint32_t> with_tasks_{~0u};
    alignas(line_bytes) Atomic<std::uint32_t> places_{0};
    Tasks tasks_;
    Loop loops_[loops];
};

} // namespace parley::loops
