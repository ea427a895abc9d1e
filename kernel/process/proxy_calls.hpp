// SPDX-License-Identifier: MIT
// The methods that programs can call on kernel objects, through proxies.
#pragma once

#include "arch/x86_64/trap.hpp"
#include "kernel/process/user_process.hpp"

namespace parley::kernel {

inline constexpr std::uint64_t proxy_method_count = 64;

// Set once at boot: whether every call's proxy is checked.
inline constinit bool full_proxy_checks = true;

// The call's value; type, source and block are left in the frame.
std::uint64_t proxy_call(UserProcess& self, arch::CallFrame& frame, std::uint64_t method);

} // namespace parley::kernel
