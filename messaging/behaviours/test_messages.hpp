// SPDX-License-Identifier: MIT
// How behaviours send and receive under every design: from blocks of nx_alloc, by crecvp, and with bytes by
// which a message's type can be told.
#pragma once

#include "messaging/behaviours/test_process.hpp"

namespace parley::behaviours {

inline unsigned char pattern(long type, long index)
{
    return static_cast<unsigned char>(type * 31 + index * 7 + (index >> 8));
}

inline void* filled(TestProcess& peer, long type, long length)
{
    auto* const bytes = static_cast<unsigned char*>(peer.allocate(length > 0 ? length : 1));
    for (long index = 0; bytes != nullptr && index < length; ++index)
        bytes[index] = pattern(type, index);
    return bytes;
}

inline bool holds_pattern(const void* block, long type, long length)
{
    const auto* const bytes = static_cast<const unsigned char*>(block);
    for (long index = 0; index < length; ++index)
        if (bytes[index] != pattern(type, index))
            return false;
    return true;
}

// Releases a block that csend or isend was given, if the process still owns it and has not lent it. Where
// blocks change owner it is another's; where buffers are lent it may be in use, and stays until the process
// ends.
inline void let_go(TestProcess& peer, void* block, long length)
{
    const bool keeps =
        length == 0 || (!peer.capabilities().transfers_ownership && !peer.capabilities().needs_shared_memory);
    if (keeps)
        peer.expect(peer.release(block).good(), "a process can release a block that it still owns");
}

inline void send_test_message(TestProcess& peer, long type, long length, long to)
{
    void* const block = filled(peer, type, length);
    peer.expect(peer.send(type, block, length, to).good(), "csend succeeds");
    let_go(peer, block, length);
}

// Answers an id to wait for. A message whose receiver may come late is sent so, since a synchronous csend
// would wait for the receiver.
inline long start_test_message(TestProcess& peer, long type, long length, long to)
{
    const Answer answer = peer.start_send(type, filled(peer, type, length), length, to);
    peer.expect(answer.value > 0, "isend returns an id");
    return answer.value;
}

// Receives a message, compares its bytes with its type, and releases its block: the answer's is not valid.
inline Answer take_test_message(TestProcess& peer, long typesel, long maximum,
                                Context context = Context::program)
{
    const bool brings = !peer.capabilities().transfers_ownership;
    void* const own = brings ? peer.allocate(maximum > 0 ? maximum : 1) : nullptr;
    const Answer answer = peer.receive_block(typesel, own, maximum, context);
    peer.expect(answer.good(), "crecvp succeeds");
    if (!answer.good())
        return answer;
    peer.expect(answer.value == answer.length, "crecvp returns the length");
    peer.expect(holds_pattern(answer.block, answer.type, answer.length),
                "the bytes are those that were sent");
    void* const block = brings ? own : answer.block;
    if (block != nullptr)
        peer.expect(peer.release(block).good(), "a received block can be released");
    return answer;
}

inline void wait_for(TestProcess& peer, long id) { peer.expect(peer.wait(id).good(), "msgwait succeeds"); }

} // namespace parley::behaviours
