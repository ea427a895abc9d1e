// SPDX-License-Identifier: MIT
// The short ways of one process's calls, as wide as they can be. When a job's system is made each factor is
// asked once to narrow them (bind()); none widens what another has narrowed. What does not fit a short way
// goes the full way, where the factors are asked as objects.
#pragma once

#include "messaging/message_system.hpp"

#include <cstdint>
#include <limits>

namespace parley::messaging {

struct Binding {
    static constexpr std::uint64_t too_long = Envelope::longest + 1; // lengths below 0 are long ones here

    // csend, and the same that waits for the delivery of its message.
    SendEntry send;
    SendEntry send_awaited;

    // Messages to process 0 of the nodes below this go straight into its port: all, or none.
    std::uint64_t eager_nodes = std::numeric_limits<std::uint64_t>::max();
    // A receive with a maximum from this on is checked first; those that no message can have always are. The
    // same of receives of blocks.
    std::uint64_t checked_from = too_long;
    std::uint64_t checked_blocks_from = too_long;
    // How often a receive looks for what may come at once before it waits.
    unsigned spin_limit = std::numeric_limits<unsigned>::max();
    // What comes by the short way may be all that there is of a message (Port::put_copy).
    bool copies = false;
    // A crecv that waits is posted like an irecv, so that senders see it.
    bool posts_receives = false;

    // How factors narrow; each only takes away what another has left.
    void check_receives_from(std::uint64_t maximum)
    {
        checked_from = maximum < checked_from ? maximum : checked_from;
    }
    void check_blocks_from(std::uint64_t maximum)
    {
        checked_blocks_from = maximum < checked_blocks_from ? maximum : checked_blocks_from;
    }
    void limit_spin(unsigned looks) { spin_limit = looks < spin_limit ? looks : spin_limit; }
    void send_nothing_eagerly() { eager_nodes = 0; }
    void post_receives() { posts_receives = true; }
    void await_deliveries() { send = send_awaited; }
};

} // namespace parley::messaging
