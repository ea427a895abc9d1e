// SPDX-License-Identifier: MIT
// Behaviours of isend, irecv, msgdone, msgwait, msgcancel, iprobe and cprobe.
#pragma once

#include "messaging/behaviours/test_messages.hpp"

namespace parley::behaviours {

// Waits as old programs do: it asks msgdone until the request is done.
inline Answer poll(TestProcess& peer, long id)
{
    Answer answer;
    do
        answer = peer.done(id);
    while (answer.value == 0);
    return answer;
}

inline void posted_receives_fill_in_order(TestProcess& peer)
{
    constexpr int count = 20;
    if (peer.node() == 0) {
        for (int index = 0; index < count; ++index)
            send_test_message(peer, index, 10 + index, 1);
    }
    if (peer.node() != 1)
        return;
    void* blocks[count];
    long ids[count];
    for (int index = 0; index < count; ++index) {
        blocks[index] = peer.allocate(64);
        ids[index] = peer.start_receive(-1, blocks[index], 64).value;
        peer.expect(ids[index] > 0, "irecv returns an id");
    }
    for (int index = count - 1; index >= 0; --index) {
        const Answer answer = peer.wait(ids[index]);
        peer.expect(answer.type == index && answer.value == 10 + index,
                    "receives are filled in the order of posting");
        peer.expect(holds_pattern(blocks[index], index, 10 + index),
                    "each receive has the bytes of its message");
        peer.expect(peer.release(blocks[index]).good(), "the receiver owns its block");
    }
}

inline void a_posted_receive_comes_first(TestProcess& peer)
{
    if (peer.node() == 0) {
        take_test_message(peer, 100, 0); // wait until the receive is posted
        send_test_message(peer, 1, 30, 1);
        send_test_message(peer, 2, 30, 1);
    }
    if (peer.node() != 1)
        return;
    void* const block = peer.allocate(64);
    const long id = peer.start_receive(-1, block, 64).value;
    send_test_message(peer, 100, 0, 0);
    peer.expect(take_test_message(peer, -1, 64).type == 2, "a later crecv gets the second message");
    const Answer answer = peer.wait(id);
    peer.expect(answer.type == 1 && holds_pattern(block, 1, 30), "the posted receive has the first");
    peer.expect(peer.release(block).good(), "the receiver owns its block");
}

inline void an_exchange_with_posted_receives_ends(TestProcess& peer)
{
    const long other = 1 - peer.node();
    if (peer.node() > 1)
        return;
    for (long turn = 0; turn < 20; ++turn) {
        void* const block = peer.allocate(2000);
        const long id = peer.start_receive(turn, block, 2000).value;
        send_test_message(peer, turn, 2000, other);
        peer.expect(peer.wait(id).value == 2000 && holds_pattern(block, turn, 2000),
                    "both get the other's message");
        peer.expect(peer.release(block).good(), "the receiver owns its block");
    }
}

inline void isend_to_oneself_ends(TestProcess& peer)
{
    constexpr long most = 20000; // longer than what any Transfer takes as a short message
    for (const long length : {0L, 20L, 3000L, most}) {
        wait_for(peer, start_test_message(peer, 9, length, peer.node()));
        const Answer answer = take_test_message(peer, 9, most);
        peer.expect(answer.length == length && answer.node == peer.node(),
                    "what is sent to oneself is received");
    }
}

inline void ids_end_quietly(TestProcess& peer)
{
    if (peer.node() == 0) {
        const long id = start_test_message(peer, 3, 40, 1);
        peer.expect(poll(peer, id).value == 1, "msgdone says 1 at last");
        peer.expect(peer.wait(id).good(), "msgwait on an id just done returns quietly");
        return;
    }
    if (peer.node() == 1)
        peer.expect(take_test_message(peer, 3, 40).length == 40, "the message arrives");
}

inline void ids_come_again(TestProcess& peer)
{
    if (peer.node() > 1)
        return;
    long first = 0;
    for (int turn = 0; turn < 3000; ++turn) {
        if (peer.node() == 1) {
            take_test_message(peer, 8, 0);
            continue;
        }
        const long id = peer.start_send(8, nullptr, 0, 1).value;
        peer.expect(id > 0 && peer.wait(id).good(), "there is an id for each isend if all are waited for");
        first = turn == 0 ? id : first;
    }
    if (peer.node() == 0)
        peer.expect(peer.wait(first).value == -8,
                    "an id that has ended is refused, and not taken for a new one");
}

inline void a_cancelled_receive_takes_nothing(TestProcess& peer)
{
    if (peer.node() == 0) {
        take_test_message(peer, 100, 0);
        send_test_message(peer, 1, 12, 1);
    }
    if (peer.node() != 1)
        return;
    void* const block = peer.allocate(64);
    const long id = peer.start_receive(1, block, 64).value;
    peer.expect(peer.cancel(id).good(), "a posted receive can be cancelled");
    send_test_message(peer, 100, 0, 0);
    peer.expect(take_test_message(peer, 1, 64).length == 12, "the message goes to the next receive");
    peer.expect(peer.release(block).good(), "the receiver owns its block");
}

inline void a_short_posted_receive_fails_alone(TestProcess& peer)
{
    if (peer.node() == 0) {
        take_test_message(peer, 100, 0);
        send_test_message(peer, 1, 50, 1);
    }
    if (peer.node() != 1)
        return;
    void* const block = peer.allocate(64);
    const long id = peer.start_receive(1, block, 20).value;
    send_test_message(peer, 100, 0, 0);
    peer.expect(peer.wait(id).value == -4, "msgwait reports the message that is too long");
    peer.expect(take_test_message(peer, 1, 64).length == 50,
                "the message that was too long can still be received");
    peer.expect(peer.release(block).good(), "the receiver owns its block");
}

inline void probes_look_without_taking(TestProcess& peer)
{
    if (peer.node() == 0)
        send_test_message(peer, 13, 33, 1);
    if (peer.node() != 1)
        return;
    peer.expect(peer.probe(14, false).value == 0, "iprobe finds nothing of another type");
    const Answer seen = peer.probe(13, true);
    peer.expect(seen.value == 1 && seen.length == 33 && seen.node == 0, "cprobe tells length and sender");
    peer.expect(peer.probe(-1, false).value == 1, "a message that was probed is still there");
    peer.expect(take_test_message(peer, 13, 64).length == 33, "a message that was probed can be received");
    peer.expect(peer.probe(-1, false).value == 0, "a message that was received is no longer there");
}

inline void probes_pass_over_matched_messages(TestProcess& peer)
{
    if (peer.node() == 0) {
        take_test_message(peer, 100, 0);
        send_test_message(peer, 1, 12, 1);
        send_test_message(peer, 2, 0, 1);
    }
    if (peer.node() != 1)
        return;
    void* const block = peer.allocate(64);
    const long id = peer.start_receive(1, block, 64).value;
    send_test_message(peer, 100, 0, 0);
    peer.expect(take_test_message(peer, 2, 0).good(), "the message that was sent later has come");
    peer.expect(peer.probe(1, false).value == 0, "a message matched by a posted receive is not seen");
    peer.expect(peer.wait(id).value == 12, "the posted receive has the message that it was matched with");
    peer.expect(peer.release(block).good(), "the receiver owns its block");
}

inline constexpr Behaviour requests[] = {
    {"posted receives are filled in the order of posting", 2, with_plain_receives,
     posted_receives_fill_in_order},
    {"a posted receive comes before a later one", 2, with_plain_receives, a_posted_receive_comes_first},
    {"an exchange with posted receives ends", 2, with_plain_receives, an_exchange_with_posted_receives_ends},
    {"an isend to oneself has ended before its message is received", 2, always, isend_to_oneself_ends},
    {"msgwait on an id that has ended returns quietly", 2, always, ids_end_quietly},
    {"there is always an id to be had, and an old one is refused", 2, always, ids_come_again},
    {"a cancelled receive takes nothing", 2, with_plain_receives, a_cancelled_receive_takes_nothing},
    {"a posted receive that is too short fails alone", 2, with_plain_receives,
     a_short_posted_receive_fails_alone},
    {"probes look without taking", 2, always, probes_look_without_taking},
    {"probes pass over matched messages", 2, with_plain_receives, probes_pass_over_matched_messages},
};

} // namespace parley::behaviours
