// SPDX-License-Identifier: MIT
// A proxy call from its registers to its method: the checks, and the way back.
#pragma once

#include "kernel/process/proxy_methods.hpp"
#include "kernel/trace_points.hpp"

#include <cstddef>
#include <type_traits>
#include <utility>

namespace parley::kernel {

// Whether every call's proxy is checked, or the paper's customised interface is used, which takes it on
// trust that the process means its own object.
enum class ProxyChecks : std::uint8_t { full, reduced };

// Opens the entry of programs' calls, which are checked so from now on. Called once, before the first
// program runs.
void open_call_entry(ProxyChecks checks);

// The arguments behind the proxy, still in their registers.
struct CallWords {
    std::uint64_t rsi, rdx, r10, r8, r9;
};

template <ProxyChecks checks>
[[gnu::always_inline]] inline bool is_allowed(const UserProcess& self, const arch::CallFrame& frame,
                                              ObjectClass kind)
{
    return checks == ProxyChecks::reduced ? self.proxies().valid(kind)
                                          : self.proxies().check(static_cast<std::uint32_t>(frame.rdi), kind);
}

// What a message call answers: interface/calls.def.
enum class Answers : std::uint8_t { value, found, block };

// A method is called with the frame.
template <auto method, Answers>
    requires std::is_function_v<std::remove_pointer_t<decltype(method)>>
[[gnu::always_inline]] inline std::uint64_t dispatch(UserProcess& self, arch::CallFrame& frame,
                                                     const CallWords&)
{
    return method(self, frame);
}

// A message call's words are its arguments, in their order.
template <class Answer, class... Words>
[[gnu::always_inline]] inline Answer make_call(Answer (*call)(void*, Words...), void* self,
                                               const arch::CallFrame&, const CallWords& words)
{
    const std::uint64_t all[] = {words.rsi, words.rdx, words.r10, words.r8, words.r9};
    return [&]<std::size_t... index>(std::index_sequence<index...>) [[gnu::always_inline]] {
        return call(self, static_cast<Words>(all[index])...);
    }(std::index_sequence_for<Words...>{});
}

// The words of a receive are read where they lie, in the frame.
static_assert(sizeof(parley_receive) == 5 * sizeof(std::uint64_t));
static_assert(offsetof(arch::CallFrame, r9) - offsetof(arch::CallFrame, rsi) == 4 * sizeof(std::uint64_t));

template <class Answer>
[[gnu::always_inline]] inline Answer make_call(Answer (*call)(void*, const parley_receive*), void* self,
                                               const arch::CallFrame& frame, const CallWords&)
{
    return call(self, reinterpret_cast<const parley_receive*>(&frame.rsi));
}

[[gnu::always_inline]] inline std::uint64_t answer_call(long value, arch::CallFrame&)
{
    return static_cast<std::uint64_t>(value);
}

[[gnu::always_inline]] inline std::uint64_t answer_call(const parley_receive_status& found,
                                                        arch::CallFrame& frame)
{
    if (found.contents >= 0) [[likely]]
        frame.rdx = found.sender;
    return static_cast<std::uint64_t>(found.contents);
}

// A message call is the entry of the process's own table: the caller's identity comes from its process,
// never from its arguments.
template <auto call, Answers answers>
    requires std::is_member_object_pointer_v<decltype(call)>
[[gnu::always_inline]] inline std::uint64_t dispatch(UserProcess& self, arch::CallFrame& frame,
                                                     const CallWords& words)
{
    const parley_calls& calls = self.messages();
    const std::uint64_t value = answer_call(make_call(calls.*call, calls.self, frame, words), frame);
    if constexpr (answers == Answers::block)
        if (static_cast<long>(value) >= 0) [[likely]]
            frame.r10 = calls.left->block;
    return value;
}

// A call whose proxy is not one of the process's: an error, but the end of a program of which another thread
// than its first makes it, for that has no proxies.
std::uint64_t refused_call(UserProcess& self);

// Does what the process has to do before it goes back to its program. Answers `value`, unless the call is to
// answer another.
std::uint64_t do_pending_work(UserProcess& self, std::uint64_t value);

// The process is asked for again after the call: one instruction, where keeping it takes six.
[[gnu::always_inline]] inline std::uint64_t leave(std::uint64_t value)
{
    UserProcess& self = UserProcess::here();
    if (self.pending_work.any()) [[unlikely]]
        return do_pending_work(self, value);
    return value;
}

// The path of a message (README), 2: the check, and on to the object.
template <ProxyChecks checks, ObjectClass kind, auto method, Answers answers = Answers::value>
std::uint64_t proxy_call(arch::CallFrame& frame, std::uint64_t rsi, std::uint64_t rdx, std::uint64_t r10,
                         std::uint64_t r8, std::uint64_t r9)
{
    UserProcess& self = UserProcess::here();
    if (!is_allowed<checks>(self, frame, kind)) [[unlikely]]
        return leave(refused_call(self));
    const trace::Inside inside(self, kind);
    return leave(dispatch<method, answers>(self, frame, {rsi, rdx, r10, r8, r9}));
}

} // namespace parley::kernel
