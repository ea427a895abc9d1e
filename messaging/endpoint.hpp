// SPDX-License-Identifier: MIT
// Everything the system keeps for one process of a job. `lock` guards taking from the port and the three
// lists; a sender holds it only to drain a full port or to clear that of an ended process.
#pragma once

#include "messaging/message_list.hpp"
#include "messaging/message_pool.hpp"
#include "messaging/port.hpp"
#include "messaging/request_table.hpp"
#include "messaging/wait_record.hpp"

namespace parley::messaging {

// Whether the end of a watched request interrupts the process (watching.hpp).
enum class WatchState : std::uint32_t { off, armed, due };

template <class P = Port>
struct Endpoint {
    WaitRecord* record;
    P* port;
    std::uint16_t index;
    std::uint16_t reserved = 0;
    std::int32_t node;
    std::int32_t pid;
    Atomic<std::uint32_t> drained{0};     // the event's sequence when the port was last seen empty
    Atomic<std::uint32_t> has_matched{0}; // the matched list is not empty: a hint for the owner
    Atomic<std::uint32_t> wants_budget{0};
    Atomic<WatchState> watch{WatchState::off};

    alignas(64) Lock lock;
    MessageList unexpected; // messages nobody has asked for yet, in the order of arrival
    RequestList posted;     // receives without a message
    RequestList matched;    // receives whose message the owner has still to accept

    Request blocking; // the delivery that a synchronous csend waits for
    Request lent;     // deliveries of buffers lent by csend
    MessagePool pool;
    RequestTable requests;

    Event& event() { return record->event; }
    EndpointState state() const { return record->state.load(std::memory_order_acquire); }
};

} // namespace parley::messaging
