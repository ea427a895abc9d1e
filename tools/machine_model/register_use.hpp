// SPDX-License-Identifier: MIT
// Which general registers an x86-64 instruction reads and writes, as far as waiting for memory goes by them.
#pragma once

#include <cstdint>
#include <span>

namespace parley::machine_model {

// A bit a register: 0 to 15 the general ones, then the flags. The stack pointer is never in it: processors
// follow it without waiting. Neither are vector registers, for no address depends on them.
using RegisterSet = std::uint32_t;
inline constexpr unsigned registers = 17;
inline constexpr RegisterSet flags_register = RegisterSet{1} << 16;

struct RegisterUse {
    RegisterSet address = 0; // of these its address in memory is computed
    RegisterSet read = 0;    // of these, and of what it reads from memory, comes what it writes
    RegisterSet written = 0;
    bool has_memory = false; // whether it may read or write memory
    bool is_conditional_jump = false;
};

// Answers which registers the instruction that these bytes encode in 64-bit mode reads and writes. Where that
// is not known exactly, more registers are named, so that no value seems to be ready before it is.
RegisterUse register_use(std::span<const std::uint8_t> bytes);

} // namespace parley::machine_model
