// SPDX-License-Identifier: MIT
// Behaviours that every design has: what arrives, in which order, what a receive selects, whom a broadcast
// reaches, and which arguments are refused.
#pragma once

#include "messaging/behaviours/test_messages.hpp"

#include <initializer_list>

namespace parley::behaviours {

inline void messages_arrive_whole(TestProcess& peer)
{
    for (const long length : {0L, 1L, 8L, 100L, 104L, 105L, 1000L, 4096L, 65536L, 1L << 20}) {
        const long type = 5 + length % 1000;
        if (peer.node() == 0)
            send_test_message(peer, type, length, 1);
        if (peer.node() != 1)
            continue;
        const Answer answer = take_test_message(peer, -1, 1L << 20);
        peer.expect(answer.length == length && answer.type == type,
                    "length and type are those that were sent");
        peer.expect(answer.node == 0, "the sender is the one who sent it");
    }
}

inline void empty_messages_need_no_buffer(TestProcess& peer)
{
    if (peer.node() == 0)
        peer.expect(peer.send(7, nullptr, 0, 1).good(), "csend of nothing succeeds");
    if (peer.node() != 1)
        return;
    const Answer answer = peer.receive_block(7, nullptr, 0);
    peer.expect(answer.value == 0 && answer.type == 7, "a message without bytes arrives with its type");
}

inline void send_nothing(TestProcess& peer, long type, long to)
{
    if (peer.capabilities().synchronous)
        peer.expect(peer.start_send(type, nullptr, 0, to).good(), "isend of nothing succeeds");
    else
        peer.expect(peer.send(type, nullptr, 0, to).good(), "csend of nothing succeeds");
}

// A process's first message takes memory from the heap, and later ones go the short way.
inline void empty_messages_are_told_apart(TestProcess& peer)
{
    for (int round = 0; round < 2; ++round) {
        if (peer.node() == 0) {
            send_nothing(peer, 1, 1);
            send_nothing(peer, 2, 1);
        }
        if (peer.node() != 1)
            continue;
        peer.expect(peer.receive_block(2, nullptr, 0).type == 2, "the second message can be received first");
        peer.expect(peer.receive_block(-1, nullptr, 0).type == 1, "the first message follows");
    }
}

// It sends more messages than any port has entries.
inline void one_senders_messages_stay_in_order(TestProcess& peer)
{
    constexpr long count = 700;
    if (peer.node() == 0)
        for (long type = 0; type < count; ++type)
            send_test_message(peer, type, type % 150, 1);
    if (peer.node() != 1)
        return;
    for (long type = 0; type < count; ++type)
        peer.expect(take_test_message(peer, -1, 200).type == type,
                    "messages come in the order in which they were sent");
}

inline void selectors_take_only_their_type(TestProcess& peer)
{
    constexpr long types[] = {1, 2, 40, 3};
    if (peer.node() == 0) {
        long ids[4];
        for (int index = 0; index < 4; ++index)
            ids[index] = start_test_message(peer, types[index], 10 + index, 1);
        for (const long id : ids)
            wait_for(peer, id);
    }
    if (peer.node() != 1)
        return;
    peer.expect(take_test_message(peer, 3, 100).type == 3, "a type selects messages of that type");
    constexpr long two_only = 0x80000004L; // as old programs write it: an unsigned literal in a long
    peer.expect(take_test_message(peer, two_only, 100).type == 2, "a mask selects the types of its bits");
    constexpr long from_thirty_on = 0xc0000000L;
    peer.expect(take_test_message(peer, from_thirty_on, 100).type == 40,
                "bit 30 of a mask selects all types from 30 on");
    peer.expect(take_test_message(peer, -1, 100).type == 1, "-1 selects whatever is left");
}

inline void force_types_must_be_named(TestProcess& peer)
{
    constexpr long force = 0x40000000L + 5;
    if (peer.node() == 0) {
        const long first = start_test_message(peer, force, 8, 1);
        const long second = start_test_message(peer, 6, 8, 1);
        wait_for(peer, first);
        wait_for(peer, second);
    }
    if (peer.node() != 1)
        return;
    peer.expect(take_test_message(peer, -1, 8).type == 6, "-1 passes over a force type");
    peer.expect(take_test_message(peer, force, 8).type == force, "a receive of its own type takes it");
}

// Far more messages than a port holds lie before the one that is asked for.
inline void a_full_port_hides_nothing(TestProcess& peer)
{
    constexpr int count = 600;
    if (peer.node() == 0) {
        long ids[count + 1];
        for (int index = 0; index < count; ++index)
            ids[index] = start_test_message(peer, 1, 16, 1);
        ids[count] = start_test_message(peer, 2, 16, 1);
        for (const long id : ids)
            wait_for(peer, id);
    }
    if (peer.node() != 1)
        return;
    peer.expect(take_test_message(peer, 2, 16).type == 2, "the last message can be received first");
    for (int index = 0; index < count; ++index)
        peer.expect(take_test_message(peer, -1, 16).type == 1, "the other messages follow");
}

inline void broadcasts_reach_all_others(TestProcess& peer)
{
    for (int sender = 0; sender < peer.nodes(); ++sender)
        for (const long length : {0L, 50L, 5000L}) {
            if (peer.node() == sender) {
                send_test_message(peer, 30 + sender, length, -1);
                continue;
            }
            const Answer answer = take_test_message(peer, 30 + sender, 5000);
            peer.expect(answer.length == length && answer.node == sender,
                        "everyone but the sender receives it");
        }
}

// One node listens only to the last message; its port is full long before. A long broadcast goes before, of
// which nothing may be found in the short ones.
inline void broadcasts_pass_a_full_port(TestProcess& peer)
{
    constexpr int count = 150, types = 8, first = 38, last = 39, late = 2;
    constexpr long longest = 4000;
    const auto length_of = [](int index) { return index % 3 * 75L; };
    if (peer.capabilities().synchronous)
        return; // csend would wait for the node that is late
    if (peer.node() == 0) {
        send_test_message(peer, first, longest, -1);
        for (int index = 0; index < count; ++index)
            send_test_message(peer, 40 + index % types, length_of(index), -1);
        send_test_message(peer, last, 8, -1);
        return;
    }
    if (peer.node() == late)
        take_test_message(peer, last, 8);
    take_test_message(peer, first, longest);
    for (int index = 0; index < count; ++index) {
        const Answer answer = take_test_message(peer, -1, length_of(2));
        peer.expect(answer.type == 40 + index % types && answer.length == length_of(index),
                    "each message is received once and in order");
    }
    if (peer.node() != late)
        take_test_message(peer, last, 8);
}

inline void messages_to_oneself_arrive(TestProcess& peer)
{
    for (const long length : {0L, 20L, 3000L}) {
        send_test_message(peer, 9, length, peer.node());
        const Answer answer = take_test_message(peer, 9, 3000);
        peer.expect(answer.length == length && answer.node == peer.node(),
                    "what is sent to oneself is received");
    }
}

inline void too_long_messages_stay(TestProcess& peer)
{
    if (peer.node() == 0)
        send_test_message(peer, 11, 100, 1);
    if (peer.node() != 1)
        return;
    void* const small = peer.allocate(64);
    const Answer refused = peer.receive_block(11, small, 64);
    peer.expect(refused.value == -4, "a message longer than the buffer is an error");
    peer.expect(take_test_message(peer, 11, 100).length == 100,
                "the message that was too long can still be received");
    peer.expect(peer.release(small).good(), "the receiver still owns the small buffer");
}

inline void many_senders_each_keep_their_order(TestProcess& peer)
{
    constexpr long count = 150;
    if (peer.node() != 0) {
        for (long number = 0; number < count; ++number)
            send_test_message(peer, number, 24, 0);
        return;
    }
    long next[64] = {};
    for (long number = 0; number < count * (peer.nodes() - 1); ++number) {
        const Answer answer = take_test_message(peer, -1, 24);
        if (!answer.good())
            return;
        peer.expect(answer.type == next[answer.node]++, "each sender's messages come in order");
    }
}

inline void a_token_goes_round(TestProcess& peer)
{
    const int next = (peer.node() + 1) % peer.nodes();
    for (long turn = 0; turn < 50; ++turn) {
        if (peer.node() == 0)
            send_test_message(peer, turn, 200, next);
        peer.expect(take_test_message(peer, turn, 200).type == turn, "the token comes round");
        if (peer.node() != 0)
            send_test_message(peer, turn, 200, next);
    }
}

inline void contexts_do_not_mix(TestProcess& peer)
{
    if (peer.node() == 0) {
        // A message without bytes, so that no design keeps csend waiting for a second receive in order.
        const long id = start_test_message(peer, 4, 10, 1);
        peer.expect(peer.send(4, nullptr, 0, 1, Context::library).good(), "the library sends");
        wait_for(peer, id);
    }
    if (peer.node() != 1)
        return;
    peer.expect(take_test_message(peer, -1, 10, Context::library).length == 0,
                "the library sees its own message only");
    peer.expect(take_test_message(peer, -1, 10).length == 10, "the program sees its own message only");
}

// So are those whose low 32 bits alone would be a length.
inline void lengths_beyond_the_longest_are_refused(TestProcess& peer, void* block)
{
    constexpr long bad_length = -3;
    for (const long length : {0x80000000L, 0x1'0000'0000L, 0x1'0000'0005L}) {
        for (const long to : {0L, 1L, -1L}) {
            peer.expect(peer.send(1, block, length, to).value == bad_length,
                        "csend refuses a length that no message has");
            peer.expect(peer.start_send(1, block, length, to).value == bad_length,
                        "isend refuses a length that no message has");
        }
        peer.expect(peer.receive_block(1, block, length).value == bad_length,
                    "crecvp refuses a maximum that no message has");
        if (!with_plain_receives(peer.capabilities()))
            continue;
        peer.expect(peer.receive(1, block, length).value == bad_length,
                    "crecv refuses a maximum that no message has");
        peer.expect(peer.start_receive(1, block, length).value == bad_length,
                    "irecv refuses a maximum that no message has");
    }
}

inline void wrong_arguments_are_refused(TestProcess& peer)
{
    if (peer.node() != 0)
        return;
    void* const block = peer.allocate(16);
    peer.expect(peer.send(-1, block, 16, 1).value == -7, "a negative type is refused");
    peer.expect(peer.send(1000000000L, block, 16, 1).value == -7, "a reserved type is refused");
    peer.expect(peer.send(1, block, -1, 1).value == -3, "a negative length is refused");
    peer.expect(peer.send(1, block, 16, peer.nodes()).value == -5, "an unknown node is refused");
    peer.expect(peer.send(1, block, 16, -2).value == -5, "a negative node other than -1 is refused");
    peer.expect(peer.receive_block(1, block, -1).value == -3, "a negative maximum is refused");
    lengths_beyond_the_longest_are_refused(peer, block);
    peer.expect(peer.done(0).value == -8 && peer.wait(12345).value == -8,
                "an id that nobody returned is refused");
    peer.expect(peer.release(block).good(), "the process still owns its block");
    peer.expect(peer.release(block).value == -12, "a block is released only once");
}

inline constexpr Behaviour basics[] = {
    {"messages arrive whole, whatever their length", 2, always, messages_arrive_whole},
    {"messages without bytes need no buffer", 2, always, empty_messages_need_no_buffer},
    {"messages without bytes are told apart by their types", 2, always, empty_messages_are_told_apart},
    {"one sender's messages stay in order", 2, always, one_senders_messages_stay_in_order},
    {"selectors take only their types", 2, always, selectors_take_only_their_type},
    {"force types must be named", 2, always, force_types_must_be_named},
    {"a full port hides no message", 2, always, a_full_port_hides_nothing},
    {"broadcasts reach all but their sender", 4, always, broadcasts_reach_all_others},
    {"broadcasts pass a full port", 4, always, broadcasts_pass_a_full_port},
    {"messages to oneself arrive", 2, always, messages_to_oneself_arrive},
    {"a message that is too long is an error and stays", 2, always, too_long_messages_stay},
    {"many senders each keep their order", 4, always, many_senders_each_keep_their_order},
    {"a token goes round", 4, always, a_token_goes_round},
    {"the library's messages and the program's do not mix", 2, always, contexts_do_not_mix},
    {"wrong arguments are refused", 2, always, wrong_arguments_are_refused},
};

} // namespace parley::behaviours
