// SPDX-License-Identifier: MIT
// The methods that programs can call on kernel objects other than their message system, one function each,
// named class_method. Arguments are read from the call's registers, results are left there; the value is >= 0
// or minus an error. What they do: interface/calls.def.
#pragma once

#include "arch/x86_64/trap.hpp"
#include "base/result.hpp"
#include "kernel/process/user_process.hpp"

namespace parley::kernel {

#define PARLEY_MESSAGE_CALL(answer, name, number, parameters, arguments)
#define PARLEY_CALL(class, name, number, parameters, arguments) \
    std::uint64_t class##_##name(UserProcess& self, arch::CallFrame& frame);
#include "interface/calls.def"

inline std::uint64_t failure(Error error) { return static_cast<std::uint64_t>(-static_cast<long>(error)); }

inline std::uint64_t answer(const Result<std::uint64_t>& result)
{
    return result ? *result : failure(result.error());
}

} // namespace parley::kernel
