// SPDX-License-Identifier: MIT
#include "tools/machine_model/clustered_memory.hpp"

namespace parley::machine_model {

ClusteredMemory::ClusteredMemory(const ClusterGeometry& geometry, const ClusterTimes& cluster,
                                 const GlobalTimes& global)
    : geometry_{geometry}, cluster_times_{cluster}, global_times_{global},
      clusters_(geometry.clusters, Cluster{LineCache(geometry.cache / geometry.line, geometry.ways),
                                           std::vector<Occupancy>(geometry.banks),
                                           {}}),
      modules_(std::size_t{geometry.clusters} * geometry.processors),
      network_(geometry.clusters, geometry.processors, global.network), counts_(modules_.size())
{
}

std::uint64_t ClusteredMemory::place_in_own(const Access& access) const
{
    const std::uint64_t first =
        global_times_.memory + access.processor / geometry_.processors * geometry_.memory;
    return access.address < first ? geometry_.memory : access.address - first;
}

Picoseconds ClusteredMemory::take(Occupancy& taken, Picoseconds span, const Access& access, Picoseconds at)
{
    const Picoseconds start = taken.first_free(at, span);
    taken.take(start, span);
    counts_[access.processor].bus_waiting += start - at;
    return start;
}

Picoseconds ClusteredMemory::through_cache(const Access& access, std::uint64_t& count, std::uint64_t& missed)
{
    Cluster& cluster = cluster_of(access.processor);
    Picoseconds at = access.at;
    const std::uint64_t last = (access.address + access.bytes - 1) / geometry_.line;
    for (std::uint64_t line = access.address / geometry_.line; line <= last; ++line) {
        Occupancy& bank = cluster.banks[line % cluster.banks.size()];
        at = take(bank, cluster_times_.bank, access, at) + cluster_times_.hit;
        ++count;
        if (!cluster.cache.use(line)) {
            cluster.cache.put(line);
            at += cluster_times_.miss;
            ++missed;
        }
    }
    return at;
}

Picoseconds ClusteredMemory::over_bus(const Access& access, std::uint64_t& count)
{
    ++count;
    ++counts_[access.processor].bus_transfers;
    const Picoseconds start = take(cluster_of(access.processor).bus, cluster_times_.bus, access, access.at);
    return start + cluster_times_.bus;
}

Picoseconds ClusteredMemory::over_network(const Access& access, Wait wait, std::uint64_t& count)
{
    const unsigned cluster = access.processor / geometry_.processors;
    MemoryCounts& counts = counts_[access.processor];
    const Picoseconds unhindered = 2 * global_times_.network.stage;
    Picoseconds at = access.at;
    const std::uint64_t last = (access.address + access.bytes - 1) / global_times_.width;
    for (std::uint64_t word = access.address / global_times_.width; word <= last; ++word) {
        const auto module = static_cast<unsigned>(word % modules_.size());
        const Picoseconds arrives = network_.there(cluster, module, at);
        counts.bus_waiting += arrives - at - unhindered;
        at = take(modules_[module], global_times_.module, access, arrives);
        ++counts.bus_transfers;
        ++count;
        if (wait == Wait::there)
            continue;
        const Picoseconds answered = at + global_times_.module;
        at = network_.back(module, cluster, access.processor % geometry_.processors, answered);
        counts.bus_waiting += at - answered - unhindered;
    }
    return at;
}

Picoseconds ClusteredMemory::use(const Access& access, Wait wait, std::uint64_t& count, std::uint64_t& missed)
{
    const std::uint64_t place = place_in_own(access);
    Picoseconds end = 0;
    if (place >= geometry_.memory)
        end = over_network(access, wait, count);
    else if (place >= geometry_.memory - bus_page)
        end = over_bus(access, count);
    else
        end = through_cache(access, count, missed);
    counts_[access.processor].time += end - access.at;
    return end - access.at;
}

Picoseconds ClusteredMemory::read(const Access& access)
{
    MemoryCounts& counts = counts_[access.processor];
    return use(access, Wait::there_and_back, counts.reads, counts.read_misses);
}

Picoseconds ClusteredMemory::write(const Access& access)
{
    MemoryCounts& counts = counts_[access.processor];
    return use(access, Wait::there, counts.writes, counts.write_misses);
}

Picoseconds ClusteredMemory::fetch(const Access& access)
{
    ++counts_[access.processor].fetches;
    return 0;
}

} // namespace parley::machine_model
