// SPDX-License-Identifier: MIT
// Everything the system keeps for one process of a job. `lock` guards taking from the port and the three
// lists; a sender holds it only to drain a full port or to clear that of an ended process.
#pragma once

#include "messaging/attention.hpp"
#include "messaging/message_list.hpp"
#include "messaging/message_pool.hpp"
#include "messaging/message_system.hpp"
#include "messaging/port.hpp"
#include "messaging/request_table.hpp"
#include "messaging/wait_record.hpp"

namespace parley::messaging {

template <class F>
class BasicMessageSystem;

template <class F>
struct BasicEndpoint final : Endpoint {
    // Read by all, seldom written.
    BasicMessageSystem<F>* system;
    typename F::Port* port;
    Envelope stamp; // of all that it sends
    Attention attention;
    std::uint8_t index;
    bool marks_waiters; // of its lock: as the Synchronization says
    WaitRecord* record;
    BasicEndpoint* hop; // where senders put what is meant for this endpoint: it, or a carrier

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
    EndpointState state() const { return attention.state(); }
    void set_state(EndpointState state)
    {
        record->state.store(state, std::memory_order_release);
        attention.set_state(state);
    }
    // What its process is known as from now on.
    void set_name(std::int32_t node, std::int32_t pid)
    {
        record->node = node;
        record->pid = pid;
        stamp = Envelope({node, pid}, index);
    }

    // Endpoint. What can be bound is inlined: with static dispatch, the port too.
    [[gnu::flatten]] long send(const SendArguments& arguments) override
    {
        return system->send_from(*this, arguments);
    }
    [[gnu::flatten]] long receive(const ReceiveArguments& arguments, Received& found) override
    {
        return system->receive_at(*this, arguments, found);
    }
    [[gnu::flatten]] long receive_block(const ReceiveArguments& arguments, Received& found) override
    {
        return system->receive_block_at(*this, arguments, found);
    }
};

} // namespace parley::messaging
