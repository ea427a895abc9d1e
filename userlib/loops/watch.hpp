// SPDX-License-Identifier: MIT
// What a program's threads spend their time on, as the event monitor of Cedar's loops told it. Each thread
// writes down, in the trace of its run, what it does; when the program ends, the sums of its times are
// written down, and what one note costs. Where nobody watches, each point that could be watched costs a look
// at a word.
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

// What a thread needs that notes what it does. All calls are the thread's own.
class NotingThread {
public:
    // From now on the thread does this, with so many iterations.
    void note(ThreadActivity activity, std::uint64_t count = 0)
    {
        const std::uint64_t counted = std::min(count, Note::most_counted);
        const std::uint64_t what = static_cast<std::uint64_t>(activity) | counted << Note::count_at | part_;
        if (notes_.add(__builtin_ia32_rdtsc(), what)) [[unlikely]]
            hand_over();
    }
    // What the thread does now.
    ThreadActivity activity() const
    {
        const unsigned event = notes_.latest().event();
        return event == 0 ? ThreadActivity::serial : static_cast<ThreadActivity>(event);
    }
    // What the thread notes from now on belongs to this kind of loop; and which kind that is.
    void enter(LoopPart part) { part_ = static_cast<std::uint64_t>(part) << Note::part_at; }
    LoopPart part() const { return static_cast<LoopPart>(part_ >> Note::part_at); }
    // Notes the thread's numbers in the outermost team and in the team within that.
    void call(unsigned outer, unsigned inner);

protected:
    explicit NotingThread(unsigned room) : notes_(room) { }
    ~NotingThread() = default;

    void hand_over();

    std::uint64_t part_ = 0; // as a note has it
    LatestNotes notes_;
};

class Watch {
public:
    // The calling thread is the program's first, and what all threads do from now on is written there, as of
    // the endpoint's process. `bytes` are the buffer with its records. Without this call nobody watches.
    static void begin(TraceBuffer& buffer, std::size_t bytes, unsigned endpoint);
    // The program ends: sums are written down, if need be over the last records. Once.
    static void end();
    // From now on the sums of all threads begin anew.
    static void begin_again();

    // The calling thread, whose notes lie in its home (clusters.hpp) from the first call on. Null: nobody
    // watches, or there is no memory, and nothing is told of this thread.
    static NotingThread* this_thread(int home);
};

// The thread does `what` as that activity, with so many iterations; behind it it goes on with iterations.
template <class What>
void during(NotingThread& thread, ThreadActivity activity, std::uint64_t count, What what)
{
    thread.note(activity, count);
    what();
    thread.note(ThreadActivity::iterations);
}

} // namespace parley::loops
