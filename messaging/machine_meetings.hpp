// SPDX-License-Identifier: MIT
// The meetings of one machine's processes with those of other machines (joint_meeting.hpp), as the network
// sees them. Only the machine's delivery process calls this.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace parley::messaging {

class MachineMeetings {
public:
    struct Come {
        unsigned call;     // the library call (library_messages.h) that is met for
        std::size_t bytes; // that the processes have brought
    };

    // Answers a meeting to which all processes of this machine have come, once, and copies what they have
    // brought, one after the other in the order of nodes; unless it is more than there is room for.
    virtual std::optional<Come> next(std::span<std::byte> room) = 0;
    // What all machines' processes have brought has come: the meeting is over. None: it is longer than
    // PARLEY_MEETINGS_BYTES.
    virtual void end(std::optional<std::span<const std::byte>> whole) = 0;

protected:
    ~MachineMeetings() = default;
};

} // namespace parley::messaging
