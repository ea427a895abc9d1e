// SPDX-License-Identifier: MIT
// What a processor does, as its time is told apart (base/processor_time_points.hpp). Results name activities
// by their place here (interface/results.h).
#pragma once

#include <cstdint>

namespace parley {

enum class Activity : std::uint8_t {
    user,            // a program's own instructions
    call,            // a system call, with what it does that is none of the following
    fault,           // a page fault at whose page no other processor was
    shared_fault,    // a page fault at whose page another processor was meanwhile
    exception,       // another trap of a program
    critical,        // holds one of the kernel's spin locks
    lock_wait,       // waits for a lock in the kernel
    switching,       // changes from one process to another
    cross_interrupt, // serves an interrupt that another processor sent
    tick,            // serves an interrupt of the clock or of a device
    kernel,          // a process of the kernel's own, and a program's before it begins
    idle,
};
inline constexpr unsigned activities = static_cast<unsigned>(Activity::idle) + 1;

} // namespace parley
