// SPDX-License-Identifier: MIT
// Brings a program's file into the calling process's memory wherever there is room, as Linux does for a new
// process (System V ABI, AMD64 supplement, chapters 3.4 and 5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace parley::native {

struct ProgramImage {
    // Throws std::runtime_error with a sentence: there is no such file, it is none for this machine, it must
    // lie at an address of its own, or there is no memory for it.
    explicit ProgramImage(const std::string& file);

    std::uintptr_t base; // added to the addresses in the file
    std::uintptr_t entry;
    std::uintptr_t headers; // of its segments
    std::size_t header_count;
    std::string linker; // the dynamic linker's file; empty: it needs none
};

// A stack as a program finds it when it begins. Its memory is never given back.
struct InitialStack {
    // `linker`: null, if the program needs none. Throws std::runtime_error, when there is no memory.
    InitialStack(const ProgramImage& program, const ProgramImage* linker,
                 const std::vector<std::string>& words, const std::vector<std::string>& environment);

    std::uintptr_t pointer;
};

// Maps a stack of the size that the limits of this process ask for, with a page below it that nobody may
// touch. The result is its upper end. Throws std::runtime_error.
std::uintptr_t new_stack();

} // namespace parley::native
