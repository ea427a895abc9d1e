// SPDX-License-Identifier: MIT
// What a program did that ended it, or was doing when it was ended, in words. The kernel uses this, and
// nxrun on Linux. Each function writes the end of a sentence that begins with the name of the program.
#pragma once

#include "base/text.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace parley::jobs {

inline constexpr std::uint64_t general_protection = 13; // vectors of x86-64's exceptions
inline constexpr std::uint64_t page_fault = 14;

enum class FaultAccess { read, write, execute };

// "divided an integer by zero": an exception, named by its vector. It must not be a page fault.
std::string_view exception_sentence(std::uint64_t vector);

// "tried to write at 0x1234, where it may not,"
void describe_access(TextWriter& text, std::uint64_t address, FaultAccess access);
// "used up its stack of 8 MiB"
void describe_full_stack(TextWriter& text, std::size_t stack_bytes);

// " in its instruction at 0x401136" follows each of these, and "was computing". A report by a tool that
// knows the program's names has " in main, bad.c:6 (at 0x401136)" there instead.
void add_instruction(TextWriter& text, std::uint64_t instruction);

// "was computing in its instruction at 0x401136"
void describe_computing(TextWriter& text, std::uint64_t instruction);
// "was in the Linux call nanosleep"
void describe_linux_call(TextWriter& text, std::string_view name);

} // namespace parley::jobs
