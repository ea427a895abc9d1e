// SPDX-License-Identifier: MIT
// How the other processors are started, made to forget translations, and stopped.
#pragma once

#include "arch/x86_64/processor.hpp"

namespace parley::arch {

// Starts `processor` on `stack`; it loads its tables and calls on_processor_started(). Returns when it has.
void start_other_processor(Processor& processor, std::uint64_t stack, std::uint64_t emergency_stack);

// How many processors run, this one included.
unsigned running_processors();

// The handler of interrupt TRANSLATION_VECTOR.
void forget_translations();

// Provided by the kernel: the first C++ of another processor, with its tables loaded. Does not return.
[[noreturn]] void on_processor_started(Processor& processor);

} // namespace parley::arch
