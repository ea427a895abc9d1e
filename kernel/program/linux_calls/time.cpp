// SPDX-License-Identifier: MIT
// Clocks and sleeps. All clocks count from boot, or from the process's start: a run must not depend on the
// day it is made on.
#include "kernel/program/linux_calls/calls.hpp"

namespace parley::kernel::linux_calls {

namespace {

constexpr std::uint64_t second = 1'000'000'000;
constexpr long last_clock = 11;   // CLOCK_TAI
constexpr long absolute_time = 1; // TIMER_ABSTIME

struct TimeSpec {
    std::int64_t seconds;
    std::int64_t nanoseconds;
};

struct TimeValue {
    std::int64_t seconds;
    std::int64_t microseconds;
};

struct ResourceUsage {
    TimeValue user;
    TimeValue system;
    std::int64_t others[14];
};

TimeValue time_value(std::uint64_t nanoseconds)
{
    return {static_cast<std::int64_t>(nanoseconds / second),
            static_cast<std::int64_t>(nanoseconds % second / 1000)};
}

constexpr long process_time = 2, thread_time = 3; // CLOCK_PROCESS_CPUTIME_ID and the thread's

std::uint64_t read_clock(Personality& personality, long clock)
{
    const std::uint64_t now = personality.control().nanoseconds();
    return clock == process_time || clock == thread_time ? now - personality.started() : now;
}

bool is_clock(long clock) { return clock >= 0 && clock <= last_clock; }

// What is left of a relative time when a message handler comes between goes to `left`, if it is not null.
LinuxValue sleep(Personality& personality, UserAddress from, bool absolute, long left = 0)
{
    const auto time = fetch_time(from);
    if (!time)
        return time.error();
    // Both are below 2^63, so the sum cannot overflow.
    const std::uint64_t start = absolute ? 0 : personality.control().nanoseconds();
    const std::uint64_t end = start + *time;
    const LinuxValue slept = linux_value(personality.control().sleep_until(end));
    if (slept != linux_error::interrupted || absolute || left == 0)
        return slept;
    const std::uint64_t now = personality.control().nanoseconds(), rest = end > now ? end - now : 0;
    const LinuxValue told = answer<16>(address(left), TimeSpec{static_cast<std::int64_t>(rest / second),
                                                               static_cast<std::int64_t>(rest % second)});
    return told < 0 ? told : slept;
}

} // namespace

LinuxValue clock_gettime(Personality& personality, Arguments arguments)
{
    if (!is_clock(integer(arguments[0])))
        return linux_error::invalid;
    const std::uint64_t now = read_clock(personality, integer(arguments[0]));
    return answer<16>(address(arguments[1]), TimeSpec{static_cast<std::int64_t>(now / second),
                                                      static_cast<std::int64_t>(now % second)});
}

LinuxValue clock_getres(Personality&, Arguments arguments)
{
    if (!is_clock(integer(arguments[0])))
        return linux_error::invalid;
    return arguments[1] == 0 ? 0 : answer<16>(address(arguments[1]), TimeSpec{0, 1});
}

LinuxValue gettimeofday(Personality& personality, Arguments arguments)
{
    const LinuxValue zone = arguments[1] == 0 ? 0 : answer<8>(address(arguments[1]), std::uint64_t{0});
    if (arguments[0] == 0 || zone < 0)
        return zone;
    return answer<16>(address(arguments[0]), time_value(personality.control().nanoseconds()));
}

LinuxValue time(Personality& personality, Arguments arguments)
{
    const auto now = static_cast<std::int64_t>(personality.control().nanoseconds() / second);
    const LinuxValue stored = arguments[0] == 0 ? 0 : answer<8>(address(arguments[0]), now);
    return stored < 0 ? stored : now;
}

LinuxValue nanosleep(Personality& personality, Arguments arguments)
{
    return sleep(personality, address(arguments[0]), false, arguments[1]);
}

LinuxValue clock_nanosleep(Personality& personality, Arguments arguments)
{
    if (!is_clock(integer(arguments[0])))
        return linux_error::invalid;
    return sleep(personality, address(arguments[2]), (arguments[1] & absolute_time) != 0, arguments[3]);
}

LinuxValue getrusage(Personality& personality, Arguments arguments)
{
    constexpr long children = -1, thread = 1;
    if (integer(arguments[0]) < children || integer(arguments[0]) > thread)
        return linux_error::invalid;
    ResourceUsage usage{};
    if (integer(arguments[0]) != children)
        usage.user = time_value(read_clock(personality, process_time));
    return answer<144>(address(arguments[1]), usage);
}

// In hundredths of a second, as the C library divides them.
LinuxValue times(Personality& personality, Arguments arguments)
{
    constexpr std::uint64_t tick = second / 100;
    const std::int64_t own[] = {static_cast<std::int64_t>(read_clock(personality, process_time) / tick), 0, 0,
                                0};
    const LinuxValue stored =
        arguments[0] == 0 ? 0 : linux_value(copy_to_user(address(arguments[0]), own, 32));
    return stored < 0 ? stored : static_cast<LinuxValue>(personality.control().nanoseconds() / tick);
}

std::expected<std::uint64_t, LinuxValue> fetch_time(UserAddress from)
{
    const auto time = read_user<TimeSpec>(from);
    if (!time)
        return std::unexpected(linux_value(time.error()));
    if (time->seconds < 0 || time->nanoseconds < 0 || time->nanoseconds >= static_cast<std::int64_t>(second))
        return std::unexpected(linux_error::invalid);
    constexpr std::int64_t longest = INT64_MAX / static_cast<std::int64_t>(second) - 1;
    if (time->seconds > longest)
        return static_cast<std::uint64_t>(INT64_MAX);
    return static_cast<std::uint64_t>(time->seconds) * second + static_cast<std::uint64_t>(time->nanoseconds);
}

} // namespace parley::kernel::linux_calls
