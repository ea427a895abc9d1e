// SPDX-License-Identifier: MIT
#include "tools/machine_model/occupancy.hpp"

namespace parley::machine_model {

// The first that ends after `at`. What is asked for is near the end.
std::vector<Occupancy::Taken>::const_iterator Occupancy::first_after(Picoseconds at) const
{
    auto found = taken_.end();
    while (found != taken_.begin() && (found - 1)->until > at)
        --found;
    return found;
}

Picoseconds Occupancy::first_free(Picoseconds at, Picoseconds span) const
{
    for (auto next = first_after(at); next != taken_.end() && next->from < at + span; ++next)
        at = next->until;
    return at;
}

void Occupancy::take(Picoseconds start, Picoseconds span)
{
    if (span == 0)
        return;
    const auto next = taken_.begin() + (first_after(start) - taken_.cbegin());
    const bool touches_next = next != taken_.end() && next->from == start + span;
    if (next != taken_.begin() && (next - 1)->until == start) {
        (next - 1)->until = touches_next ? next->until : start + span;
        if (touches_next)
            taken_.erase(next);
    } else if (touches_next) {
        next->from = start;
    } else {
        taken_.insert(next, {start, start + span});
    }
    if (taken_.size() > most)
        taken_.erase(taken_.begin(), taken_.begin() + most / 2);
}

} // namespace parley::machine_model
