// SPDX-License-Identifier: MIT
// Foresees whether a processor's conditional jumps are taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace parley::machine_model {

// What one processor foresees by: a table of counters from 0 to 3, which go up with a jump that is taken and
// down with one that is not. From 2 on it foresees that the jump is taken. How the last jumps went is a
// number, a bit for each, the latest the lowest, 1 for a jump that was taken. A jump's counter is the entry
// whose index is the exclusive or of that number and the jump's address, as far as the table goes: so a jump
// has a counter for each way in which those before it went, and shares them with other jumps.
class BranchPredictor {
public:
    // `counters`: a power of two.
    explicit BranchPredictor(std::size_t counters) : counters_(counters, weakly_taken) { }

    // Whether it foresaw that; it learns from each.
    bool foresaw(std::uint64_t address, bool taken)
    {
        std::uint8_t& counter = counters_[(address ^ history_) & (counters_.size() - 1)];
        const bool right = (counter >= weakly_taken) == taken;
        if (taken && counter < surely_taken)
            ++counter;
        if (!taken && counter > 0)
            --counter;
        history_ = history_ << 1 | (taken ? 1 : 0);
        return right;
    }

private:
    static constexpr std::uint8_t weakly_taken = 2, surely_taken = 3;

    std::vector<std::uint8_t> counters_;
    std::uint64_t history_ = 0;
};

} // namespace parley::machine_model
