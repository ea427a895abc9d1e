// SPDX-License-Identifier: MIT
// A bus to banks of memory: each carries or serves one transfer at a time, first come, first served.
#pragma once

#include "tools/machine_model/time.hpp"

#include <cstdint>
#include <vector>

namespace parley::machine_model {

struct BusTimes {
    Picoseconds transfer; // that the bus is taken for each transfer
    Picoseconds bank;     // that a bank is taken
    unsigned banks;       // at least one
    std::uint64_t width;  // bytes that follow each other in one bank
};

class Bus {
public:
    explicit Bus(const BusTimes& times) : times_{times}, banks_(times.banks) { }

    // Takes bus and bank for a transfer of what holds the address, asked for at `at`: when it begins.
    Picoseconds begin(std::uint64_t address, Picoseconds at)
    {
        Picoseconds& bank = banks_[address / times_.width % banks_.size()];
        Picoseconds start = at < free_ ? free_ : at;
        start = start < bank ? bank : start;
        free_ = start + times_.transfer;
        bank = start + times_.bank;
        return start;
    }

private:
    BusTimes times_;
    Picoseconds free_ = 0;           // when the bus is
    std::vector<Picoseconds> banks_; // when each is free
};

} // namespace parley::machine_model
