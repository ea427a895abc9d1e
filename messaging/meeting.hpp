// SPDX-License-Identifier: MIT
// Where the processes of one row (directory.hpp) meet: each brings some bytes, and when all have come, all
// may read them. A meeting lies with the first of the row's processes on this machine, and who has come is
// forgotten when what was sent to that process is. What each brings lies with itself. The row's processes of
// one machine call this; where they meet those of other machines (joint_meeting.hpp), the machine's delivery
// process ends the meeting.
#pragma once

#include "assertion.hpp"
#include "base/atomic.hpp"
#include "interface/library_messages.h"
#include "interface/limits.h"

#include <cstddef>
#include <cstdint>

namespace parley::messaging {

// What one process brings to its meetings: two parts, which it uses in turn. It fills a part before it comes.
// All others may read it from the end of that meeting until they come to the next one: so when the process
// fills the same part again, two meetings later, nobody reads it any more.
class Brought {
public:
    struct alignas(64) Part {
        // The meeting and the call that it was filled for; a look at it orders nothing.
        Atomic<std::uint32_t> filled_for{0};
        std::uint32_t length = 0;
        std::byte bytes[PARLEY_MEETING_BYTES];
    };

    Part& of(std::uint32_t meeting) { return parts_[meeting % 2]; }
    const Part& of(std::uint32_t meeting) const { return parts_[meeting % 2]; }

    // The owner is about to come; the part has been filled.
    void note(std::uint32_t meeting, unsigned call)
    {
        of(meeting).filled_for.store(mark(meeting, call), std::memory_order_relaxed);
    }
    // Whether the owner has been seen to come to the meeting. For reports.
    bool has_come(std::uint32_t meeting, unsigned call) const
    {
        return of(meeting).filled_for.load(std::memory_order_relaxed) == mark(meeting, call);
    }

private:
    // Not 0, which is nobody's.
    static std::uint32_t mark(std::uint32_t meeting, unsigned call) { return meeting << 8 | (call + 1); }

    Part parts_[2];
};

class Meeting {
public:
    static constexpr unsigned calls = parley_library_call_count;
    static_assert(calls < 0xff, "a part's mark has room for the call");

    // How many meetings are over, which is the number of the next. A member reads it before it comes: then it
    // can only change with this member's coming. Acquire pairs with end().
    std::uint32_t over() const { return over_.load(std::memory_order_acquire); }

    // Each of `members` calls this once, for the same library call, and comes to the next meeting only when
    // this one is over. True for the last alone, which then sees what all others did before they came, and
    // calls end() or hands the meeting over to whoever does.
    bool come(unsigned call, unsigned members)
    {
        // Release and acquire pair with those of the others, each of which adds to the same word.
        const std::uint32_t before = come_[call].fetch_add(1, std::memory_order_acq_rel);
        assert_that([&] { return before < members; });
        if (before + 1 < members)
            return false;
        // All others see it, since they come again only after end().
        come_[call].store(0, std::memory_order_relaxed);
        return true;
    }
    // Called by the last to come, or by whoever that one has handed the meeting over to: it is over. Whoever
    // sees that sees what all did before they came.
    void end() { over_.store(over_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }

    // Makes it so that nobody has come. Release pairs with come(): who comes after the owner's end sees that
    // it has ended.
    void forget()
    {
        for (Atomic<std::uint32_t>& come : come_)
            come.store(0, std::memory_order_release);
    }

private:
    Atomic<std::uint32_t> over_{0};
    Atomic<std::uint32_t> come_[calls]{};
};

// What one process has for meetings, in cache lines that nothing else uses: the meeting of its row, if it is
// the row's first on this machine, and what it brings itself.
struct alignas(64) Meetings {
    Meeting of_row;
    Brought brought;
};

} // namespace parley::messaging
