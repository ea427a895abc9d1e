// SPDX-License-Identifier: MIT
#include "kernel/process/proxy_calls.hpp"

#include "kernel/interface/proxies.h"
#include "kernel/interface/results.h"
#include "kernel/job/gang_bench.hpp"
#include "kernel/job/job.hpp"
#include "kernel/kernel.hpp"
#include "kernel/process/shared_words.hpp"
#include "kernel/user_copy.hpp"

namespace parley::kernel {

namespace {

using arch::CallFrame;
using messaging::Reply;

// Methods by number; the class of each, for the check.
enum class Method : std::uint64_t {
#define PARLEY_METHOD_ENUMERATOR(kind, name, number) kind##_##name = number,
    PARLEY_PROXY_METHODS(PARLEY_METHOD_ENUMERATOR)
#undef PARLEY_METHOD_ENUMERATOR
};

struct Classes {
    ObjectClass of[proxy_method_count] = {};
};

consteval Classes make_classes()
{
    Classes classes;
#define PARLEY_METHOD_CLASS(kind, name, number) classes.of[number] = ObjectClass::kind;
    PARLEY_PROXY_METHODS(PARLEY_METHOD_CLASS)
#undef PARLEY_METHOD_CLASS
    return classes;
}

constexpr Classes classes = make_classes();

std::uint64_t failure(Error error) { return static_cast<std::uint64_t>(-static_cast<long>(error)); }

messaging::SendArguments send_arguments(const CallFrame& frame)
{
    return {static_cast<long>(frame.rsi), {frame.rdx}, static_cast<long>(frame.r10), static_cast<long>(frame.r8),
            static_cast<long>(frame.r9)};
}

messaging::ReceiveArguments receive_arguments(const CallFrame& frame)
{
    return {static_cast<long>(frame.rsi), {frame.rdx}, static_cast<long>(frame.r10), static_cast<long>(frame.r8),
            static_cast<long>(frame.r9)};
}

std::uint64_t answer(CallFrame& frame, const Result<Reply>& result)
{
    if (!result)
        return failure(result.error());
    frame.rdx = static_cast<std::uint64_t>(result->type);
    frame.r8 = static_cast<std::uint64_t>(result->source);
    frame.r10 = static_cast<std::uint64_t>(result->block);
    return static_cast<std::uint64_t>(result->value);
}

std::uint64_t answer(const Result<std::uint64_t>& result) { return result ? *result : failure(result.error()); }

// A name that the program gave: always ends inside its array.
template <std::size_t size>
bool ends_inside(const char (&text)[size])
{
    for (char character : text) {
        if (character == 0)
            return true;
    }
    return false;
}

Result<std::uint64_t> report(UserProcess& self, UserAddress from)
{
    const auto row = TRY(read_user<parley_row>(from));
    if (!ends_inside(row.name) || !ends_inside(row.unit) || !ends_inside(row.access))
        return std::unexpected(Error::bad_argument);
    const struct {
        std::uint32_t job;
        std::int32_t node;
    } origin{self.job.number(), self.node};
    kernel().results.send(PARLEY_FRAME_ROW, {bytes_of(origin), bytes_of(row)});
    kernel().rows.fetch_add(1, std::memory_order_relaxed);
    return 0;
}

Result<std::uint64_t> measure_gang(UserProcess& self, std::uint64_t members, std::uint64_t load, UserAddress into)
{
    GangBench& bench = *TRY(self.job.gang_bench());
    const parley_gang_times times = TRY(bench.measure(members, load));
    TRY_VOID(write_user(into, times));
    return 0;
}

std::uint64_t call_messages(UserProcess& self, CallFrame& frame, Method method)
{
    messaging::MessageSystem& system = *self.job.system();
    const auto id = static_cast<long>(frame.rsi);
    switch (method) {
    case Method::messages_send:
        return answer(frame, system.send(self.endpoint, send_arguments(frame)));
    case Method::messages_receive:
        return answer(frame, system.receive(self.endpoint, receive_arguments(frame)));
    case Method::messages_receive_block:
        return answer(frame, system.receive_block(self.endpoint, receive_arguments(frame)));
    case Method::messages_start_send:
        return answer(frame, system.start_send(self.endpoint, send_arguments(frame)));
    case Method::messages_start_receive:
        return answer(frame, system.start_receive(self.endpoint, receive_arguments(frame)));
    case Method::messages_done:
        return answer(frame, system.done(self.endpoint, id));
    case Method::messages_wait:
        return answer(frame, system.wait(self.endpoint, id));
    case Method::messages_cancel:
        return answer(frame, system.cancel(self.endpoint, id));
    case Method::messages_probe:
        return answer(frame, system.probe(self.endpoint, receive_arguments(frame), frame.rdx != 0));
    case Method::messages_allocate:
        return answer(frame, system.allocate(self.endpoint, id, static_cast<long>(frame.rdx)));
    case Method::messages_release:
        return answer(frame, system.release(self.endpoint, {frame.rsi}));
    default:
        return failure(Error::no_such_call);
    }
}

std::uint64_t call_process(UserProcess& self, const CallFrame& frame, Method method)
{
    switch (method) {
    case Method::process_yield:
        self.yield();
        return 0;
    case Method::process_block:
        return answer(block_on_shared_word(self, {frame.rsi}, static_cast<std::uint32_t>(frame.rdx)));
    case Method::process_wake:
        return answer(wake_shared_word(self, {frame.rsi}, static_cast<unsigned>(frame.rdx)));
    case Method::process_null:
        return 0;
    default:
        return failure(Error::no_such_call);
    }
}

} // namespace

std::uint64_t proxy_call(UserProcess& self, CallFrame& frame, std::uint64_t number)
{
    const ObjectClass kind = classes.of[number];
    if (kind == ObjectClass::none)
        return failure(Error::no_such_call);
    if (full_proxy_checks ? !self.proxies.check(frame.rdi, kind) : !self.proxies.valid(kind))
        return failure(Error::bad_proxy);
    const auto method = static_cast<Method>(number);
    switch (kind) {
    case ObjectClass::messages:
        return call_messages(self, frame, method);
    case ObjectClass::process:
        return call_process(self, frame, method);
    case ObjectClass::gangs:
        return answer(measure_gang(self, frame.rsi, frame.rdx, {frame.r10}));
    default:
        return answer(report(self, {frame.rsi}));
    }
}

} // namespace parley::kernel
