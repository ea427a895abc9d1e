// SPDX-License-Identifier: MIT
// Finds out that nobody of a job on one or several machines can ever go on, by two waves of looks. If at two
// looks at every machine, the second begun when all had answered to the first, all ranks wait, none has gone
// on, no frame was sent or received between, and as many were received as sent, then between the two none
// could go on and none was on its way; and only they could signal each other.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace parley::native {

// What one look at a machine has found.
struct MachineState {
    bool all_wait;
    bool somebody_waits;         // for others
    std::uint64_t epochs;        // a hash: the same at two looks if no rank has gone on between
    std::int64_t sent, received; // frames

    bool operator==(const MachineState&) const = default;
};

// The first machine's nxrun has one. Answers may come in any order, and late.
class DeadlockSearch {
public:
    using Words = std::array<std::int64_t, 4>;

    explicit DeadlockSearch(unsigned machines) : machines_(machines) { }

    // Not all machines have answered to the last wave.
    bool is_under_way() const { return left_ > 0; }
    // Begins a wave, when none is under way. The result is its number, which the answers to it carry.
    std::int64_t begin();
    // Adds a machine's answer. True: the wave is over with it, and nobody can go on anywhere. An answer to an
    // older wave, a second answer and one of no machine of the job change nothing.
    bool add(unsigned machine, const Words& answer);

    static Words answer(std::int64_t wave, const MachineState& state);

private:
    struct Answer {
        bool come = false;
        MachineState state{};

        bool operator==(const Answer&) const = default;
    };
    bool nobody_can_go_on() const;

    const unsigned machines_;
    std::int64_t number_ = 0;
    unsigned left_ = 0; // machines that have not answered
    std::vector<Answer> answers_;
    std::vector<Answer> last_;
};

} // namespace parley::native
