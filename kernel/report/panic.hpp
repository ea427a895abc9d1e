// SPDX-License-Identifier: MIT
// The end of everything: a broken invariant of the kernel's own. Never the answer to anything a user program
// does.
#pragma once

#include "arch/x86_64/trap.hpp"

#include <string_view>

namespace parley::kernel {

// Print the cause and a backtrace, report it, end the run with its own exit status. Callable anywhere, at any
// time.
[[noreturn]] void panic(std::string_view cause);
[[noreturn]] void panic(std::string_view cause, const arch::TrapFrame& frame);

// End the machine's run with a status for the runner; on a machine without an exit port, stop.
[[noreturn]] void end_run(unsigned status);

inline void require(bool condition, std::string_view cause)
{
    if (!condition)
        panic(cause);
}

} // namespace parley::kernel
