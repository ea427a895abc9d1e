// SPDX-License-Identifier: MIT
// What others want of a device: requests at ticks of a clock, drawn, with as much between two on average
// as was asked for, and each of a length between two bounds. They repeat from run to run.
#pragma once

#include "kernel/program/random.hpp"

#include <cstdint>

namespace parley::cmmp {

class DeviceTraffic {
public:
    // Nobody wants anything.
    DeviceTraffic() = default;
    // Nanoseconds. `every`: between two requests on average, at least a tick. `shortest` is not 0, and
    // `longest` not less.
    DeviceTraffic(std::uint64_t tick, std::uint64_t every, std::uint64_t shortest, std::uint64_t longest)
        : tick_(tick), every_(every), shortest_(shortest), lengths_(longest - shortest + 1)
    {
    }

    // How long the service of the request takes that comes at this tick; 0: none comes.
    std::uint64_t at_tick()
    {
        if (random_.next() % every_ >= tick_)
            return 0;
        return shortest_ + random_.next() % lengths_;
    }

private:
    std::uint64_t tick_ = 0, every_ = 1;
    std::uint64_t shortest_ = 0, lengths_ = 1;
    kernel::Random random_{1};
};

} // namespace parley::cmmp
