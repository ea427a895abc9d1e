// SPDX-License-Identifier: MIT
// Sending and receiving in a way that every design allows: blocks of nx_alloc, crecvp, and contents that tell
// whose they are.
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

// A block that csend or isend was given: gone under pointer, perhaps still lent under single copy (then left
// to the end of the process), else ours to release.
inline void let_go(TestProcess& peer, void* block, long length)
{
    const bool keeps =
        length == 0 || (!peer.capabilities().transfers_ownership && !peer.capabilities().needs_shared_memory);
    if (keeps)
        peer.expect(peer.release(block).good(), "a block that is still ours can be released");
}

inline void send_test_message(TestProcess& peer, long type, long length, long to)
{
    void* const block = filled(peer, type, length);
    peer.expect(peer.send(type, block, length, to).good(), "csend succeeds");
    let_go(peer, block, length);
}

// An id to wait for; for messages whose receiver may come late, which a synchronous csend would wait for.
inline long start_test_message(TestProcess& peer, long type, long length, long to)
{
    const Answer answer = peer.start_send(type, filled(peer, type, length), length, to);
    peer.expect(answer.value > 0, "isend returns an id");
    return answer.value;
}

// Receives, checks the contents against the type, and releases. The answer's block is no longer valid.
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
