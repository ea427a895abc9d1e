// SPDX-License-Identifier: MIT
// Banks of memory behind a crossbar, and no caches: every word is a reference to its bank.
#pragma once

#include "tools/machine_model/memory.hpp"
#include "tools/machine_model/occupancy.hpp"

#include <vector>

namespace parley::machine_model {

struct BankTimes {
    std::uint64_t word;             // bytes of a reference
    std::uint64_t width;            // bytes that follow each other in one bank
    std::vector<Picoseconds> banks; // how long each is taken for a reference; at least one bank
};

// The crossbar joins every processor with every bank, so only who wants the same bank waits. A reference
// takes as long as its bank is taken.
class BankedMemory : public Memory {
public:
    BankedMemory(unsigned processors, BankTimes times);

    bool takes_time() const override { return true; }
    Picoseconds read(const Access& access) override;
    Picoseconds write(const Access& access) override;
    Picoseconds fetch(const Access& access) override;
    const MemoryCounts& counts(unsigned processor) const override { return counts_[processor]; }

private:
    // Refers to all words of the access, one after the other, and adds their number to `count`. Answers how
    // long that takes.
    Picoseconds refer(const Access& access, std::uint64_t& count);

    BankTimes times_;
    std::vector<Occupancy> banks_;
    std::vector<MemoryCounts> counts_;
};

} // namespace parley::machine_model
