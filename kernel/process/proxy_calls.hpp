// SPDX-License-Identifier: MIT
// A proxy call from its register frame to its method: the table and the checks.
#pragma once

#include "kernel/process/proxy_methods.hpp"
#include "kernel/trace_points.hpp"

namespace parley::kernel {

inline constexpr std::uint64_t proxy_method_count = 64;

// By a method's number.
struct ProxyMethods {
    std::uint64_t (*calls[proxy_method_count])(UserProcess&, arch::CallFrame&);
    ObjectClass kinds[proxy_method_count];
};

extern const ProxyMethods proxy_methods;

// Whether every call's proxy is checked, or the paper's customised interface is used, which takes it on trust
// that the process means its own object.
enum class ProxyChecks : std::uint8_t { full, reduced };

// From now on programs' calls are checked so. Once, before the first program runs.
void open_door(ProxyChecks checks);

// The path of a message (README), 2: the check, and on to the object. `number` is below proxy_method_count.
template <ProxyChecks checks>
[[gnu::always_inline]] inline std::uint64_t proxy_call(UserProcess& self, arch::CallFrame& frame,
                                                       std::uint64_t number)
{
    const ObjectClass kind = proxy_methods.kinds[number];
    const bool allowed = checks == ProxyChecks::reduced
                             ? self.proxies.valid(kind)
                             : self.proxies.check(static_cast<std::uint32_t>(frame.rdi), kind);
    if (!allowed) [[unlikely]]
        return failure(kind == ObjectClass::none ? Error::no_such_call : Error::bad_proxy);
    const trace::Inside inside(self, kind);
    return proxy_methods.calls[number](self, frame);
}

} // namespace parley::kernel
