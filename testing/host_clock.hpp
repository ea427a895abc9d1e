// SPDX-License-Identifier: MIT
// The time of semaphores on the host: its steady clock.
#pragma once

#include "sched/semaphore/surroundings.hpp"
#include "testing/processes.hpp"

#include <chrono>
#include <thread>

namespace parley::testing {

class HostClock final : public sched::SemaphoreClock {
public:
    std::uint64_t nanoseconds() override
    {
        return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    }
    bool sleep_until(std::uint64_t nanoseconds_since, const Atomic<bool>& closed) override
    {
        while (nanoseconds() < nanoseconds_since && !closed.load()) {
            if (must_end())
                return false;
            std::this_thread::sleep_for(std::chrono::microseconds(100));
        }
        return true;
    }
};

} // namespace parley::testing
