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

// What a machine says of itself at one look, as it crosses between machines.
struct Quiet {
    bool all_wait;
    bool somebody_waits;         // for others
    std::uint64_t epochs;        // a hash: the same at two looks if no rank has gone on between
    std::int64_t sent, received; // frames

    bool operator==(const Quiet&) const = default;
};

// The first machine's nxrun has one; answers may come in any order, and late.
class QuietWaves {
public:
    using Words = std::array<std::int64_t, 4>;

    explicit QuietWaves(unsigned machines) : machines_(machines) { }

    // Not all have answered to the last one.
    bool is_under_way() const { return left_ > 0; }
    // The number of a new wave, which the answers to it carry. Only when none is under way.
    std::int64_t begin();
    // A machine's answer. True: with it the wave is over, and nobody can go on anywhere. An answer to an
    // older wave, a second one and one of no machine of the job are passed over.
    bool hear(unsigned machine, const Words& answer);

    static Words answer(std::int64_t wave, const Quiet& quiet);

private:
    struct Answer {
        bool come = false;
        Quiet quiet{};

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
