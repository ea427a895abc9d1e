// SPDX-License-Identifier: MIT
// Everything the system keeps for one process of a job. `lock` guards taking from the port and the three
// lists; a sender holds it only to drain a full port or to clear that of an ended process.
#pragma once

#include "messaging/attention.hpp"
#include "messaging/message_list.hpp"
#include "messaging/message_pool.hpp"
#include "messaging/message_system.hpp"
#include "messaging/ordinary.hpp"
#include "messaging/port.hpp"
#include "messaging/request_table.hpp"
#include "messaging/wait_record.hpp"

namespace parley::messaging {

template <class F>
class BasicMessageSystem;

template <class F>
struct BasicEndpoint final : Endpoint {
    // Read by all, seldom written; what calls leave behind is on another cache line.
    alignas(64) BasicMessageSystem<F>* system;
    BasicEndpoint* first; // the endpoint of node 0
    typename F::Port* port;
    Envelope stamp;             // of all that it sends
    std::uint64_t plain_sender; // the same in the sender's word of a plain message
    Attention attention;
    std::uint16_t index;
    bool marks_waiters;     // of its lock: as the Synchronization says
    std::uint32_t own_lock; // what its process writes there: Lock::by_owner, or 1 where waiters are marked
    Ordinary ordinary;
    WaitRecord* record;
    BasicEndpoint* hop; // where senders put what is meant for this endpoint: it, or a carrier

    // Written all the time, above all by the owner.
    alignas(64) Lock lock;
    Party party;                          // its process, when it takes locks
    Atomic<std::uint32_t> drained{0};     // the event's sequence when the port was last seen empty
    Atomic<std::uint32_t> has_matched{0}; // the matched list is not empty: a hint for the owner
    MessageList unexpected;               // messages nobody has asked for yet, in the order of arrival
    RequestList posted;                   // receives without a message
    RequestList matched;                  // receives whose message the owner has still to accept
    RequestList granted;                  // receives whose bytes the sender is bringing

    Request blocking;  // the deliveries that a synchronous csend to several waits for
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
        plain_sender = stamp.sender() | ordinary.plain;
    }

    // Its calls. What can be bound is inlined: with static dispatch, the port too.
    [[gnu::flatten]] static long send(Endpoint& self, long type, UserAddress buffer, long length, long node,
                                      std::uint64_t to)
    {
        return BasicMessageSystem<F>::template send_from<false>(static_cast<BasicEndpoint&>(self), type,
                                                                buffer, length, node, to);
    }
    // Where csend waits for the delivery and nothing else is to be done.
    [[gnu::flatten]] static long send_awaited(Endpoint& self, long type, UserAddress buffer, long length,
                                              long node, std::uint64_t to)
    {
        return BasicMessageSystem<F>::template send_from<true>(static_cast<BasicEndpoint&>(self), type,
                                                               buffer, length, node, to);
    }
    [[gnu::flatten]] static Found receive(Endpoint& self, const ReceiveArguments& arguments)
    {
        return BasicMessageSystem<F>::receive_at(static_cast<BasicEndpoint&>(self), arguments);
    }
    [[gnu::flatten]] static Found receive_block(Endpoint& self, const ReceiveArguments& arguments)
    {
        return BasicMessageSystem<F>::receive_block_at(static_cast<BasicEndpoint&>(self), arguments);
    }
};

} // namespace parley::messaging
