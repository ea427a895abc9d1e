// SPDX-License-Identifier: MIT
#include "kernel/report/heartbeat.hpp"

namespace parley::kernel {

namespace {

constexpr std::uint64_t second = 1'000'000'000;

// A counted second is a thousand million instructions, which take the host as long as they like: seconds, or
// minutes where they are slow ones. So there every tick is a sign of life.
constexpr std::uint64_t period(Clock clock) { return clock == Clock::counted ? 0 : second; }

} // namespace

void Heartbeat::beat(std::uint64_t now, std::uint64_t overdue)
{
    const std::uint64_t times[] = {now, overdue};
    results_.send(PARLEY_FRAME_HEARTBEAT, {bytes_of(times)});
}

void Heartbeat::tick(Clock clock, std::uint64_t now, std::uint64_t overdue)
{
    if (now < next_)
        return;
    next_ = now + period(clock);
    beat(now, overdue);
}

} // namespace parley::kernel
