// SPDX-License-Identifier: MIT
// Time since boot from the time-stamp counter. How fast that counts, calibrate_clock() or
// take_clock_of_nanoseconds() says; until then the time is 0.
#pragma once

#include <cstdint>

namespace parley::arch {

// Measures the counter's frequency: the smallest of several short measurements, since a busy host seldom
// takes the kernel away between the first two readings, and adds wherever else it does.
void calibrate_clock(std::uint16_t acpi_timer_port);
// The counter shows nanoseconds of the machine's time, and so does nanoseconds() from now on.
void take_clock_of_nanoseconds();
// What a single measurement finds.
std::uint64_t measured_hertz(std::uint16_t acpi_timer_port);
std::uint64_t clock_hertz();
std::uint64_t nanoseconds();
// What the counter showed when nanoseconds() was 0.
std::uint64_t clock_start();
void wait_nanoseconds(std::uint64_t span);

} // namespace parley::arch
