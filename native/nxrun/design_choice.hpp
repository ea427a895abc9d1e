// SPDX-License-Identifier: MIT
// Chooses the message system of a job on Linux: takes a design as the user wrote it, and replaces what needs
// the project's kernel, since here every rank is a process of Linux.
#pragma once

#include "messaging/design/design.hpp"

#include <iosfwd>
#include <string>

namespace parley::native {

struct DesignChoice {
    messaging::Design design;
    std::string text;    // canonical: what runs
    std::string changed; // how it differs from what the name means in the kernel; empty: not at all
    bool has_static_row; // the library with static dispatch has it
};

// What runs when the user names no design: `processes` of the job share so many of a computer's processors.
std::string default_design(unsigned processes, unsigned processors);

// Reads a design as users write it, and says what runs here. Throws BadRequest, where it makes no sense.
DesignChoice choose_design(const std::string& wanted, unsigned processes, unsigned processors,
                           unsigned machines);

// A line for each named design, with what runs under its name here, then one for each class that may take
// another's place, as `factor=class`, with what it promises. The first word of a line is what a design says.
void list_designs(std::ostream& out);

} // namespace parley::native
