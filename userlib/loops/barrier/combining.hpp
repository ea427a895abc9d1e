// SPDX-License-Identifier: MIT
// A tree of counters: each leaf counts so many threads, the last to come there goes on at the node above, and
// the last to come at the top lets all go (Yew, Tzeng and Lawrie, 1987, for a hot spot of Cedar's kind).
#pragma once

#include "userlib/loops/barrier/barrier.hpp"

#include <string_view>

namespace parley::loops {

class CombiningBarrier final : public Barrier {
public:
    static constexpr std::string_view name = "combining";
    static constexpr std::string_view promise =
        "threads count themselves in at the leaves of a tree of counters, and the last of a node goes up";
    static constexpr LeafArgument arguments[] = {
        {"fan-in", "how many count themselves in at a node", units::number, 2, 64, 4},
    };

    // n threads need at most n - 1 nodes, which lie level by level from the leaves on.
    CombiningBarrier(const BarrierParts& parts, const LeafValues& values)
        : wait_(parts.wait), fan_in_(static_cast<unsigned>(values[0])), threads_(parts.threads),
          nodes_(parts.lines)
    {
        unsigned at = 0;
        for (unsigned below = threads_; below > 1; below = groups(below))
            for (unsigned group = 0; group < groups(below); ++group)
                nodes_[at++].make<Node>().missing.store(members(below, group), std::memory_order_relaxed);
    }

    void meet(unsigned number, Meanwhile& meanwhile) override
    {
        const std::uint32_t before = all_here_.seen();
        if (!came_last(number))
            wait_.until_moved(all_here_, before, meanwhile);
    }
    void gather(unsigned number, Meanwhile& meanwhile) override
    {
        const std::uint32_t before = all_here_.seen();
        if (!came_last(number) && number == 0)
            wait_.until_moved(all_here_, before, meanwhile);
    }

private:
    struct Node {
        Atomic<std::uint32_t> missing{0};
    };

    unsigned groups(unsigned below) const { return (below + fan_in_ - 1) / fan_in_; }
    unsigned members(unsigned below, unsigned group) const
    {
        const unsigned first = group * fan_in_;
        return below - first < fan_in_ ? below - first : fan_in_;
    }

    // The last thread to count itself in at a node sets it up for the next meeting before it goes on.
    bool came_last(unsigned number)
    {
        unsigned level = 0;
        for (unsigned below = threads_; below > 1; level += groups(below), below = groups(below)) {
            number /= fan_in_;
            Node& node = nodes_[level + number].as<Node>();
            if (node.missing.fetch_sub(1, std::memory_order_acq_rel) != 1)
                return false;
            node.missing.store(members(below, number), std::memory_order_relaxed);
        }
        all_here_.move_on();
        return true;
    }

    Wait& wait_;
    unsigned fan_in_;
    unsigned threads_;
    std::span<Line> nodes_;
    alignas(line_bytes) Signal all_here_;
};

} // namespace parley::loops
