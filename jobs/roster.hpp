// SPDX-License-Identifier: MIT
// What the programs of a job are. It has an entry for each endpoint: its node and pid, whether a program is
// loaded there, runs or has ended, and whether that program waits for ends. It says what load, waitall and
// killcube mean for the entries. It has no processes, pages or descriptors: the kernel and nxrun start and
// stop the programs that it names, and report to it what has happened to them. Its lock is held for all
// changes; functions that need no lock say so.
#pragma once

#include "base/atomic.hpp"
#include "base/result.hpp"
#include "base/spin_lock.hpp"
#include "interface/limits.h"
#include "messaging/layout.hpp"
#include "messaging/state.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace parley::jobs {

// The programs that a call is about: -1 stands for all nodes, or for all pids of a node. The host is never
// one of them.
struct Selection {
    int node;
    int pid;
};

// What is in an entry.
enum class Standing : std::uint8_t {
    empty,     // no program
    loading,   // a program is being made
    placed,    // a program that may not start yet
    running,   // a program that runs
    ended,     // a program has ended, and nobody has waited for that
    returning, // a program was made and never started; it is being taken back
};

constexpr bool may_follow(Standing from, Standing to)
{
    switch (from) {
    case Standing::empty: return to == Standing::loading || to == Standing::running;
    case Standing::loading: return to == Standing::placed || to == Standing::returning;
    case Standing::placed: return to == Standing::running || to == Standing::returning;
    case Standing::running: return to == Standing::ended || to == Standing::empty;
    case Standing::ended:
    case Standing::returning: return to == Standing::empty;
    }
    return false;
}

// What a program waits for: the ends of all programs that its call is about, the end of one of them, or
// that those which have been killed are gone.
struct WaitForEnds {
    enum class For : std::uint8_t { all, one, killed };
    For what;
    Selection whom;
};

// A program that has ended, as waitone answers it.
struct Ended {
    int status = 0;
    int node = 0;
    int pid = 0;
};

class Roster {
public:
    // The memory for one entry. Only a Roster uses what is in it.
    struct ProgramEntry {
        messaging::State<Standing> standing{Standing::empty};
        Atomic<std::uint32_t> epoch{0};
        Atomic<int> pid{0};
        Atomic<bool> removed{false};
        Atomic<bool> successor_receives{false};
        Atomic<int> exit_status{0};
        int pid_before = 0; // the load, while a program is being loaded
        unsigned owner = 0; // who loads what is not started yet, or takes it back
        std::optional<WaitForEnds> wait;
    };

    // An entry for each endpoint of a job: those of programs come first, in the order of the layout, then
    // those of the job's helpers. All are empty.
    Roster(const messaging::Layout& layout, std::span<ProgramEntry> entries);
    Roster(const Roster&) = delete;

    SpinLock& lock() RETURN_CAPABILITY(lock_) { return lock_; }

    // ---- Anybody may call these without the lock. ----

    unsigned size() const { return static_cast<unsigned>(entries_.size()); }
    // How many of them are programs', the first.
    unsigned programs() const { return layout_.programs(); }
    bool is_program(unsigned endpoint) const { return endpoint < programs(); }
    // Whether the job has a host.
    bool has_host() const { return layout_.host; }
    bool is_host(unsigned endpoint) const { return layout_.host && endpoint + 1 == layout_.programs(); }
    int nodes() const { return static_cast<int>(layout_.nodes); }
    // The node of a program. The host's node follows those of the others.
    int node_of(unsigned endpoint) const;
    int pid_of(unsigned endpoint) const { return entries_[endpoint].pid.load(std::memory_order_relaxed); }
    Standing standing(unsigned endpoint) const
    {
        return entries_[endpoint].standing.load(std::memory_order_acquire);
    }
    bool runs(unsigned endpoint) const { return standing(endpoint) == Standing::running; }
    // The status of a program that has ended and for which nobody has waited.
    std::optional<int> left_with(unsigned endpoint) const;
    // The job itself ends the program that runs there, and the next program there gets the messages that
    // wait for it.
    bool removed(unsigned endpoint) const
    {
        return entries_[endpoint].removed.load(std::memory_order_relaxed);
    }
    bool successor_receives(unsigned endpoint) const
    {
        return entries_[endpoint].successor_receives.load(std::memory_order_relaxed);
    }
    // Odd while the program there waits for others. It only grows.
    std::uint32_t epoch(unsigned endpoint) const
    {
        return entries_[endpoint].epoch.load(std::memory_order_acquire);
    }
    // The words to sleep on: until a program runs there, and until the program there need not wait any
    // longer.
    const Atomic<Standing>& standing_word(unsigned endpoint) const
    {
        return entries_[endpoint].standing.word();
    }
    const Atomic<std::uint32_t>& epoch_word(unsigned endpoint) const { return entries_[endpoint].epoch; }

