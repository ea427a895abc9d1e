// SPDX-License-Identifier: MIT
// What a program's threads spend their time on, as the event monitor of Cedar's loops told it: each thread
// writes down, in the trace of its run, what it does from now on, and how its time adds up is written down
// when the program ends, with what it takes to write one down. Where nobody watches, each place that is
// watched is a look at a word.
#pragma once

#include "base/trace_buffer.hpp"
#include "userlib/loops/latest_notes.hpp"

#include <algorithm>

namespace parley::loops {

// The events of interface/trace.h that begin a part of a thread's time.
enum class ThreadActivity : std::uint8_t {
    serial = static_cast<std::uint8_t>(TraceEvent::serial_),
    set_up,
    pick_up,
    iterations,
    barrier,
    turn_wait,
    work_wait,
};

// The kind of Cedar's loop that an activity belongs to; the numbers are those of interface/trace.h.
enum class LoopPart : std::uint8_t {
    other,
    sdoall,
    cdoall_within,
    one_cluster,
    xdoall,
    xdoall_within,
};

class Watch {
public:
    // Whether anybody watches: from before the program begins, or never.
    static bool is_on() { return on_; }

    // The calling thread is the program's first, and what all threads do is written there from now on, as of
    // the endpoint's process. `bytes` are the buffer with its records.
    static void begin(TraceBuffer& buffer, std::size_t bytes, unsigned endpoint);
    // The program ends: sums are written down, if need be over the last records. Once.
    static void end();
    // Sums, of all threads, are of what is done from now on.
    static void begin_again();

    // Only where it is on, for the calling thread: its numbers in the outermost team and in the team within
    // that, and its home (clusters.hpp), before all else that it does;
    static void call_thread(unsigned outer, unsigned inner, int home);
    // what it does from now on, with so many iterations;
    static void note(ThreadActivity activity, std::uint64_t count = 0)
    {
        const std::uint64_t counted = std::min(count, Note::most_counted);
        note_word(static_cast<std::uint64_t>(activity) | counted << Note::count_at);
    }
    // what it does;
    static ThreadActivity activity();
    // of which loop is what it notes from now on, and which that is.
    static void enter(LoopPart part);
    static LoopPart part();

private:
    static void note_word(std::uint64_t what); // all of a note but for which loop

    static bool on_;
};

// Does `what` as that activity, with so many iterations; behind it the thread goes on with iterations.
template <class What>
auto during(ThreadActivity activity, std::uint64_t count, What what)
{
    struct After {
        ~After() { Watch::note(ThreadActivity::iterations); }
    };
    Watch::note(activity, count);
    const After after;
    return what();
}

} // namespace parley::loops
