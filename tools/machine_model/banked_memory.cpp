// SPDX-License-Identifier: MIT
#include "tools/machine_model/banked_memory.hpp"

#include <utility>

namespace parley::machine_model {

BankedMemory::BankedMemory(unsigned processors, BankTimes times)
    : times_{std::move(times)}, banks_(times_.banks.size()), counts_(processors)
{
}

Picoseconds BankedMemory::refer(const Access& access, std::uint64_t& count)
{
    MemoryCounts& counts = counts_[access.processor];
    Picoseconds at = access.at;
    const std::uint64_t last = (access.address + access.bytes - 1) / times_.word;
    for (std::uint64_t word = access.address / times_.word; word <= last; ++word) {
        const std::size_t bank = word * times_.word / times_.width % banks_.size();
        const Picoseconds start = banks_[bank].first_free(at, times_.banks[bank]);
        banks_[bank].take(start, times_.banks[bank]);
        counts.bus_waiting += start - at;
        at = start + times_.banks[bank];
        ++count;
    }
    counts.time += at - access.at;
    return at - access.at;
}

Picoseconds BankedMemory::read(const Access& access)
{
    return refer(access, counts_[access.processor].reads);
}

Picoseconds BankedMemory::write(const Access& access)
{
    return refer(access, counts_[access.processor].writes);
}

Picoseconds BankedMemory::fetch(const Access& access)
{
    return refer(access, counts_[access.processor].fetches);
}

} // namespace parley::machine_model
