// SPDX-License-Identifier: MIT
// The methods that programs can call on kernel objects other than their message system, one function each,
// whose name is the call's in interface/calls.def, which says what it does. It reads the arguments from the
// call's registers and leaves the results there; the value is >= 0 or minus an error.
#pragma once

#include "arch/x86_64/trap.hpp"
#include "base/result.hpp"
#include "kernel/process/user_process.hpp"

namespace parley::kernel {

#define PARLEY_MESSAGE_CALL(answer, name, number, parameters, arguments)
#define PARLEY_CALL(class, name, number, parameters, arguments) \
    std::uint64_t name(UserProcess& self, arch::CallFrame& frame);
#include "interface/calls.def"

inline std::uint64_t failure(Error error) { return static_cast<std::uint64_t>(-static_cast<long>(error)); }

inline std::uint64_t answer(const Result<std::uint64_t>& result)
{
    return result ? *result : failure(result.error());
}

} // namespace parley::kernel
