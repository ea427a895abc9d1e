// SPDX-License-Identifier: MIT
#include "testing/calling_process.hpp"

#include "interface/capabilities.h"
#include "interface/message_calls.h"

namespace parley::testing {

namespace {

using behaviours::Answer;
using behaviours::Context;

std::uint64_t address_of(Context context, long pid)
{
    return parley_senders_from(0, pid, static_cast<unsigned long>(context));
}

unsigned long user_address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

parley_receive from_any(long typesel, void* buffer, long maximum, Context context)
{
    return {typesel, user_address(buffer), maximum,
            parley_senders_from(-1, -1, static_cast<unsigned long>(context)), parley_senders_mask(-1, -1)};
}

// The value is the message's length.
Answer arrived(const parley_receive_status& found)
{
    if (found.contents < 0)
        return {.value = found.contents};
    const long length = parley_receive_status_length(found);
    return {.value = length,
            .type = parley_receive_status_type(found),
            .node = parley_receive_status_node(found),
            .length = length};
}

// What a call that only asks answers: 1, or 0 when there is nothing yet.
Answer yes_or_no(const parley_receive_status& found)
{
    Answer answer = arrived(found);
    if (answer.good())
        answer.value = 1;
    else if (answer.value == -static_cast<long>(Error::would_block))
        answer.value = 0;
    return answer;
}

} // namespace

behaviours::Capabilities capabilities_in_tests(const messaging::Design& design)
{
    const messaging::DesignTraits traits = messaging::traits_of(design);
    return {traits.transfers_ownership, traits.needs_shared_memory, traits.one_domain,
            (messaging::capabilities_of(design) & NX_SENDS_AWAIT_DELIVERY) != 0, false};
}

Answer CallingProcess::send(long type, const void* buffer, long length, long to, Context context)
{
    return {.value =
                calls_.send(calls_.self, type, user_address(buffer), length, to, address_of(context, 0))};
}

Answer CallingProcess::start_send(long type, const void* buffer, long length, long to)
{
    return {.value = calls_.start_send(calls_.self, type, user_address(buffer), length, to, 0)};
}

Answer CallingProcess::receive(long typesel, void* buffer, long maximum)
{
    const parley_receive call = from_any(typesel, buffer, maximum, Context::program);
    return arrived(calls_.receive(calls_.self, &call));
}

Answer CallingProcess::receive_block(long typesel, void* buffer, long maximum, Context context)
{
    const parley_receive call = from_any(typesel, buffer, maximum, context);
    Answer answer = arrived(calls_.receive_block(calls_.self, &call));
    answer.block = reinterpret_cast<void*>(calls_.left->block);
    return answer;
}

Answer CallingProcess::start_receive(long typesel, void* buffer, long maximum)
{
    const parley_receive call = from_any(typesel, buffer, maximum, Context::program);
    return {.value = calls_.start_receive(calls_.self, call.typesel, call.buffer, call.maximum, call.from,
                                          call.mask)};
}

Answer CallingProcess::done(long id) { return yes_or_no(calls_.done(calls_.self, id)); }

Answer CallingProcess::wait(long id) { return arrived(calls_.wait(calls_.self, id)); }

Answer CallingProcess::cancel(long id) { return {.value = calls_.cancel(calls_.self, id)}; }

Answer CallingProcess::probe(long typesel, bool may_wait)
{
    const parley_receive any = from_any(typesel, nullptr, 0, Context::program);
    return yes_or_no(calls_.probe(calls_.self, typesel, may_wait, any.from, any.mask));
}

void* CallingProcess::allocate(long bytes)
{
    const long block = calls_.allocate(calls_.self, bytes, 8);
    return block > 0 ? reinterpret_cast<void*>(block) : nullptr;
}

Answer CallingProcess::release(void* block)
{
    return {.value = calls_.release(calls_.self, user_address(block))};
}

void CallingProcess::expect(bool holds, const char* sentence)
{
    if (!holds)
        note_("node " + std::to_string(node()) + ": not so: " + sentence);
}

} // namespace parley::testing
