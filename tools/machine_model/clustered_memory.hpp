// SPDX-License-Identifier: MIT
// Clusters of processors, each with a memory and a cache that its processors share, and a memory for all
// behind a network.
#pragma once

#include "tools/machine_model/line_cache.hpp"
#include "tools/machine_model/memory.hpp"
#include "tools/machine_model/two_stage_network.hpp"

#include <vector>

namespace parley::machine_model {

struct ClusterGeometry {
    unsigned clusters;
    unsigned processors;  // of each
    std::uint64_t memory; // bytes of each cluster's own; they follow each other from address 0
    std::uint64_t cache;  // bytes of each cluster's cache
    unsigned ways;
    std::uint64_t line;
    unsigned banks; // of a cache, in turns of a line
};

struct ClusterTimes {
    Picoseconds bank; // how long a bank of the cache is taken
    Picoseconds hit;  // what an access takes beyond its instruction that finds its line there
    Picoseconds miss; // what it takes beyond that when it does not
};

struct GlobalTimes {
    std::uint64_t width;  // bytes of a word: modules take turns
    Picoseconds module;   // how long one is taken for a request
    NetworkTimes network; // on the way there, and back
};

// The first addresses are the clusters' own memories, what follows is for all: as many modules as there are
// processors. What a processor reads and writes of its own cluster's memory goes through that cluster's
// cache, which holds nothing else: so no two caches hold the same line. Every other access goes, word by
// word, through the network to a module, and a read waits for its way back; so does one to another cluster's
// memory, which the machine itself would refuse. A write goes on when the module has it.
class ClusteredMemory : public Memory {
public:
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
    };
    enum class Wait : bool { there, there_and_back };

    bool is_own(const Access& access) const;
    // Each adds to `count` and `missed`, and answers how long the access takes.
    Picoseconds use(const Access& access, Wait wait, std::uint64_t& count, std::uint64_t& missed);
    Picoseconds in_cluster(const Access& access, std::uint64_t& count, std::uint64_t& missed);
    Picoseconds in_global(const Access& access, Wait wait, std::uint64_t& count);

    ClusterGeometry geometry_;
    ClusterTimes cluster_times_;
    GlobalTimes global_times_;
    std::vector<Cluster> clusters_;
    std::vector<Occupancy> modules_;
    TwoStageNetwork network_;
    std::vector<MemoryCounts> counts_;
};

} // namespace parley::machine_model
