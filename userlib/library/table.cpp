// SPDX-License-Identifier: MIT
// The library's table of operations: the C face of messaging::MessageSystem, for libnx.
#include "kernel/interface/library.h"
#include "userlib/library/attach.hpp"
#include "userlib/library/trace_points.hpp"

#include <cstddef>

struct parley_reply {
    long value;
    long type;
    long block;
    long node;
    long pid;
};

namespace parley::library {

namespace {

using messaging::ReceiveArguments;
using messaging::Received;
using messaging::Reply;

parley_reply answer(const Result<Reply>& result)
{
    if (!result)
        return {-static_cast<long>(result.error()), -1, 0, 0, 0};
    return {result->value, result->type, result->block, result->node, result->pid};
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

// The same for the calls whose price counts.
Inside<messaging::Endpoint> at_endpoint(parley_process* self)
{
    return {self->messages, trace::Inside(self->endpoint)};
}

parley_process* enter(const parley_start* start) { return attach(*start); }

// A call's words are the arguments, in their order, and a receive writes what it finds where libnx wants it:
// nothing is copied.
static_assert(sizeof(messaging::SendArguments) == sizeof(parley_call));
static_assert(sizeof(messaging::ReceiveArguments) == sizeof(parley_call));
static_assert(sizeof(Received) == sizeof(parley_found));

const ReceiveArguments& receive_arguments(const parley_call* call)
{
    return reinterpret_cast<const ReceiveArguments&>(*call);
}

Received& received(parley_found* found) { return reinterpret_cast<Received&>(*found); }

long send(parley_process* self, const parley_call* call)
{
    return at_endpoint(self)->send(reinterpret_cast<const messaging::SendArguments&>(*call));
}

long receive(parley_process* self, const parley_call* call, parley_found* found)
{
    return at_endpoint(self)->receive(receive_arguments(call), received(found));
}

long receive_block(parley_process* self, const parley_call* call, parley_found* found)
{
    return at_endpoint(self)->receive_block(receive_arguments(call), received(found));
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

parley_reply done(parley_process* self, long id) { return answer(inside(self)->done(self->endpoint, id)); }

parley_reply wait(parley_process* self, long id) { return answer(inside(self)->wait(self->endpoint, id)); }

parley_reply cancel(parley_process* self, long id)
{
    return answer(inside(self)->cancel(self->endpoint, id));
}

parley_reply probe(parley_process* self, long typesel, long may_wait, unsigned long from, unsigned long mask)
{
    return answer(inside(self)->probe(self->endpoint, {typesel, {}, 0, from, mask}, may_wait != 0));
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
    .send = send,
    .start_send = start_send,
    .receive = receive,
    .receive_block = receive_block,
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
