// SPDX-License-Identifier: MIT
#include "tools/machine_model/write_through_memory.hpp"

namespace parley::machine_model {

WriteThroughMemory::WriteThroughMemory(unsigned processors, const CacheGeometry& geometry,
                                       const BusTimes& bus, const WriteThroughTimes& times)
    : geometry_{geometry}, times_{times}, bus_{bus}, caches_(processors, SublineCache{geometry}),
      counts_(processors)
{
}

// step(address, bytes, at) moves `at` on by what the part of the access in one subline takes.
template <class Step>
Picoseconds WriteThroughMemory::each_subline(const Access& access, const Step& step)
{
    const std::uint64_t end = access.address + access.bytes;
    Picoseconds at = access.at;
    for (std::uint64_t part = access.address; part < end;) {
        const std::uint64_t next = (part / geometry_.subline + 1) * geometry_.subline;
        step(part, (next < end ? next : end) - part, at);
        part = next;
    }
    counts_[access.processor].time += at - access.at;
    return at - access.at;
}

Picoseconds WriteThroughMemory::transfer(unsigned processor, std::uint64_t address, Picoseconds at)
{
    const Picoseconds start = bus_.begin(address, at);
    ++counts_[processor].bus_transfers;
    counts_[processor].bus_waiting += start - at;
    return start;
}

bool WriteThroughMemory::load(unsigned processor, std::uint64_t address, Picoseconds& at)
{
    if (caches_[processor].holds(address))
        return false;
    at = transfer(processor, address, at) + times_.read_miss;
    caches_[processor].fill(address);
    return true;
}

Picoseconds WriteThroughMemory::read(const Access& access)
{
    MemoryCounts& counts = counts_[access.processor];
    return each_subline(access, [&](std::uint64_t address, std::uint64_t, Picoseconds& at) {
        ++counts.reads;
        counts.read_misses += load(access.processor, address, at) ? 1 : 0;
    });
}

Picoseconds WriteThroughMemory::fetch(const Access& access)
{
    MemoryCounts& counts = counts_[access.processor];
    return each_subline(access, [&](std::uint64_t address, std::uint64_t, Picoseconds& at) {
        ++counts.fetches;
        counts.fetch_misses += load(access.processor, address, at) ? 1 : 0;
    });
}

void WriteThroughMemory::take_from_others(unsigned processor, std::uint64_t address)
{
    for (unsigned other = 0; other < caches_.size(); ++other)
        if (other != processor && caches_[other].invalidate(address))
            ++counts_[other].invalidations;
}

Picoseconds WriteThroughMemory::write(const Access& access)
{
    MemoryCounts& counts = counts_[access.processor];
    return each_subline(access, [&](std::uint64_t address, std::uint64_t bytes, Picoseconds& at) {
        ++counts.writes;
        SublineCache& cache = caches_[access.processor];
        if (!cache.holds(address)) {
            ++counts.write_misses;
            if (bytes == geometry_.subline)
                cache.put(address);
        }
        at = transfer(access.processor, address, at) + times_.write;
        take_from_others(access.processor, address);
    });
}

} // namespace parley::machine_model
