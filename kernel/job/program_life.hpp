// SPDX-License-Identifier: MIT
// Whether a place of a job runs a program, from load() to the program's end, and what a kill by its own job
// means at each moment. A kill meets one program: the one that runs, never the one before it in the same
// place or the one after it.
#pragma once

#include "base/atomic.hpp"
#include "messaging/state.hpp"
#include "sched/pending_work.hpp"

namespace parley::kernel {

// It runs no program, not yet or no more; it has one that may not start yet; it runs one; that has ended, and
// nobody has waited for its end.
enum class Standing : std::uint8_t { empty, placed, running, ended };

constexpr bool may_follow(Standing from, Standing to)
{
    switch (from) {
    case Standing::empty: return to == Standing::placed || to == Standing::running; // running: claimed first
    case Standing::placed: return to == Standing::empty;
    case Standing::running: return to == Standing::ended || to == Standing::empty;
    case Standing::ended: return to == Standing::empty;
    }
    return false;
}

// All transitions but place() and claim() are made under the lock of the job's Cube; anybody may look.
class ProgramLife {
public:
    Standing standing() const { return standing_.load(std::memory_order_acquire); }
    bool runs() const { return standing() == Standing::running; }
    // The word to sleep on until it runs.
    const Atomic<Standing>& word() const { return standing_.word(); }

    // load() has made a program; the place was empty. By who holds the cube's turn of loading.
    void place() { standing_.move(Standing::placed, std::memory_order_release); }
    // True for the one caller who must then begin() what was placed.
    bool claim() { return standing_.move_from(Standing::placed, Standing::empty); }
    // Its program may start.
    void begin() { standing_.move(Standing::running, std::memory_order_release); }
    // Its end has been waited for. False: there was none to wait for.
    bool collect() { return standing_.move_from(Standing::ended, Standing::empty); }

    // The program is to end by its own job's wish: no failure, and no end to wait for. What waits for it may
    // stay for its successor. True: it runs, and the caller stops it before it gives the lock away.
    bool remove(bool successor_receives)
    {
        (void)collect();
        if (!runs())
            return false;
        successor_receives_.store(successor_receives, std::memory_order_relaxed);
        removed_.store(true, std::memory_order_relaxed);
        return true;
    }
    bool removed() const { return removed_.load(std::memory_order_relaxed); }
    bool successor_receives() const { return successor_receives_.load(std::memory_order_relaxed); }

    // The program has ended. Its kill ends with it, in the same step that says so: a kill that comes later
    // finds no program, or the next one. Only a job that ends as a whole kills the place itself.
    void leave(int status, sched::PendingWork& pending_work, const Atomic<bool>& job_ends)
    {
        const bool was_removed = removed();
        removed_.store(false, std::memory_order_relaxed);
        if (was_removed) {
            pending_work.set_killed(false);
            // Pairs with Job::end(), which says that it ends and kills then: either we see it here, or our
            // process is killed again.
            if (job_ends.load(std::memory_order_seq_cst))
                pending_work.set_killed(true);
        }
        exit_status_ = status;
        standing_.move(was_removed ? Standing::empty : Standing::ended, std::memory_order_release);
    }
    // Of the program that has ended; under the lock, or where no program begins any more.
    int exit_status() const { return exit_status_; }

private:
    messaging::State<Standing> standing_{Standing::empty};
    Atomic<bool> removed_{false};
    Atomic<bool> successor_receives_{false};
    int exit_status_ = 0;
};

} // namespace parley::kernel
