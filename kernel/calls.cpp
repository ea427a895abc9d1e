// SPDX-License-Identifier: MIT
// The door for programs: one entry for proxy calls (kernel/interface/proxies.h) and Linux calls.
#include "arch/x86_64/trap.hpp"
#include "kernel/interface/proxies.h"
#include "kernel/job/job.hpp"
#include "kernel/process/proxy_calls.hpp"
#include "kernel/process/upcall.hpp"
#include "kernel/process/user_process.hpp"

namespace parley::arch {

namespace {

using kernel::UserProcess;

// The library's delivery loop has no C library and knows one Linux call, its end.
[[noreturn]] void end_delivery(UserProcess& self, const CallFrame& frame)
{
    constexpr std::uint64_t exit_group = 231;
    if (frame.number == exit_group)
        self.exit(static_cast<int>(frame.rdi));
    self.fail("made a Linux call in its delivery process");
}

[[gnu::noinline]] std::uint64_t linux_call(UserProcess& self, const CallFrame& frame)
{
    const long arguments[6] = {static_cast<long>(frame.rdi), static_cast<long>(frame.rsi),
                               static_cast<long>(frame.rdx), static_cast<long>(frame.r10),
                               static_cast<long>(frame.r8),  static_cast<long>(frame.r9)};
    if (self.personality == nullptr)
        end_delivery(self, frame);
    return static_cast<std::uint64_t>(
        kernel::linux_call(*self.personality, static_cast<long>(frame.number), arguments));
}

// It has to end, or its program is to be interrupted.
[[gnu::noinline]] std::uint64_t heed_summons(UserProcess& self, std::uint64_t value)
{
    if (self.summons.killed())
        self.end_killed();
    kernel::settle_upcall(self, value);
    return value;
}

// The process is asked for again after the call: one instruction, where keeping it takes six.
template <kernel::ProxyChecks checks>
std::uint64_t handle_call(CallFrame& frame)
{
    const std::uint64_t method = frame.number - PARLEY_PROXY_BASE;
    const std::uint64_t value = method < kernel::proxy_method_count
                                    ? kernel::proxy_call<checks>(UserProcess::here(), frame, method)
                                    : linux_call(UserProcess::here(), frame);
    UserProcess& self = UserProcess::here();
    if (self.summons.any()) [[unlikely]]
        return heed_summons(self, value);
    return value;
}

} // namespace

} // namespace parley::arch

namespace parley::kernel {

void open_door(ProxyChecks checks)
{
    arch::call_handler = checks == ProxyChecks::full ? arch::handle_call<ProxyChecks::full>
                                                     : arch::handle_call<ProxyChecks::reduced>;
}

} // namespace parley::kernel
