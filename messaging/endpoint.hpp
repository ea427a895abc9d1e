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
struct Endpoint : ProcessName {
    // Read by all, seldom written.
    WaitRecord* record;
    P* port;
    Endpoint* hop; // where senders put what is meant for this endpoint: it, or a carrier
    std::uint8_t index;
    Atomic<WatchState> watch{WatchState::off};
    Atomic<std::uint32_t> wants_budget{0};
    Atomic<EndpointState> own_state{EndpointState::live}; // as the record's, which is another cache line

    // Written all the time, above all by the owner.
    alignas(64) Lock lock;
    Atomic<std::uint32_t> drained{0};     // the event's sequence when the port was last seen empty
    Atomic<std::uint32_t> has_matched{0}; // the matched list is not empty: a hint for the owner
    MessageList unexpected;               // messages nobody has asked for yet, in the order of arrival
    RequestList posted;                   // receives without a message
    RequestList matched;                  // receives whose message the owner has still to accept
    RequestList granted;                  // receives whose bytes the sender is bringing

    Request blocking;  // the delivery that a synchronous csend waits for
    Request receiving; // where the Transfer negotiates: the crecv that waits, as senders see it
    Request lent;      // deliveries of buffers lent by csend
    MessagePool pool;
    RequestTable requests;

    Event& event() { return record->event; }
    EndpointState state() const { return own_state.load(std::memory_order_acquire); }
    void set_state(EndpointState state)
    {
        record->state.store(state, std::memory_order_release);
        own_state.store(state, std::memory_order_release);
    }
};

} // namespace parley::messaging
