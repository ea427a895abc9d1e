// SPDX-License-Identifier: MIT
// The entry of programs: proxy calls (interface/proxies.h), and Linux calls.
#include "arch/x86_64/trap.hpp"
#include "base/processor_time_points.hpp"
#include "interface/proxies.h"
#include "kernel/job/job.hpp"
#include "kernel/process/departure.hpp"
#include "kernel/process/proxy_calls.hpp"
#include "kernel/process/upcall.hpp"
#include "kernel/process/user_process.hpp"

namespace parley::kernel {

namespace {

using arch::CallFrame;

std::uint64_t other_call(CallFrame& frame, std::uint64_t number)
{
    UserProcess& self = UserProcess::here();
    const long arguments[6] = {static_cast<long>(frame.rdi), static_cast<long>(frame.rsi),
                               static_cast<long>(frame.rdx), static_cast<long>(frame.r10),
                               static_cast<long>(frame.r8),  static_cast<long>(frame.r9)};
    self.begin_linux_call(static_cast<long>(number));
    const std::uint64_t value = leave(
        static_cast<std::uint64_t>(self.occupation().linux_call(self, static_cast<long>(number), arguments)));
    self.end_linux_call();
    return value;
}

// A number of ours that no call has: an ordinary program may try it as one of Linux's.
template <std::uint32_t index>
std::uint64_t without_call(CallFrame& frame, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t,
                           std::uint64_t)
{
    return other_call(frame, PARLEY_PROXY_BASE + index);
}

// Makes the handlers of the calls in interface/calls.def: number 0 gets the handler of `send`, and so on. A
// message call goes on in the process's table, whose entries are the methods of ComposedEndpoint
// (messaging/endpoint.hpp); another call goes on in the function of its name
// (kernel/process/proxy_methods.hpp).
template <ProxyChecks checks, std::size_t... index>
consteval arch::CallHandlers make_handlers(std::index_sequence<index...>)
{
    arch::CallHandlers handlers{{processor_time::told<without_call<index>>...}, nullptr};
#define PARLEY_MESSAGE_CALL(answer, name, number, parameters, arguments) \
    handlers.numbered[number] = processor_time::told<                    \
        proxy_call<checks, ObjectClass::messages, &parley_calls::name, Answers::answer>>;
#define PARLEY_CALL(class, name, number, parameters, arguments) \
    handlers.numbered[number] = processor_time::told<proxy_call<checks, ObjectClass::class, &name>>;
#include "interface/calls.def"
    handlers.others = processor_time::told<other_call>;
    return handlers;
}

template <ProxyChecks checks>
constinit const arch::CallHandlers handlers =
    make_handlers<checks>(std::make_index_sequence<NUMBERED_CALL_COUNT>());

} // namespace

static_assert(PARLEY_PROXY_BASE == 0u - NUMBERED_CALL_COUNT);

[[gnu::noinline]] std::uint64_t refused_call(UserProcess& self)
{
    self.note_refused_call();
    return failure(Error::bad_proxy);
}

// It has to end, or its program is to be interrupted.
[[gnu::noinline]] std::uint64_t do_pending_work(UserProcess& self, std::uint64_t value)
{
    if (!self.pending_work.killed())
        settle_upcall(self, value);
    if (!self.pending_work.killed()) // it may be by now
        return value;
    depart(self, arch::call_frame(self.execution.kernel_stack));
    return failure(Error::killed);
}

void open_call_entry(ProxyChecks checks)
{
    arch::call_handlers =
        checks == ProxyChecks::full ? handlers<ProxyChecks::full> : handlers<ProxyChecks::reduced>;
}

} // namespace parley::kernel
