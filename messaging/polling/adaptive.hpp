// SPDX-License-Identifier: MIT
// The busier the near source is beside the far one, the more polls pass between two looks into that. Each
// source has an estimate of its messages a poll, a moving average in whole numbers: of the near one after
// each poll, of the far one after each look, as if the polls between had been looks. The estimate of a far
// source from which nothing comes settles at 1, so it can divide. (Lumetta, 4.2: equations 4.6 to 4.8.)
#pragma once

#include "base/leaf_argument.hpp"
#include "messaging/polling.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>

namespace parley::messaging {

class AdaptivePolling final : public Polling {
public:
    static constexpr std::string_view name = "adaptive";
    static constexpr std::string_view promise =
        "the busier the near source beside the far one, the fewer polls look into that";
    // A period is at most the least damping, twice: up to there the far estimate never comes to 0.
    static constexpr LeafArgument arguments[] = {
        {"shortest", "fewest polls of which one looks into the far source, if the most are not fewer",
         units::number, 1, 4'096, 4},
        {"longest", "most polls of which one looks into the far source, up to twice the damping",
         units::number, 1, 4'096, 64},
        {"accuracy", "an estimate of one message a poll", units::power_of_two, 16, 1 << 20, 4'096},
        {"damping", "polls over which an estimate is taken", units::power_of_two, 2, 1 << 16, 256}};

    // Near messages count so many times as far ones.
    static constexpr std::uint64_t equality = 4;

    explicit AdaptivePolling(const LeafValues& values)
        : longest_(std::min(values[1], 2 * values[3])), shortest_(std::min(values[0], longest_)),
          accuracy_(values[2]), damping_shift_(std::countr_zero(values[3]))
    {
    }

    // The estimates, in messages a poll times the accuracy, as of the last poll that took near messages or
    // looked; of near ones times the equality, too.
    std::uint64_t near_estimate() const { return near_; }
    std::uint64_t far_estimate() const { return far_; }

private:
    // What a step towards `counted` makes of an estimate: ((divisor - 1) estimate + counted) / divisor, where
    // the divisor is 2^shift, without a division and rounded down as there.
    static std::uint64_t moved(std::uint64_t estimate, std::uint64_t counted, int shift)
    {
        return estimate + static_cast<std::uint64_t>(static_cast<std::int64_t>(counted - estimate) >> shift);
    }

    void remember(std::uint64_t idle, unsigned near) override
    {
        forget(idle);
        near_ = moved(near_, equality * accuracy_ * near, damping_shift_); // 4.8
    }
    std::uint64_t choose_period(std::uint64_t idle, unsigned far) override
    {
        forget(idle);
        const std::uint64_t polls = period();
        const std::uint64_t others = (polls - 1) * far_;                          // of the polls between
        far_ = moved(far_, polls + accuracy_ * far - others, damping_shift_ + 1); // 4.6
        return std::clamp(near_ / far_, shortest_, longest_);                     // 4.7
    }

    // What as many calls of moved(near, 0) come to, for polls that have taken no near message. There are many
    // of them to a message, whose sender may be waiting for the answer. What each takes of the estimate stays
    // the same for a while, so polls that take the same are taken at once.
    void forget(std::uint64_t polls)
    {
        const std::uint64_t rest = (std::uint64_t{1} << damping_shift_) - 1;
        std::uint64_t near = near_;
        while (polls != 0 && near != 0) {
            const std::uint64_t each = (near + rest) >> damping_shift_;
            const std::uint64_t above = near + rest - (each << damping_shift_);
            const std::uint64_t alike = std::min(polls, above / each + 1);
            near -= alike * each;
            polls -= alike;
        }
        near_ = near;
    }

    // No sum of an estimate overflows, so the far one is never 0: it is at most that of one poll.
    static_assert((2ull << 16) * (1ull << 20) * (most_messages + 1ull) < 1ull << 62);

    const std::uint64_t longest_, shortest_, accuracy_;
    const int damping_shift_;
    std::uint64_t near_ = 0;
    std::uint64_t far_ = 1; // 0 would stay 0
};

} // namespace parley::messaging
