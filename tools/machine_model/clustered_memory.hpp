// SPDX-License-Identifier: MIT
// A memory for all processors behind a network, and clusters of processors, each with a memory, a cache and a
// concurrency bus that its processors share.
#pragma once

#include "tools/machine_model/line_cache.hpp"
#include "tools/machine_model/memory.hpp"
#include "tools/machine_model/two_stage_network.hpp"

#include <vector>

namespace parley::machine_model {

struct ClusterGeometry {
    unsigned clusters;
    unsigned processors;  // of each
    std::uint64_t memory; // bytes of each cluster's own memory
    std::uint64_t cache;  // bytes of each cluster's cache
    unsigned ways;
    std::uint64_t line;
    unsigned banks; // of a cache, in turns of a line
};

struct ClusterTimes {
    Picoseconds bank; // how long a bank of the cache is taken
    Picoseconds hit;  // what an access that finds its line there takes beyond its instruction
    Picoseconds miss; // what it takes beyond that when it does not
    Picoseconds bus;  // what an operation of the concurrency bus takes
};

struct GlobalTimes {
    std::uint64_t memory; // bytes
    std::uint64_t width;  // bytes of a word: modules take turns
    Picoseconds module;   // how long one is taken for a request
    NetworkTimes network; // on the way there, and back
};

// The first addresses are the memory for all, in as many modules as there are processors. The clusters' own
// memories follow, each cluster's last page being its concurrency bus, which does one operation at a time.
//
// What a processor reads and writes of its cluster's memory goes through that cluster's cache, which holds
// nothing else: so no two caches hold the same data. Every other access goes, word by word, through the
// network to a module, and a read waits for its way back; so does one to another cluster's memory, which the
// machine itself would refuse. A write goes on when the module takes it. To fetch instructions takes no time:
// each processor has a cache for them, which is taken to hold them all.
class ClusteredMemory : public Memory {
public:
    static constexpr std::uint64_t bus_page = 4096; // bytes

    // `geometry.processors` is a multiple of `geometry.clusters`.
    ClusteredMemory(const ClusterGeometry& geometry, const ClusterTimes& cluster, const GlobalTimes& global);

    bool takes_time() const override { return true; }
    Picoseconds read(const Access& access) override;
    Picoseconds write(const Access& access) override;
    Picoseconds fetch(const Access& access) override;
    const MemoryCounts& counts(unsigned processor) const override { return counts_[processor]; }

private:
    struct Cluster {
        LineCache cache;
        std::vector<Occupancy> banks;
        Occupancy bus;
    };
    enum class Wait : bool { there, there_and_back };

    Cluster& cluster_of(unsigned processor) { return clusters_[processor / geometry_.processors]; }
    // Where in its cluster's own memory the access begins; geometry_.memory or more: not there.
    std::uint64_t place_in_own(const Access& access) const;

    // Each adds to `count` and `missed`, and answers when the access has ended.
    Picoseconds use(const Access& access, Wait wait, std::uint64_t& count, std::uint64_t& missed);
    Picoseconds through_cache(const Access& access, std::uint64_t& count, std::uint64_t& missed);
    Picoseconds over_bus(const Access& access, std::uint64_t& count);
    Picoseconds over_network(const Access& access, Wait wait, std::uint64_t& count);

    // Takes it for so long at the first time that is free. Answers when it begins.
    Picoseconds take(Occupancy& taken, Picoseconds span, const Access& access, Picoseconds at);

    ClusterGeometry geometry_;
    ClusterTimes cluster_times_;
    GlobalTimes global_times_;
    std::vector<Cluster> clusters_;
    std::vector<Occupancy> modules_;
    TwoStageNetwork network_;
    std::vector<MemoryCounts> counts_;
};

} // namespace parley::machine_model
