// SPDX-License-Identifier: MIT
// Foresees whether a processor's conditional jumps are taken.
#pragma once

#include <cstdint>
#include <vector>

namespace parley::machine_model {

// Counters of two bits, found by the jump's address and by how the processor's last jumps went: as many of
// these as the number of counters has bits. Nothing but what it is told changes it.
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
