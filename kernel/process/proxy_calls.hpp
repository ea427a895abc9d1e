// SPDX-License-Identifier: MIT
// A proxy call from its register frame to its method: the table and the checks.
#pragma once

#include "kernel/process/proxy_methods.hpp"
#include "kernel/trace_points.hpp"

namespace parley::kernel {

inline constexpr std::uint64_t proxy_method_count = 64;

// Set once at boot: whether every call's proxy is checked, or the paper's customised interface is used, which
// takes it on trust that the process means its own object.
inline constinit bool full_proxy_checks = true;

struct ProxyMethod {
    std::uint64_t (*call)(UserProcess&, arch::CallFrame&);
    ObjectClass kind;
};

struct ProxyMethods {
    ProxyMethod of[proxy_method_count];
};

extern const ProxyMethods proxy_methods;

// `number` is below proxy_method_count.
inline std::uint64_t proxy_call(UserProcess& self, arch::CallFrame& frame, std::uint64_t number)
{
    const ProxyMethod& method = proxy_methods.of[number];
    const bool allowed =
        full_proxy_checks ? self.proxies.check(frame.rdi, method.kind) : self.proxies.valid(method.kind);
    if (!allowed) [[unlikely]]
        return failure(method.kind == ObjectClass::none ? Error::no_such_call : Error::bad_proxy);
    const trace::Inside inside(self, method.kind);
    return method.call(self, frame);
}

} // namespace parley::kernel
