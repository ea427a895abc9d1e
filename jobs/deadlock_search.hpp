// SPDX-License-Identifier: MIT
// Finds out that nobody of a job on one or several machines can ever go on, by two waves of looks. If at two
// looks at every machine, the second begun when all had answered to the first, all programs wait, none has
// gone on, nothing was sent or received between, as much was received as sent, and no gathering was under way
// that all have begun, then between the two none could go on and nothing was on its way; and only they could
// signal each other. For nxrun's machines and for kernels that were booted together.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace parley::jobs {

// What one look at a machine has found.
struct MachineState {
    bool all_wait;
    bool somebody_waits;         // for others
    std::uint64_t epochs;        // a hash: the same at two looks if no program has gone on between
    std::int64_t sent, received; // frames that carry messages, or what becomes of them
    // What machines gather from each other, one after the other, each when all have begun it: how often this
    // one has begun, and whether the last of them is not over here.
    std::int64_t begun = 0;
    bool gathers = false;

    bool operator==(const MachineState&) const = default;
};

// The first machine has one. Answers may come in any order, and late.
class DeadlockSearch {
public:
    using Words = std::array<std::int64_t, 5>;

    // The memory for one machine. Only a DeadlockSearch uses what is in it.
    struct MachineAnswers {
        struct Answer {
            bool come = false;
            MachineState state{};

            bool operator==(const Answer&) const = default;
        };
        Answer now, before; // to the last wave, and to the one before it
    };

    // `entries`: one for each machine of the job.
    explicit DeadlockSearch(std::span<MachineAnswers> entries) : entries_(entries) { }

    // Not all machines have answered to the last wave.
    bool is_under_way() const { return left_ > 0; }
    // Begins a wave, when none is under way. The result is its number, which the answers to it carry.
    std::int64_t begin();
    // Adds a machine's answer. True: the wave is over with it, and nobody can go on anywhere. An answer to an
    // older wave, a second answer and one of no machine of the job change nothing.
    bool add(unsigned machine, const Words& answer);

    static Words answer(std::int64_t wave, const MachineState& state);

private:
    bool nobody_can_go_on() const;
    bool nothing_comes_together() const;

    const std::span<MachineAnswers> entries_;
    std::int64_t number_ = 0;
    unsigned left_ = 0; // machines that have not answered
};

} // namespace parley::jobs
