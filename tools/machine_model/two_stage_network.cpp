// SPDX-License-Identifier: MIT
#include "tools/machine_model/two_stage_network.hpp"

namespace parley::machine_model {

TwoStageNetwork::TwoStageNetwork(unsigned clusters, unsigned radix, const NetworkTimes& times)
    : radix_{radix}, lanes_{radix / clusters}, times_{times},
      there_{std::vector<Occupancy>(clusters * radix), std::vector<Occupancy>(clusters * radix)},
      back_{there_}
{
}

Picoseconds TwoStageNetwork::through(Occupancy& port, Picoseconds at) const
{
    const Picoseconds start = port.first_free(at, times_.port);
    port.take(start, times_.port);
    return start + times_.stage;
}

Picoseconds TwoStageNetwork::cross(Way& way, unsigned from, unsigned to, unsigned place, Picoseconds at) const
{
    const unsigned lane = to * lanes_ + place % lanes_;
    at = through(way.first[from * radix_ + lane], at);
    return through(way.second[to * radix_ + place], at);
}

Picoseconds TwoStageNetwork::there(unsigned cluster, unsigned module, Picoseconds at)
{
    return cross(there_, cluster, module / radix_, module % radix_, at);
}

Picoseconds TwoStageNetwork::back(unsigned module, unsigned cluster, unsigned processor, Picoseconds at)
{
    return cross(back_, module / radix_, cluster, processor, at);
}

} // namespace parley::machine_model