    // ---- Loading. A load plans, makes the programs of its plan without the lock, and commits to it or
    // undoes it. What a load, a kill or an end leaves `returning` is given back by its owner: with
    // next_returning() it finds each, takes back what was made there, and says returned(). ----

    // Consecutive endpoints.
    struct Plan {
        unsigned first;
        unsigned count;
    };
    // Takes the entries that programs with that pid have on the node, or on all nodes. Errors: not_permitted
    // (the job has no host), bad_node, bad_process, pid_in_use (a program is there, or one of another row has
    // that pid); nothing has changed then.
    Result<Plan> load(unsigned loader, Selection where) REQUIRES(lock_);
    // All programs of the plan are made. The loader gives back those that were killed meanwhile.
    void commit(const Plan& plan) REQUIRES(lock_);
    // Not all could be made: the loader gives back each.
    void undo(const Plan& plan) REQUIRES(lock_);
    // If a program is placed there, it will not begin, and this owner gives it back.
    void unload(unsigned endpoint, unsigned owner) REQUIRES(lock_);
    // The next endpoint, from that one on, that this owner has to give back.
    std::optional<unsigned> next_returning(unsigned owner, unsigned from) const REQUIRES(lock_);
    void returned(unsigned endpoint) REQUIRES(lock_);

    // ---- Running. ----

    // A program begins that the job was started with, or that a load has placed.
    void begin(unsigned endpoint) REQUIRES(lock_);
    // All placed programs begin in this one step: nobody sees some run and others not. It calls `began`
    // with each endpoint.
    template <class Began>
    void start(Selection whom, const Began& began) REQUIRES(lock_)
    {
        for (const unsigned endpoint : meant(whom)) {
            if (!entries_[endpoint].standing.is(Standing::placed))
                continue;
            begin(endpoint);
            began(endpoint);
        }
    }
    // The program there has ended, and gives back what it has placed and not started. Programs that wait
    // for it may go on, and get their signals before the end can be seen. True: no program of the job runs
    // any longer.
    bool ended(unsigned endpoint, int status) REQUIRES(lock_);
    // Nobody will wait for the end of the program that was there, if there was one.
    void forget_end(unsigned endpoint) REQUIRES(lock_);
    // How many programs run.
    unsigned running() const REQUIRES(lock_) { return running_; }
    // Whether the program there can have this pid: no two rows ever have the same. Errors: bad_process,
    // pid_in_use.
    Result<void> check_pid(unsigned endpoint, int pid) const REQUIRES(lock_);
    // The program there has this pid from now on. Errors: bad_process.
    Result<void> set_pid(unsigned endpoint, int pid) REQUIRES(lock_);

    // ---- Killing. ----

    // Ends the programs of the selection: nobody waits for their ends, and messages for them may stay for
    // the next programs there. It calls `stop` with each that runs, except the killer. The killer gives
    // back what is placed, and the loader what is being loaded. The killer then waits for For::killed.
    // True: the killer is one of them, and ends itself. Errors: bad_node, bad_process.
    template <class Stop>
    Result<bool> kill(unsigned killer, Selection whom, bool successors_receive, const Stop& stop)
        REQUIRES(lock_)
    {
        TRY_VOID(check(whom));
        bool itself = false;
        for (const unsigned endpoint : meant(whom)) {
            if (!remove(endpoint, killer, successors_receive))
                continue;
            itself = itself || endpoint == killer;
            if (endpoint != killer)
                stop(endpoint);
        }
        return itself;
    }
    // The program there is to end, as a killer on another machine says. True: it runs, and the caller stops
    // it before it gives the lock back.
    bool kill_one(unsigned endpoint, bool successor_receives) REQUIRES(lock_)
    {
        return remove(endpoint, endpoint, successor_receives);
    }
    // A helper is no longer needed. True: it runs, and the caller stops it.
    bool dismiss(unsigned endpoint) REQUIRES(lock_) { return remove(endpoint, endpoint, false); }

