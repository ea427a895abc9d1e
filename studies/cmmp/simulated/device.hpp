// SPDX-License-Identifier: MIT
// A device on the bus of one processor, its owner, as on C.mmp: whoever wants something of it asks the owner,
// which then runs the service routine and nothing else.
#pragma once

#include "studies/cmmp/simulated/programs.hpp"

#include <random>

namespace parley::simulated {

class SimulatedDevice {
public:
    // `signal`: how long an interprocessor interrupt takes.
    SimulatedDevice(SimulatedPrograms& machine, unsigned owner, Nanoseconds signal)
        : machine_(machine), owner_(owner), signal_(signal)
    {
    }

    // From that processor, for a service routine of that length.
    void request(unsigned processor, Nanoseconds service)
    {
        if (processor == owner_)
            machine_.interrupt(owner_, service);
        else
            machine_.at(SimulatedPrograms::now() + signal_,
                        [this, service] { machine_.interrupt(owner_, service); });
    }

private:
    SimulatedPrograms& machine_;
    const unsigned owner_;
    const Nanoseconds signal_;
};

// What other jobs want of a device; drawn.
struct Traffic {
    unsigned owner = 0, asker = 0; // processors
    Nanoseconds signal = 0;
    Nanoseconds gap = 0;                   // mean time between two requests, exponential; 0: there are none
    Nanoseconds shortest = 0, longest = 0; // of the service routine, all lengths as likely
    std::uint64_t seed = 1;
};

// Has requests made from now on, for as long as the machine runs.
class TrafficSource {
public:
    TrafficSource(SimulatedPrograms& machine, const Traffic& traffic)
        : machine_(machine), traffic_(traffic), device_(machine, traffic.owner, traffic.signal),
          random_(traffic.seed), gap_(1 / static_cast<double>(traffic.gap)),
          service_(traffic.shortest, traffic.longest)
    {
        if (traffic.gap != 0)
            plan_next();
    }
    TrafficSource(const TrafficSource&) = delete;

private:
    void plan_next()
    {
        machine_.at(SimulatedPrograms::now() + static_cast<Nanoseconds>(gap_(random_) + 0.5), [this] {
            device_.request(traffic_.asker, service_(random_));
            plan_next();
        });
    }

    SimulatedPrograms& machine_;
    const Traffic traffic_;
    SimulatedDevice device_;
    std::mt19937_64 random_;
    std::exponential_distribution<double> gap_;
    std::uniform_int_distribution<Nanoseconds> service_;
};

} // namespace parley::simulated
