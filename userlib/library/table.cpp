// SPDX-License-Identifier: MIT
// The library's table of operations: the C face of messaging::MessageSystem, for libnx.
#include "kernel/interface/library.h"
#include "userlib/library/attach.hpp"
#include "userlib/library/region_words.hpp"
#include "userlib/library/trace_points.hpp"

#include <bit>
#include <cstddef>
#include <type_traits>

struct parley_reply {
    long value;
    long type;
    long block;
    long node;
    long pid;
};

namespace parley::library {

namespace {

using messaging::Found;
using messaging::ReceiveArguments;
using messaging::Reply;

parley_reply answer(const Result<Reply>& result)
{
    if (!result)
        return {-static_cast<long>(result.error()), -1, 0, 0, 0};
    return {result->value, result->type, result->block, result->node, result->pid};
}

// A program that has found nothing will look again, and lets others go first.
parley_reply answer_to_poll(const Result<Reply>& result)
{
    if (result && result->value == 0)
        give_way();
    return answer(result);
}

UserAddress address_of(const void* pointer) { return {reinterpret_cast<std::uintptr_t>(pointer)}; }

// The system, entered until the end of the expression.
template <class Object>
struct Inside {
    Object* object;
    trace::Inside watched;

    Object* operator->() { return object; }
};

Inside<messaging::MessageSystem> inside(parley_process* self)
{
    return {self->system, trace::Inside(self->endpoint)};
}

parley_process* enter(const parley_start* start) { return attach(*start); }

// The message system's calls are the library's: the same words in the same registers.
static_assert(sizeof(messaging::Calls) == sizeof(parley_calls));
static_assert(sizeof(messaging::Endpoint) == sizeof(parley_left));
static_assert(sizeof(messaging::SendArguments) == sizeof(parley_call));
static_assert(sizeof(ReceiveArguments) == sizeof(parley_call));
static_assert(sizeof(Found) == sizeof(parley_found));
static_assert(std::is_trivially_copyable_v<Found> && std::is_trivially_copyable_v<UserAddress>);

messaging::Calls calls_of(const parley_process* self) { return self->system->calls_of(self->endpoint); }

// Where somebody watches there is a step in between.
long send_watched(void* place, long type, const void* buffer, long length, long node, unsigned long address)
{
    const auto* const self = static_cast<const parley_process*>(place);
    const trace::Inside watched(self->endpoint);
    const messaging::Calls bound = calls_of(self);
    return bound.send(*bound.endpoint, type, address_of(buffer), length, node, address);
}

parley_found receive_watched(void* place, const parley_call* call)
{
    const auto* const self = static_cast<const parley_process*>(place);
    const trace::Inside watched(self->endpoint);
    const messaging::Calls bound = calls_of(self);
    const auto& arguments = reinterpret_cast<const ReceiveArguments&>(*call);
    return std::bit_cast<parley_found>(bound.receive(*bound.endpoint, arguments));
}

parley_found receive_block_watched(void* place, const parley_call* call)
{
    const auto* const self = static_cast<const parley_process*>(place);
    const trace::Inside watched(self->endpoint);
    const messaging::Calls bound = calls_of(self);
    const auto& arguments = reinterpret_cast<const ReceiveArguments&>(*call);
    return std::bit_cast<parley_found>(bound.receive_block(*bound.endpoint, arguments));
}

parley_calls calls(parley_process* self)
{
    if (trace::watches)
        return {self, send_watched, receive_watched, receive_block_watched};
    return std::bit_cast<parley_calls>(calls_of(self));
}

const parley_left* left(parley_process* self)
{
    return reinterpret_cast<const parley_left*>(calls_of(self).endpoint);
}

parley_reply start_send(parley_process* self, long type, const void* buffer, long length, long node,
                        unsigned long address)
{
    return answer(
        inside(self)->start_send(self->endpoint, {type, address_of(buffer), length, node, address}));
}

parley_reply start_receive(parley_process* self, long typesel, void* buffer, long maximum, unsigned long from,
                           unsigned long mask)
{
    return answer(
        inside(self)->start_receive(self->endpoint, {typesel, address_of(buffer), maximum, from, mask}));
}

parley_reply done(parley_process* self, long id)
{
    return answer_to_poll(inside(self)->done(self->endpoint, id));
}

parley_reply wait(parley_process* self, long id) { return answer(inside(self)->wait(self->endpoint, id)); }

parley_reply cancel(parley_process* self, long id)
{
    return answer(inside(self)->cancel(self->endpoint, id));
}

parley_reply probe(parley_process* self, long typesel, long may_wait, unsigned long from, unsigned long mask)
{
    return answer_to_poll(inside(self)->probe(self->endpoint, {typesel, {}, 0, from, mask}, may_wait != 0));
}

parley_reply watch(parley_process* self, long id) { return answer(inside(self)->watch(self->endpoint, id)); }

parley_reply reopen_place(parley_process*, long endpoint, long pid)
{
    const Result<void> done = reopen(static_cast<unsigned>(endpoint), static_cast<std::int32_t>(pid));
    return {done ? 0 : -static_cast<long>(done.error()), -1, 0, 0, 0};
}

parley_reply vacate_places(parley_process* self, long nodes, long node, long pid, long keep)
{
    vacate(self->endpoint, {nodes, node, pid},
           keep != 0 ? messaging::Waiting::kept : messaging::Waiting::dropped);
    return {0, -1, 0, 0, 0};
}

parley_reply set_pid(parley_process* self, long endpoint, long pid)
{
    const Result<void> done =
        inside(self)->set_pid(static_cast<unsigned>(endpoint), static_cast<std::int32_t>(pid));
    return {done ? 0 : -static_cast<long>(done.error()), -1, 0, 0, 0};
}

parley_reply allocate(parley_process* self, long bytes, long alignment)
{
    return answer(inside(self)->allocate(self->endpoint, bytes, alignment));
}

parley_reply release(parley_process* self, void* block)
{
    return answer(inside(self)->release(self->endpoint, address_of(block)));
}

void close(parley_process* self)
{
    (void)self->system->linger(self->endpoint);
    self->system->close(self->endpoint, messaging::EndpointState::ended);
}

[[noreturn]] void end_process(long status)
{
    constexpr long exit_group = 231;
    for (;;)
        asm volatile("syscall" : : "a"(exit_group), "D"(status) : "rcx", "r11", "memory");
}

extern "C" [[noreturn, gnu::used]] void parley_library_carry(const parley_start* start)
{
    parley_process* const self = attach(*start);
    if (self == nullptr)
        end_process(1);
    (void)self->system->deliver(self->endpoint);
    self->system->close(self->endpoint, messaging::EndpointState::ended);
    end_process(0);
}

// The start of a delivery process; there is nobody to return to.
[[gnu::naked]] void deliver()
{
    asm("popq %rdi\n\t"
        "xorl %ebp, %ebp\n\t"
        "andq $-16, %rsp\n\t"
        "call parley_library_carry\n\t"
        "ud2");
}

} // namespace

// In the segment of instructions, so that the file's entry address can be the table's.
extern "C" [[gnu::section(".parley.table"), gnu::used]] constinit const parley_library parley_library = {
    .version = PARLEY_LIBRARY_VERSION,
    .attach = enter,
    .calls = calls,
    .left = left,
    .start_send = start_send,
    .start_receive = start_receive,
    .done = done,
    .wait = wait,
    .cancel = cancel,
    .probe = probe,
    .watch = watch,
    .reopen = reopen_place,
    .vacate = vacate_places,
    .set_pid = set_pid,
    .allocate = allocate,
    .release = release,
    .close = close,
    .deliver = deliver,
};

} // namespace parley::library