    // ---- Waiting. ----

    // The program there begins to wait; check_wait() says whether it has to. Errors: bad_node, bad_process.
    Result<void> wait(unsigned endpoint, const WaitForEnds& wait) REQUIRES(lock_);
    // Whether its wait is over: then it answers the program that has ended, and the ends that it waited
    // for have been waited for. Errors: would_block, it goes on waiting; closed, there is nobody to wait
    // for.
    Result<Ended> check_wait(unsigned endpoint) REQUIRES(lock_);
    // It no longer waits.
    void give_up(unsigned endpoint) REQUIRES(lock_);
    // What it waits for; empty: it does not wait.
    const std::optional<WaitForEnds>& wait_of(unsigned endpoint) const REQUIRES(lock_)
    {
        return entries_[endpoint].wait;
    }
    // Whether it waits and something has changed since it looked, so that it must call check_wait() again.
    bool may_go_on(unsigned endpoint) const REQUIRES(lock_)
    {
        return entries_[endpoint].wait && epoch(endpoint) % 2 == 0;
    }
    // Whether anybody waits.
    bool somebody_waits() const REQUIRES(lock_) { return waiting_ != 0; }

    // Whether there can be such programs: a row has that pid, or can get it. Errors: bad_node, bad_process.
    Result<void> check(Selection whom) const REQUIRES(lock_);

    // The endpoints of a selection, in their order. Anybody may call it: `for (const unsigned endpoint :
    // meant(whom))`
    class Meant {
    public:
        class Iterator {
        public:
            Iterator(const Meant& of, unsigned at) : of_(of), at_(of.next(at)) { }
            unsigned operator*() const { return at_; }
            Iterator& operator++()
            {
                at_ = of_.next(at_ + 1);
                return *this;
            }
            bool operator!=(const Iterator& other) const { return at_ != other.at_; }

        private:
            const Meant& of_;
            unsigned at_;
        };

        Meant(const Roster& roster, Selection whom) : roster_(roster), whom_(whom) { }
        Iterator begin() const { return {*this, 0}; }
        Iterator end() const { return {*this, roster_.on_nodes()}; }

    private:
        unsigned next(unsigned from) const
        {
            while (from < roster_.on_nodes() && !roster_.is_meant(from, whom_))
                ++from;
            return from;
        }

        const Roster& roster_;
        const Selection whom_;
    };
    Meant meant(Selection whom) const { return {*this, whom}; }

private:
    struct Row {
        int pid = -1;            // that it was given; -1: none but its number
        bool is_lasting = false; // a program has begun there
    };

    unsigned on_nodes() const { return layout_.nodes * layout_.pids; }
    bool is_meant(unsigned endpoint, Selection whom) const
    {
        return (whom.node == -1 || node_of(endpoint) == whom.node) &&
               (whom.pid == -1 || pid_of(endpoint) == whom.pid);
    }
    Result<unsigned> row_of(int pid) const REQUIRES(lock_);
    bool is_free(unsigned row) const REQUIRES(lock_);
    bool has_pid(unsigned row, int pid) const REQUIRES(lock_);
    bool is_of_other_row(unsigned row, int pid) const REQUIRES(lock_);
    bool remove(unsigned endpoint, unsigned killer, bool successor_receives) REQUIRES(lock_);
    void take_back(unsigned endpoint, unsigned owner) REQUIRES(lock_);
    void tell_waiters(unsigned endpoint) REQUIRES(lock_);
    bool is_awaited(unsigned endpoint, WaitForEnds::For what) const REQUIRES(lock_);
    bool is_over(unsigned waiter, const WaitForEnds& wait) const REQUIRES(lock_);
    std::optional<unsigned> first_ended(unsigned waiter, Selection whom) const REQUIRES(lock_);
    Ended collect(unsigned endpoint) REQUIRES(lock_);

    const messaging::Layout layout_;
    const std::span<ProgramEntry> entries_;
    SpinLock lock_;
    Row rows_[PARLEY_MAX_PIDS] GUARDED_BY(lock_);
    unsigned running_ GUARDED_BY(lock_) = 0;   // programs
    unsigned unstarted_ GUARDED_BY(lock_) = 0; // entries that are loading, placed or returning
    unsigned waiting_ GUARDED_BY(lock_) = 0;   // mostly nobody, and then an end looks at nobody
};

} // namespace parley::jobs
