// SPDX-License-Identifier: MIT
// One of every so many csends of a job waits until its message has been delivered, so that senders never run
// far ahead of receivers.
#pragma once

#include "base/atomic.hpp"
#include "base/leaf_argument.hpp"
#include "interface/capabilities.h"
#include "messaging/interaction.hpp"

#include <string_view>

namespace parley::messaging {

class PacedInteraction final : public Interaction {
public:
    static constexpr std::string_view name = "paced";
    static constexpr std::string_view promise = "some csends return when the message has been delivered, "
                                                "the others at once; not promised: which";
    static constexpr unsigned capabilities = NX_SENDS_AWAIT_DELIVERY;
    static constexpr LeafArgument arguments[] = {
        {"period", "of how many csends one waits", units::number, 1, 1'000, 3},
    };

    explicit PacedInteraction(const LeafValues& values) : period_(values[0]) { }

    // Each csend is asked about.
    void bind(Binding& binding) const override { binding.send_nothing_eagerly(); }
    Result<void> before_put(Csend& csend) override
    {
        if (sends_.fetch_add(1, std::memory_order_relaxed) % period_ != 0)
            return {};
        return csend.count_deliveries();
    }
    // Returns at once where nothing is counted.
    Result<void> after_put(Csend& csend) override { return csend.await_deliveries(); }

private:
    Atomic<std::uint64_t> sends_{0};
    const std::uint64_t period_;
};

} // namespace parley::messaging
