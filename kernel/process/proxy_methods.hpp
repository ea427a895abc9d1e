// SPDX-License-Identifier: MIT
// The methods that programs can call on kernel objects, one function each, named class_method. Arguments are
// read from the call's registers, results are left there; the value is >= 0 or minus an error. What they do:
// kernel/interface/proxies.h.
#pragma once

#include "arch/x86_64/trap.hpp"
#include "kernel/base/result.hpp"
#include "kernel/interface/proxies.h"
#include "kernel/process/user_process.hpp"

namespace parley::kernel {

#define PARLEY_METHOD_DECLARATION(kind, name, number) \
    std::uint64_t kind##_##name(UserProcess& self, arch::CallFrame& frame);
PARLEY_PROXY_METHODS(PARLEY_METHOD_DECLARATION)
#undef PARLEY_METHOD_DECLARATION

// A call's registers are the arguments of sends and receives, in their order.
static_assert(sizeof(messaging::SendArguments) == 5 * sizeof(std::uint64_t));
static_assert(sizeof(messaging::ReceiveArguments) == 5 * sizeof(std::uint64_t));
static_assert(offsetof(arch::CallFrame, r9) - offsetof(arch::CallFrame, rsi) == 4 * sizeof(std::uint64_t));

inline const messaging::ReceiveArguments& receive_arguments(const arch::CallFrame& frame)
{
    return reinterpret_cast<const messaging::ReceiveArguments&>(frame.rsi);
}

// As receives answer (kernel/interface/found.h).
[[gnu::always_inline]] inline std::uint64_t tell(arch::CallFrame& frame, const messaging::Found& found)
{
    if (found) [[likely]]
        frame.rdx = found.sender();
    return static_cast<std::uint64_t>(found.contents());
}

inline std::uint64_t failure(Error error) { return static_cast<std::uint64_t>(-static_cast<long>(error)); }

inline std::uint64_t answer(const Result<std::uint64_t>& result)
{
    return result ? *result : failure(result.error());
}

} // namespace parley::kernel
