// SPDX-License-Identifier: MIT
// The short ways of one process's calls, as wide as they can be. When a job's system is made each factor is
// asked once to narrow them (bind()); none widens what another has narrowed. What does not fit a short way
// goes the full way, where the factors are asked as objects.
#pragma once

#include "messaging/message/message.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace parley::messaging {

struct Binding {
    static constexpr std::uint64_t too_long = Envelope::longest + 1; // lengths below 0 are long ones here

    // `room`: bytes in an entry of the ports (Port::room()). No more of it is used than a message's memory
    // has, in which a taker keeps what a port has carried.
    explicit Binding(std::uint32_t room)
        : room(std::min(room, std::uint32_t{sizeof(Message::space)})), carried_below(room == 0 ? 0 : 1)
    {
    }

    // Messages to process 0 of the nodes below this go straight into its port: all, or none.
    std::uint64_t eager_nodes = std::numeric_limits<std::uint64_t>::max();
    // A csend waits until its message has been delivered.
    bool awaits = false;
    // Bytes in an entry of the ports; and which messages need no memory: those that go straight into a port
    // and are shorter than carried_below, because the port has room for all that there is of them.
    std::uint32_t room;
    std::uint64_t carried_below;
    // A longer message needs no memory either: the port carries the address of its bytes (Message::data).
    bool carries_references = false;
    // A receive whose maximum is this or more is checked first; a maximum that no message can have always is.
    // The second word says the same of receives of blocks.
    std::uint64_t checked_from = too_long;
    std::uint64_t checked_blocks_from = too_long;
    // How often a receive looks for what may come at once before it waits.
    unsigned spin_limit = std::numeric_limits<unsigned>::max();
    // A crecv that waits is posted like an irecv, so that senders see it.
    bool posts_receives = false;
    // A call that looks for messages takes so many nanoseconds longer.
    std::uint64_t look = 0;
    // Programs may send and receive by NX/2.
    bool serves_programs = true;

    // By these factors narrow the short ways; each only takes away what another has left.
    void check_receives_from(std::uint64_t maximum)
    {
        checked_from = maximum < checked_from ? maximum : checked_from;
    }
    void check_blocks_from(std::uint64_t maximum)
    {
        checked_blocks_from = maximum < checked_blocks_from ? maximum : checked_blocks_from;
    }
    void limit_spin(unsigned looks) { spin_limit = looks < spin_limit ? looks : spin_limit; }
    // Every message needs memory: somebody else than its receiver takes it from a port.
    void send_nothing_eagerly()
    {
        eager_nodes = 0;
        room = 0;
        carried_below = 0;
        carries_references = false;
    }
    void post_receives() { posts_receives = true; }
    void await_deliveries() { awaits = true; }
    void price_looks(std::uint64_t nanoseconds) { look = nanoseconds; }

    // By these a Transfer lets a port carry messages: the program's bytes as they are, up to `longest`; and
    // for longer messages what Transfer::offer() has left in Message::data.
    void carry_bytes(std::uint32_t longest)
    {
        if (room != 0)
            carried_below = std::min(longest, room) + std::uint64_t{1};
    }
    void carry_references() { carries_references = room >= sizeof(std::byte*); }
};

} // namespace parley::messaging
