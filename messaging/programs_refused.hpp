// SPDX-License-Identifier: MIT
// The message calls of processes whose design has a port that keeps no order: what a program would send,
// receive or look for by NX/2 is refused, as NX/2 promises that order. The library's own messages and those
// of Active Messages go on as everywhere.
#pragma once

#include "base/result.hpp"
#include "interface/message_calls.h"
#include "interface/senders.h"
#include "messaging/message/envelope.hpp"

namespace parley::messaging {

// E is the endpoint whose calls these are, and lets this class see them.
template <class E>
class ProgramsRefused {
public:
    // Puts its entries in front of those of a table that are about a program's messages.
    static void guard(parley_calls& calls)
    {
        calls.send = &checked_send;
        calls.start_send = &checked_start_send;
        calls.receive = &checked_receive;
        calls.receive_block = &checked_receive_block;
        calls.start_receive = &checked_start_receive;
        calls.probe = &checked_probe;
    }

private:
    using Found = parley_receive_status;

    // `word`: an address, or the first of the two words of senders (interface/senders.h).
    static bool is_programs(unsigned long word)
    {
        return parley_address_context(word) == PARLEY_CONTEXT_PROGRAM;
    }
    static long refusal() { return -static_cast<long>(Error::not_in_order); }
    static Found refused_receive() { return ReceiveStatus(std::unexpected(Error::not_in_order)).words(); }

    static long checked_send(void* self, long type, unsigned long buffer, long length, long node,
                             unsigned long address)
    {
        return is_programs(address) ? refusal()
                                    : E::of(self).send_(self, type, buffer, length, node, address);
    }
    static long checked_start_send(void* self, long type, unsigned long buffer, long length, long node,
                                   unsigned long address)
    {
        return is_programs(address) ? refusal()
                                    : E::of(self).start_send(type, buffer, length, node, address).number();
    }
    static Found checked_receive(void* self, const ReceiveArguments* call)
    {
        return is_programs(call->from) ? refused_receive() : E::of(self).receive_(self, call).words();
    }
    static Found checked_receive_block(void* self, const ReceiveArguments* call)
    {
        return is_programs(call->from) ? refused_receive() : E::of(self).receive_block_(self, call).words();
    }
    static long checked_start_receive(void* self, long typesel, unsigned long buffer, long maximum,
                                      unsigned long from, unsigned long mask)
    {
        return is_programs(from) ? refusal()
                                 : E::of(self).start_receive(typesel, buffer, maximum, from, mask).number();
    }
    static Found checked_probe(void* self, long typesel, long may_wait, unsigned long from,
                               unsigned long mask)
    {
        return is_programs(from) ? refused_receive()
                                 : E::of(self).probe(typesel, may_wait, from, mask).words();
    }
};

} // namespace parley::messaging
