// SPDX-License-Identifier: MIT
// A proxy call from its registers to its method: the checks, and the way back.
#pragma once

#include "kernel/process/proxy_methods.hpp"
#include "kernel/trace_points.hpp"

namespace parley::kernel {

// Whether every call's proxy is checked, or the paper's customised interface is used, which takes it on trust
// that the process means its own object.
enum class ProxyChecks : std::uint8_t { full, reduced };

// From now on programs' calls are checked so. Once, before the first program runs.
void open_door(ProxyChecks checks);

// The arguments behind the proxy, still in their registers.
struct CallWords {
    std::uint64_t rsi, rdx, r10, r8, r9;
};

template <ProxyChecks checks>
[[gnu::always_inline]] inline bool is_allowed(const UserProcess& self, const arch::CallFrame& frame,
                                              ObjectClass kind)
{
    return checks == ProxyChecks::reduced ? self.proxies.valid(kind)
                                          : self.proxies.check(static_cast<std::uint32_t>(frame.rdi), kind);
}

// A method is called with the frame. Those whose price counts are spelled out here, where the call is.
template <auto method>
[[gnu::always_inline]] inline std::uint64_t carry_out(UserProcess& self, arch::CallFrame& frame,
                                                      const CallWords&)
{
    return method(self, frame);
}

template <>
[[gnu::always_inline]] inline std::uint64_t carry_out<&messages_send>(UserProcess& self, arch::CallFrame&,
                                                                      const CallWords& words)
{
    return static_cast<std::uint64_t>(
        self.messages.send(*self.messages.endpoint, static_cast<long>(words.rsi), {words.rdx},
                           static_cast<long>(words.r10), static_cast<long>(words.r8), words.r9));
}

template <>
[[gnu::always_inline]] inline std::uint64_t carry_out<&messages_receive>(UserProcess& self,
                                                                         arch::CallFrame& frame,
                                                                         const CallWords&)
{
    return tell(frame, self.messages.receive(*self.messages.endpoint, receive_arguments(frame)));
}

template <>
[[gnu::always_inline]] inline std::uint64_t carry_out<&messages_receive_block>(UserProcess& self,
                                                                               arch::CallFrame& frame,
                                                                               const CallWords&)
{
    const messaging::Found found =
        self.messages.receive_block(*self.messages.endpoint, receive_arguments(frame));
    if (found) [[likely]]
        frame.r10 = self.messages.endpoint->block.value;
    return tell(frame, found);
}

// What the process has to do before it goes back to its program: `value`, unless it is to be another.
std::uint64_t heed_summons(UserProcess& self, std::uint64_t value);

// The process is asked for again after the call: one instruction, where keeping it takes six.
[[gnu::always_inline]] inline std::uint64_t leave(std::uint64_t value)
{
    UserProcess& self = UserProcess::here();
    if (self.summons.any()) [[unlikely]]
        return heed_summons(self, value);
    return value;
}

// The path of a message (README), 2: the check, and on to the object.
template <ProxyChecks checks, ObjectClass kind, auto method>
std::uint64_t proxy_call(arch::CallFrame& frame, std::uint64_t rsi, std::uint64_t rdx, std::uint64_t r10,
                         std::uint64_t r8, std::uint64_t r9)
{
    UserProcess& self = UserProcess::here();
    if (!is_allowed<checks>(self, frame, kind)) [[unlikely]]
        return leave(failure(Error::bad_proxy));
    const trace::Inside inside(self, kind);
    return leave(carry_out<method>(self, frame, {rsi, rdx, r10, r8, r9}));
}

} // namespace parley::kernel
