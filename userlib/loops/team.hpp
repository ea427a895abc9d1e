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
    // Makes a team with the leaves that were chosen. `all_threads`: of all teams of which this is one. Its
    // words lie in the memory of `home`. Null: there is no memory.
    static Team* create(unsigned threads, unsigned all_threads, const Choice& choice, bool crowded,
                        int home = no_home);
    static void destroy(Team* team);

    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    unsigned threads() const { return threads_; }
    unsigned all_threads() const { return all_threads_; }

    // How far a thread has come: how many of the team's meetings, loops and `single` regions it has met.
    struct Progress {
        std::uint32_t met = 0, singles = 0;
        std::uint64_t loops = 0;   // of which use() makes a number that goes on where a word is full
        bool has_finished = false; // the body; this counts as a meeting when it joins for the next
        Atomic<Meanwhile*> thread{nullptr};
    };
    Progress& progress(unsigned number, Meanwhile& thread)
    {
        Progress& progress = progress_of_threads_[number].as<Progress>();
        if (progress.thread.load(std::memory_order_relaxed) != &thread)
            progress.thread.store(&thread, std::memory_order_seq_cst);
        return progress;
    }
    // A task was queued: has threads that sleep look again.
    void rouse()
    {
        for (Line& line : progress_of_threads_)
            if (Meanwhile* const thread = line.as<Progress>().thread.load(std::memory_order_seq_cst))
                thread->notice_work();
    }

    Wait& wait() { return *wait_; }
    // These do what those of its barrier do.
    void meet(unsigned number, Meanwhile& meanwhile) { meet_(*barrier_, number, meanwhile); }
    void gather(unsigned number, Meanwhile& meanwhile) { gather_(*barrier_, number, meanwhile); }
    Tasks& tasks() { return tasks_; }

    // loop(): the loop that a thread comes to after so many others. use(): the number of that use of it, from
    // 0.
    Loop& loop(std::uint64_t after) { return loops_[after % loops]; }
    static std::uint32_t use(std::uint64_t after) { return static_cast<std::uint32_t>(after / loops); }

    // Whether the caller is the first to come to a `single` region that all come to, after so many
    // others.
    bool is_first(std::uint32_t after)
    {
        std::uint32_t found = after;
        return singles_.load(std::memory_order_relaxed) == after &&
               singles_.compare_exchange_strong(found, after + 1, std::memory_order_relaxed,
                                                std::memory_order_relaxed);
    }

    // One thread tells all others something, which they ask for after a meeting.
    void tell(void* what) { told_ = what; }
    void* told() const { return told_; }

    // note_task(): a thread that has met the others so many times has queued a task. had_tasks(): whether any
    // such thread has.
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
    std::span<Line> progress_of_threads_;
    alignas(line_bytes) Atomic<std::uint32_t> with_tasks_{~0u};
    alignas(line_bytes) Atomic<std::uint32_t> singles_{0};
    Tasks tasks_;
    Loop loops_[loops];
};

} // namespace parley::loops
