// SPDX-License-Identifier: MIT
// From a program's file to the state its first instruction finds: image, stack, heap area. Every failure has
// a sentence; what was mapped until then goes with the address space.
#pragma once

#include "kernel/program/stack.hpp"

namespace parley::kernel {

struct LoadOptions {
    bool shared_space;     // a light context: several processes in one address space
    ImageWindow window;    // where the image goes; a position-independent one starts at the window's start
    UserAddress stack_low; // a guard page is put below it
    UserAddress stack_top;
};

struct StartedProgram {
    UserAddress entry;
    UserAddress stack_pointer;
    UserAddress heap_start; // first page after the image: brk's first value
};

struct ProgramTexts {
    std::span<const std::string_view> arguments;
    const parley_start& start;
    std::uint64_t seed;
    bool table_follows = false;  // see standard_environment()
    std::string_view loops = {}; // PARLEY_LOOPS; empty: there is none
};

// `scratch` bounds the initial stack's size: 8 KiB is plenty.
Loaded<StartedProgram> start_program(AddressSpace& space, std::span<const std::byte> file,
                                     const LoadOptions& options, const ProgramTexts& texts,
                                     std::span<std::byte> scratch);

} // namespace parley::kernel
