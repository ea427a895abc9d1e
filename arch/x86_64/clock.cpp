// SPDX-License-Identifier: MIT
#include "arch/x86_64/clock.hpp"

#include "arch/x86_64/registers.hpp"

namespace parley::arch {

namespace {

constexpr std::uint64_t acpi_hertz = 3'579'545;
constexpr std::uint32_t acpi_mask = 0xff'ffff;

constinit std::uint64_t hertz = 0;
constinit std::uint64_t start = 0;
// nanoseconds = ticks * scale >> 32: one multiplication, no division on any path that tells the time.
constinit std::uint64_t scale = 0;

void begin_with(std::uint64_t frequency, std::uint64_t at)
{
    hertz = frequency;
    scale = (std::uint64_t{1'000'000'000} << 32) / hertz;
    start = at;
}

} // namespace

std::uint64_t measured_hertz(std::uint16_t port)
{
    constexpr std::uint32_t span = 1200; // a third of a millisecond
    const std::uint32_t first = read_port_long(port);
    const std::uint64_t from = read_time_stamp();
    std::uint64_t now = from;
    std::uint32_t passed = 0;
    // The counter right after the timer, both times, so that both have counted for as long.
    while (passed < span) {
        const std::uint32_t timer = read_port_long(port);
        now = read_time_stamp();
        passed = (timer - first) & acpi_mask;
    }
    return (now - from) * acpi_hertz / passed;
}

void calibrate_clock(std::uint16_t port)
{
    constexpr int rounds = 5;
    std::uint64_t least = measured_hertz(port);
    for (int round = 1; round < rounds; ++round) {
        const std::uint64_t again = measured_hertz(port);
        least = again < least ? again : least;
    }
    begin_with(least, read_time_stamp());
}

void take_clock_of_nanoseconds() { begin_with(1'000'000'000, 0); }

std::uint64_t clock_hertz() { return hertz; }
std::uint64_t clock_start() { return start; }

std::uint64_t nanoseconds()
{
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(read_time_stamp() - start) * scale >>
                                      32);
}

void wait_nanoseconds(std::uint64_t span)
{
    const std::uint64_t from = nanoseconds();
    while (nanoseconds() - from < span)
        __builtin_ia32_pause();
}

} // namespace parley::arch
