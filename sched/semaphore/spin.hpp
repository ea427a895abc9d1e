// SPDX-License-Identifier: MIT
// The spin lock of the documents: it needs no kernel and has no queue, and a process that waits keeps its
// processor. It is not first in, first out, and does not count: two Vs in a row are one.
#pragma once

#include "sched/semaphore/semaphore.hpp"

#include <string_view>

namespace parley::sched {

class SpinSemaphore final : public Semaphore {
public:
    static constexpr std::string_view name = "spin";
    static constexpr std::string_view promise =
        "P looks at a shared word until it is 1 and keeps its processor; no kernel call, no order, no count";
    static constexpr LeafArgument arguments[] = {
        {"delay", "turns of an empty loop between two looks", units::number, 0, 1'000'000, 0},
    };

    SpinSemaphore(const SemaphoreSurroundings&, const LeafValues& values)
        : delay_(static_cast<std::uint32_t>(values[0]))
    {
    }

    bool in_user() const override { return true; }
    std::uint32_t delay() const override { return delay_; }
    std::uint32_t largest_count() const override { return 1; }

    // Programs do not call the kernel for these.
    Result<void> p(Counter&, SemaphoreWaiter&) override { return std::unexpected(Error::no_such_call); }
    Result<void> v(Counter&) override { return std::unexpected(Error::no_such_call); }

private:
    const std::uint32_t delay_;
};

} // namespace parley::sched
