// SPDX-License-Identifier: MIT
// Finds the functions and lines of programs by the addresses of instructions. It asks addr2line of the
// binutils, where that is installed.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace parley::native {

class SourceNames {
public:
    // An instruction, by its offset in its file and its address in the process.
    struct Instruction {
        std::string file; // empty: nobody knows
        std::uint64_t offset;
        std::uint64_t address;
    };

    // The words of a report, "... in its instruction at 0x401136", with "in main, bad.c:12 (at 0x401136)" for
    // that, as much as is known.
    std::string named(const std::string& report, const Instruction& at);

private:
    std::string look_up(const Instruction& at);

    std::map<std::pair<std::string, std::uint64_t>, std::string> known_;
    std::chrono::duration<double> spent_{}; // in look_up()
};

} // namespace parley::native
