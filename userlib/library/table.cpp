// SPDX-License-Identifier: MIT
// The library's table: the C face of messaging::MessageSystem, for libnx.
#include "interface/library.h"
#include "userlib/library/attach.hpp"
#include "userlib/library/trace_points.hpp"

namespace parley::library {

namespace {

parley_process* enter(const parley_start* start) { return attach(*start); }

parley_calls calls_of(const parley_process* self) { return self->system->calls_of(self->endpoint); }

// Where somebody watches there is a step in between: a call of the process in `self`.
template <auto call>
struct WatchedCall;
template <class Answer, class... Words, Answer (*parley_calls::*call)(void*, Words...)>
struct WatchedCall<call> {
    static Answer enter(void* place, Words... words)
    {
        const auto* const self = static_cast<const parley_process*>(place);
        const trace::Inside watched(self->endpoint);
        const parley_calls calls = calls_of(self);
        return (calls.*call)(calls.self, words...);
    }
};

parley_calls watched_calls(parley_process* self)
{
    parley_calls calls = calls_of(self);
    calls.self = self;
#define PARLEY_CALL(class, name, number, parameters, arguments)
#define PARLEY_MESSAGE_CALL(answer, name, number, parameters, arguments) \
    calls.name = &WatchedCall<&parley_calls::name>::enter;
#include "interface/calls.def"
    return calls;
}

parley_calls calls(parley_process* self) { return trace::watches ? watched_calls(self) : calls_of(self); }

long number_of(const Result<void>& done) { return done ? 0 : -static_cast<long>(done.error()); }

long reopen_place(parley_process*, long endpoint, long pid)
{
    return number_of(reopen(static_cast<unsigned>(endpoint), static_cast<std::int32_t>(pid)));
}

long reset_places(parley_process* self, long nodes, long node, long pid, long keep)
{
    reset(self->endpoint, {nodes, node, pid},
          keep != 0 ? messaging::Waiting::kept : messaging::Waiting::dropped);
    return 0;
}

long set_pid(parley_process* self, long endpoint, long pid)
{
    const trace::Inside watched(self->endpoint);
    return number_of(self->system->set_pid(static_cast<unsigned>(endpoint), static_cast<std::int32_t>(pid)));
}

void close(parley_process* self)
{
    (void)self->system->drain(self->endpoint);
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
    (void)self->system->deliver(self->endpoint, reinterpret_cast<messaging::Equipment*>(start->equipment));
    self->system->close(self->endpoint, messaging::EndpointState::ended);
    end_process(0);
}

// In a process that must end, so nothing that it would wait for is waited for.
[[noreturn]] void leave_place(unsigned long endpoint, unsigned long keep)
{
    {
        const trace::Inside watched(static_cast<unsigned>(endpoint));
        leave(static_cast<unsigned>(endpoint),
              keep != 0 ? messaging::Waiting::kept : messaging::Waiting::dropped);
    }
    constexpr long killed_status = 137;
    end_process(killed_status);
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

// Defined by the ports that have something to say.
extern "C" [[gnu::weak]] const char parley_library_port;

} // namespace

// In the segment of instructions, so that the file's entry address can be the table's.
extern "C" [[gnu::section(".parley.table"), gnu::used]] constinit const parley_library parley_library = {
    .version = PARLEY_LIBRARY_VERSION,
    .attach = enter,
    .calls = calls,
    .reopen = reopen_place,
    .reset = reset_places,
    .set_pid = set_pid,
    .close = close,
    .deliver = deliver,
    .leave = leave_place,
    .port = &parley_library_port,
};

} // namespace parley::library
