// SPDX-License-Identifier: MIT
// Processors and modules of memory, and between them two networks, one for each way, of two stages of
// crossbars that have as many ways in and out as a cluster has processors.
#pragma once

#include "tools/machine_model/occupancy.hpp"

#include <cstddef>
#include <vector>

namespace parley::machine_model {

struct NetworkTimes {
    Picoseconds stage; // what a word takes through one stage
    Picoseconds port;  // how long it has a crossbar's way out
};

// Each cluster has a crossbar of the first stage to itself, and each crossbar of the second leads to as many
// modules. A word that wants a way out which another has waits in front of it.
class TwoStageNetwork {
public:
    // `modules` is `clusters` times `radix`, and `radix` a multiple of `clusters`.
    TwoStageNetwork(unsigned clusters, unsigned radix, const NetworkTimes& times);

    // When a word that a cluster's processor sends at `at` is at the module.
    Picoseconds there(unsigned cluster, unsigned module, Picoseconds at);
    // When a word that the module sends at `at` is at the processor of that number in its cluster.
    Picoseconds back(unsigned module, unsigned cluster, unsigned processor, Picoseconds at);

private:
    struct Way {
        std::vector<Occupancy> first; // ways out, by crossbar and its way
        std::vector<Occupancy> second;
    };

    Picoseconds through(Occupancy& port, Picoseconds at) const;
    // From a crossbar of the first stage to `place` of a crossbar of the second.
    Picoseconds cross(Way& way, unsigned from, unsigned to, unsigned place, Picoseconds at) const;

    unsigned radix_;
    unsigned lanes_; // that join one crossbar with one of the next stage
    NetworkTimes times_;
    Way there_;
    Way back_;
};

} // namespace parley::machine_model
