// SPDX-License-Identifier: MIT
// A cache for each processor, written through over one bus to banks of memory, on which all caches snoop.
#pragma once

#include "tools/machine_model/bus.hpp"
#include "tools/machine_model/memory.hpp"
#include "tools/machine_model/subline_cache.hpp"

#include <vector>

namespace parley::machine_model {

struct WriteThroughTimes {
    Picoseconds read_miss; // from the beginning of the transfer until the processor goes on
    Picoseconds write;     // the same, for a store
};

// An access is made of accesses to sublines, one after the other. A read that misses brings what a fill
// brings. A store goes to memory, makes its subline valid here if it is whole, and takes the subline from all
// other caches. Instructions are fetched through the same cache.
class WriteThroughMemory : public Memory {
public:
    WriteThroughMemory(unsigned processors, const CacheGeometry& geometry, const BusTimes& bus,
                       const WriteThroughTimes& times);

    bool takes_time() const override { return true; }
    Picoseconds read(const Access& access) override;
    Picoseconds write(const Access& access) override;
    Picoseconds fetch(const Access& access) override;
    const MemoryCounts& counts(unsigned processor) const override { return counts_[processor]; }

private:
    template <class Step>
    Picoseconds each_subline(const Access& access, const Step& step);
    // Whether a transfer brought the subline; then `at` is when the processor has it.
    bool load(unsigned processor, std::uint64_t address, Picoseconds& at);
    Picoseconds transfer(unsigned processor, std::uint64_t address, Picoseconds at);
    void take_from_others(unsigned processor, std::uint64_t address);

    CacheGeometry geometry_;
    WriteThroughTimes times_;
    Bus bus_;
    std::vector<SublineCache> caches_;
    std::vector<MemoryCounts> counts_;
};

} // namespace parley::machine_model
