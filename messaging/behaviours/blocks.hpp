// SPDX-License-Identifier: MIT
// Behaviours of blocks of the shared region: who owns them, and what designs that need them refuse.
#pragma once

#include "messaging/behaviours/test_messages.hpp"

namespace parley::behaviours {

inline bool when_blocks_change_owner(const Capabilities& capabilities)
{
    return capabilities.transfers_ownership;
}

inline bool when_blocks_stay_on_one_machine(const Capabilities& capabilities)
{
    return capabilities.transfers_ownership && !capabilities.several_machines;
}

inline bool when_buffers_must_be_shared(const Capabilities& capabilities)
{
    return capabilities.needs_shared_memory && !capabilities.one_domain;
}

inline void a_sent_block_is_gone(TestProcess& peer)
{
    if (peer.node() == 0) {
        void* const block = filled(peer, 1, 300);
        peer.expect(peer.send(1, block, 300, 1).good(), "a block can be sent");
        peer.expect(peer.send(1, block, 300, 1).value == -12, "a block that was sent cannot be sent again");
        peer.expect(peer.release(block).value == -12, "a block that was sent cannot be released");
    }
    if (peer.node() == 1)
        peer.expect(take_test_message(peer, 1, 300).length == 300, "the receiver has it");
}

inline void a_received_block_can_be_sent_on(TestProcess& peer)
{
    const int last = peer.nodes() - 1;
    if (peer.node() == 0)
        send_test_message(peer, 1, 300, 1);
    if (peer.node() == 0)
        return;
    const Answer answer = peer.receive_block(1, nullptr, 300);
    peer.expect(answer.good() && holds_pattern(answer.block, 1, 300), "the block arrives");
    const bool ends_here = peer.node() == last;
    const Answer passed =
        ends_here ? peer.release(answer.block) : peer.send(1, answer.block, 300, peer.node() + 1);
    peer.expect(passed.good(), "its receiver owns it");
}

inline void a_broadcast_block_belongs_to_its_readers(TestProcess& peer)
{
    if (peer.node() == 0) {
        send_test_message(peer, 1, 300, -1);
        return;
    }
    const Answer answer = peer.receive_block(1, nullptr, 300);
    peer.expect(answer.good() && holds_pattern(answer.block, 1, 300), "every reader sees the block");
    peer.expect(peer.send(1, answer.block, 300, 0).value == -12, "a reader cannot send it on");
    peer.expect(peer.release(answer.block).good(), "every reader releases it");
    peer.expect(peer.release(answer.block).value == -12, "a reader releases it only once");
}

inline void plain_receives_are_refused(TestProcess& peer)
{
    char buffer[16];
    peer.expect(peer.receive(-1, buffer, 16).value == -13, "crecv is refused");
    peer.expect(peer.start_receive(-1, buffer, 16).value == -13, "irecv is refused");
}

inline void unshared_buffers_are_refused(TestProcess& peer)
{
    char buffer[16] = {};
    peer.expect(peer.send(1, buffer, 16, peer.node()).value == -11, "csend from unshared memory is refused");
    peer.expect(peer.start_send(1, buffer, 16, peer.node()).value == -11,
                "isend from unshared memory is refused");
    if (!peer.capabilities().transfers_ownership)
        peer.expect(peer.receive(1, buffer, 16).value == -11, "crecv into unshared memory is refused");
}

inline constexpr Behaviour blocks[] = {
    {"a sent block is gone", 2, when_blocks_change_owner, a_sent_block_is_gone},
    {"a received block can be sent on", 4, when_blocks_change_owner, a_received_block_can_be_sent_on},
    {"a broadcast block belongs to its readers", 4, when_blocks_stay_on_one_machine,
     a_broadcast_block_belongs_to_its_readers},
    {"plain receives are refused where blocks are handed over", 2, when_blocks_change_owner,
     plain_receives_are_refused},
    {"unshared buffers are refused where shared ones are needed", 2, when_buffers_must_be_shared,
     unshared_buffers_are_refused},
};

} // namespace parley::behaviours
