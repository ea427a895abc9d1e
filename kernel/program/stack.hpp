// SPDX-License-Identifier: MIT
// The stack a program starts with, as the x86-64 System V ABI and Linux lay it out: argument count,
// arguments, environment, auxiliary vector, and above them the texts and struct parley_start. It is composed
// in a buffer of the kernel's and then stored under the stack's top in one piece.
#pragma once

#include "interface/start_info.h"
#include "kernel/program/executable.hpp"
#include "kernel/program/failure.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace parley::kernel {

struct StackContents {
    std::span<const std::string_view> arguments; // the first is the program's name
    std::span<const std::string_view> environment;
    const LoadedImage& image;
    const parley_start& start;
    std::uint64_t seed; // of the sixteen bytes AT_RANDOM points to
};

// What every program finds in its environment. Fortran's units go out line by line, as terminals would have
// them, so that a program that is stopped leaves what it has written.
// `table_follows`: PARLEY_TABLE tells programs that what they report is shown as a table after the run.
std::span<const std::string_view> standard_environment(bool table_follows = false);

// Stores the stack below `top` (a multiple of 16) and returns the initial stack pointer. `scratch` bounds its
// size.
Loaded<UserAddress> build_stack(AddressSpace& space, UserAddress top, const StackContents& contents,
                                std::span<std::byte> scratch);

} // namespace parley::kernel
