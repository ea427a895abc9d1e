// SPDX-License-Identifier: MIT
// Time since boot from the time-stamp counter, whose frequency is measured once against the ACPI timer.
#pragma once

#include <cstdint>

namespace parley::arch {

// Measures the counter's frequency, the smallest of several short measurements, since a busy host only ever
// adds.
void calibrate_clock(std::uint16_t acpi_timer_port);
// The counter shows nanoseconds of the machine's time, and so does nanoseconds() from now on.
void take_clock_of_nanoseconds();
std::uint64_t clock_hertz();
std::uint64_t nanoseconds();
// What the counter showed when nanoseconds() was 0.
std::uint64_t clock_start();
void wait_nanoseconds(std::uint64_t span);

} // namespace parley::arch
