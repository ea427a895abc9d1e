// SPDX-License-Identifier: MIT
// A meeting of processes that live on several machines. Those of one machine come to a meeting of their own
// (meeting.hpp), which lies with the first of them. Who comes last does not end it, but hands it over to the
// machine's delivery process, which ends it when it has what all machines' processes have brought. A job has
// one of these, so its nodes have one process each.
#pragma once

#include "base/atomic.hpp"
#include "interface/limits.h"

#include <cstddef>
#include <cstdint>

namespace parley::messaging {

class JointMeeting {
public:
    // What all have brought, one after the other in the order of nodes.
    struct alignas(64) Whole {
        std::uint32_t length = 0;
        bool is_too_long = false; // for `bytes`, which then have nothing
        std::byte bytes[PARLEY_MEETINGS_BYTES];
    };
    // A meeting to which all processes of this machine have come.
    struct HandedOver {
        std::uint32_t meeting;
        unsigned call;
    };

    // `first`: the first of the nodes that live here, of which there are `here`.
    JointMeeting(unsigned first, unsigned here) : first_(first), here_(here) { }

    unsigned first() const { return first_; }
    unsigned here() const { return here_; }

    // The last process of this machine has come, and signals the delivery process afterwards. Release pairs
    // with last().
    void hand_over(const HandedOver& over)
    {
        last_.store(std::uint64_t{over.meeting} << 32 | (over.call + 1), std::memory_order_release);
    }
    // The delivery process asks for the meeting that was handed over last. False: none ever was.
    bool last(HandedOver& over) const
    {
        const std::uint64_t last = last_.load(std::memory_order_acquire);
        over = {static_cast<std::uint32_t>(last >> 32), static_cast<std::uint32_t>(last) - 1};
        return last != 0;
    }

    // The delivery process fills it before it ends the meeting. The others read it then, before they come to
    // the next: so when it is filled again, nobody reads it.
    Whole& whole() { return whole_; }
    const Whole& whole() const { return whole_; }

private:
    const unsigned first_, here_;
    Atomic<std::uint64_t> last_{0}; // the meeting, and the call and 1; 0: none
    Whole whole_;
};

} // namespace parley::messaging
