// SPDX-License-Identifier: MIT
// Which general registers an x86-64 instruction reads and writes, as far as waiting for memory goes by them.
#pragma once

#include <cstdint>
#include <span>

namespace parley::machine_model {

// A bit a register: 0 to 15 the general ones, then the flags, then all vector registers and those of x87 as
// one. The stack pointer is never in it: processors follow it without waiting.
using RegisterSet = std::uint32_t;
inline constexpr unsigned registers = 18;
inline constexpr RegisterSet flags_register = RegisterSet{1} << 16;
inline constexpr RegisterSet vector_registers = RegisterSet{1} << 17;

struct RegisterUse {
    RegisterSet address = 0;  // of these its address in memory is computed
    RegisterSet read = 0;     // of these, and of what it reads from memory, comes what it writes
    RegisterSet written = 0;  // whole, but for
    RegisterSet kept = 0;     // these, of whose value a part stays, or which it may leave as they were
    RegisterSet advanced = 0; // what it writes of the address's registers alone
    bool has_memory = false;  // whether it may read or write memory
    bool is_conditional_jump = false;
};

// Answers which registers the instruction that these bytes encode in 64-bit mode reads and writes. Where that
// is not known exactly, more registers are named, so that no value seems to be ready before it is.
RegisterUse register_use(std::span<const std::uint8_t> bytes);

} // namespace parley::machine_model
