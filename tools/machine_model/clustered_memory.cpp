// SPDX-License-Identifier: MIT
#include "tools/machine_model/clustered_memory.hpp"

namespace parley::machine_model {

ClusteredMemory::ClusteredMemory(const ClusterGeometry& geometry, const ClusterTimes& cluster,
                                 const GlobalTimes& global)
    : geometry_{geometry}, cluster_times_{cluster}, global_times_{global},
      clusters_(geometry.clusters, Cluster{LineCache(geometry.cache / geometry.line, geometry.ways),
                                           std::vector<Occupancy>(geometry.banks)}),
      modules_(geometry.clusters * geometry.processors),
      network_(geometry.clusters, geometry.processors, global.network),
      counts_(geometry.clusters * geometry.processors)
{
}

bool ClusteredMemory::is_own(const Access& access) const
{
    return access.address / geometry_.memory == access.processor / geometry_.processors;
}

Picoseconds ClusteredMemory::use(const Access& access, Wait wait, std::uint64_t& count, std::uint64_t& missed)
{
    const Picoseconds took =
        is_own(access) ? in_cluster(access, count, missed) : in_global(access, wait, count);
    counts_[access.processor].time += took;
    return took;
}

Picoseconds ClusteredMemory::in_cluster(const Access& access, std::uint64_t& count, std::uint64_t& missed)
{
    Cluster& cluster = clusters_[access.processor / geometry_.processors];
    Picoseconds at = access.at;
    const std::uint64_t last = (access.address + access.bytes - 1) / geometry_.line;
    for (std::uint64_t line = access.address / geometry_.line; line <= last; ++line) {
        Occupancy& bank = cluster.banks[line % cluster.banks.size()];
        const Picoseconds start = bank.first_free(at, cluster_times_.bank);
        bank.take(start, cluster_times_.bank);
        counts_[access.processor].bus_waiting += start - at;
        at = start + cluster_times_.hit;
        ++count;
        if (!cluster.cache.use(line)) {
            cluster.cache.put(line);
            at += cluster_times_.miss;
            ++missed;
        }
    }
    return at - access.at;
}

Picoseconds ClusteredMemory::in_global(const Access& access, Wait wait, std::uint64_t& count)
{
    const unsigned cluster = access.processor / geometry_.processors;
    Picoseconds at = access.at;
    const Picoseconds both_stages = 2 * global_times_.network.stage;
    const std::uint64_t last = (access.address + access.bytes - 1) / global_times_.width;
    for (std::uint64_t word = access.address / global_times_.width; word <= last; ++word) {
        const auto number = static_cast<unsigned>(word % modules_.size());
        const Picoseconds arrives = network_.there(cluster, number, at);
        const Picoseconds start = modules_[number].first_free(arrives, global_times_.module);
        modules_[number].take(start, global_times_.module);
        counts_[access.processor].bus_waiting += start - at - both_stages;
        ++counts_[access.processor].bus_transfers;
        ++count;
        at = start;
        if (wait == Wait::there)
            continue;
        const Picoseconds answered = start + global_times_.module;
        at = network_.back(number, cluster, access.processor % geometry_.processors, answered);
        counts_[access.processor].bus_waiting += at - answered - both_stages;
    }
    return at - access.at;
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
    MemoryCounts& counts = counts_[access.processor];
    return use(access, Wait::there_and_back, counts.fetches, counts.fetch_misses);
}

} // namespace parley::machine_model
