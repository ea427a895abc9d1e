// SPDX-License-Identifier: MIT
// A combining tree of two levels, because a global index is a hot spot (Yew, Tzeng and Lawrie, 1987): what
// the threads of a node want while one of them is at the index is then asked for in one step.
//
// Threads join the open round of their node. The first to join leads the round: it waits until all of the
// round before have what they asked for, closes the round, takes an iteration for each thread that has
// joined, and says which these are.
#pragma once

#include "userlib/loops/distribution/shared_index.hpp"

#include "platform.hpp"

#include <string_view>

namespace parley::loops {

class CombiningDistribution final : public Distribution {
public:
    static constexpr std::string_view name = "combining";
    static constexpr std::string_view promise =
        "threads of a node that ask at once take an iteration each in one step on a global index";
    static constexpr bool keeps_order = true;
    static constexpr LeafArgument arguments[] = {
        {"fan-in", "how many threads a node has", units::number, 1, 1024, 8},
    };

    CombiningDistribution(const DistributionParts& parts, const LeafValues& values)
        : index_(parts.count, 1, parts.threads), fan_in_(static_cast<unsigned>(values[0])),
          nodes_(parts.lines)
    {
        for (unsigned first = 0; first < parts.threads; first += fan_in_)
            nodes_[first].make<Node>();
    }

    bool next(unsigned number, Cursor& mine, Chunk& chunk) override
    {
        if (mine.line == nullptr)
            mine.line = &nodes_[number - number % fan_in_];
        Node& node = mine.line->as<Node>();
        // What a round is told is read behind its number, and its joining orders nothing.
        const std::uint64_t joined = node.joined.fetch_add(1, std::memory_order_relaxed);
        const auto round = static_cast<std::uint32_t>(joined >> 32);
        const std::uint64_t place = joined & 0xffff'ffff;
        if (place == 0)
            return lead(node, round, chunk);
        platform::SpinWait spin;
        while (node.served.load(std::memory_order_acquire) != round + 1)
            spin.once();
        return leave(node, place, chunk);
    }

private:
    struct Node {
        Atomic<std::uint64_t> joined{0};        // the open round, and in the lower half how many are in it
        Atomic<std::uint32_t> served{0};        // rounds
        Atomic<std::uint32_t> left{0};          // of the last that was served, who has not read what it has
        Atomic<std::uint64_t> first{0}, end{0}; // its iterations
    };

    bool lead(Node& node, std::uint32_t round, Chunk& chunk)
    {
        platform::SpinWait spin;
        while (node.served.load(std::memory_order_acquire) != round ||
               node.left.load(std::memory_order_acquire) != 0)
            spin.once();
        const std::uint64_t open = std::uint64_t{round + 1u} << 32;
        const std::uint64_t threads = node.joined.exchange(open, std::memory_order_relaxed) & 0xffff'ffff;
        Chunk taken{};
        if (!index_.take_some([&](std::uint64_t) { return threads; }, taken))
            taken = {0, 0};
        node.first.store(taken.first, std::memory_order_relaxed);
        node.end.store(taken.end, std::memory_order_relaxed);
        node.left.store(static_cast<std::uint32_t>(threads - 1), std::memory_order_relaxed);
        node.served.store(round + 1, std::memory_order_release);
        return give(taken, 0, chunk);
    }

    static bool leave(Node& node, std::uint64_t place, Chunk& chunk)
    {
        const Chunk taken{node.first.load(std::memory_order_relaxed),
                          node.end.load(std::memory_order_relaxed)};
        node.left.fetch_sub(1, std::memory_order_release);
        return give(taken, place, chunk);
    }

    // A round that got fewer than it asked for has found the end of the index.
    static bool give(const Chunk& taken, std::uint64_t place, Chunk& chunk)
    {
        if (place >= taken.end - taken.first)
            return false;
        chunk = {taken.first + place, taken.first + place + 1};
        return true;
    }

    SharedIndex index_;
    unsigned fan_in_;
    Lines nodes_; // each at its first thread's place
};

} // namespace parley::loops
