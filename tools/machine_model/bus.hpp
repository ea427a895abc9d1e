// SPDX-License-Identifier: MIT
// A bus to banks of memory: each carries or serves one transfer at a time.
#pragma once

#include "tools/machine_model/occupancy.hpp"

#include <cstdint>
#include <vector>

namespace parley::machine_model {

struct BusTimes {
    Picoseconds transfer; // how long the bus is taken for each transfer
    Picoseconds bank;     // how long a bank is taken
    unsigned banks;       // at least one
    std::uint64_t width;  // bytes that follow each other in one bank
};

class Bus {
public:
    explicit Bus(const BusTimes& times) : times_{times}, banks_(times.banks) { }

    // Takes the bus, and the bank of the address, for a transfer that is asked for at `at`. Answers when it
    // begins.
    Picoseconds begin(std::uint64_t address, Picoseconds at)
    {
        Occupancy& bank = banks_[address / times_.width % banks_.size()];
        Picoseconds start = at;
        for (Picoseconds before = never; start != before;) {
            before = start;
            start = bank.first_free(bus_.first_free(start, times_.transfer), times_.bank);
        }
        bus_.take(start, times_.transfer);
        bank.take(start, times_.bank);
        return start;
    }
    // As begin(), for a transfer that memory has no part in.
    Picoseconds begin_without_bank(Picoseconds at)
    {
        const Picoseconds start = bus_.first_free(at, times_.transfer);
        bus_.take(start, times_.transfer);
        return start;
    }

private:
    BusTimes times_;
    Occupancy bus_;
    std::vector<Occupancy> banks_;
};

} // namespace parley::machine_model
