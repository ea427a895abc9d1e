// SPDX-License-Identifier: MIT
// Interrupting a program for its message handlers (interface/upcall.h). An interruption starts only between
// two instructions of the program's own code. While the program is inside a library its code is hidden
// instead, made not executable, so that the library's return faults and starts it right there: nothing is
// interrupted half done, nothing polls.
#pragma once

#include "arch/x86_64/trap.hpp"
#include "base/result.hpp"

#include <cstdint>

namespace parley::kernel {

class UserProcess;

// The program says where it can be interrupted, [start, end), and where it is entered then. Errors:
// bad_argument.
Result<std::uint64_t> set_upcall(UserProcess& self, UserAddress entry, UserAddress start, UserAddress end);
// Has the program of a process interrupted, wherever it is. Called by any process, or by the tick.
void interrupt_program(UserProcess& target);

// The caller looks at its handlers when it hears of the interruption, or else is interrupted when it goes on
// in its program.
void postpone_upcall(UserProcess& self);

// Called on the way back to user mode when an interruption is due: after a call, with the value that it
// answers, or after an interrupt.
void settle_upcall(UserProcess& self, std::uint64_t value);
void settle_upcall(UserProcess& self, arch::TrapFrame& frame);
// The program is about to have another thread, which would be held up by hidden code. Called by its first.
void show_code_to_threads(UserProcess& self);
// A program tried to execute memory that it may not. True: that was hidden code, and the program has been
// interrupted.
bool begin_hidden_code(UserProcess& self, arch::TrapFrame& frame, UserAddress address);

} // namespace parley::kernel
