// SPDX-License-Identifier: MIT
#include "tools/machine_model/processor_order.hpp"

#include <algorithm>

namespace parley::machine_model {

ProcessorOrder::ProcessorOrder(unsigned processors, Picoseconds lookahead)
    : clocks_(processors), lookahead_{lookahead}
{
}

void ProcessorOrder::advance(unsigned processor, Picoseconds to)
{
    clocks_[processor].now = std::max(clocks_[processor].now, to);
}

void ProcessorOrder::wake(unsigned processor, Picoseconds at)
{
    if (!clocks_[processor].halted)
        return;
    Clock& clock = clocks_[processor];
    clock.halted = false;
    clock.asleep += at > clock.now ? at - clock.now : 0;
    advance(processor, at);
}

Picoseconds ProcessorOrder::least() const
{
    Picoseconds found = never;
    for (const Clock& clock : clocks_)
        if (!clock.halted)
            found = std::min(found, clock.now);
    return found;
}

std::optional<unsigned> ProcessorOrder::next(unsigned last) const
{
    const Picoseconds first = least();
    if (first == never)
        return std::nullopt;
    for (unsigned step = 1; step <= processors(); ++step) {
        const unsigned processor = (last + step) % processors();
        if (!clocks_[processor].halted && clocks_[processor].now - first <= lookahead_)
            return processor;
    }
    return std::nullopt;
}

Picoseconds ProcessorOrder::limit(unsigned processor) const
{
    Picoseconds others = never;
    for (unsigned other = 0; other < processors(); ++other)
        if (other != processor && !clocks_[other].halted)
            others = std::min(others, clocks_[other].now);
    if (others == never)
        return never;
    return std::max(others + lookahead_, clocks_[processor].now + 1);
}

} // namespace parley::machine_model
