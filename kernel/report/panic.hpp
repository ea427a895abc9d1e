// SPDX-License-Identifier: MIT
// The end of the run when the kernel finds that an invariant of its own is broken. Nothing that a user
// program does leads here.
#pragma once

#include "arch/x86_64/trap.hpp"

#include <string_view>

namespace parley::kernel {

// Prints the cause and a backtrace, reports it, and ends the run with its own exit status. May be called
// anywhere, at any time.
[[noreturn]] void panic(std::string_view cause);
[[noreturn]] void panic(std::string_view cause, const arch::TrapFrame& frame);

// Ends the machine's run with a status for the runner; a machine without an exit port stops.
[[noreturn]] void end_run(unsigned status);

inline void require(bool condition, std::string_view cause)
{
    if (!condition)
        panic(cause);
}

} // namespace parley::kernel
