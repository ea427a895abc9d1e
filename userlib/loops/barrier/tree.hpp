// SPDX-License-Identifier: MIT
// A tree whose nodes are the threads: each waits for its children, tells its parent, and is let go by it
// (Mellor-Crummey and Scott, 1991). Each word has one writer and one reader.
#pragma once

#include "userlib/loops/barrier/barrier.hpp"

#include <string_view>

namespace parley::loops {

class TreeBarrier final : public Barrier {
    static constexpr unsigned most_children = 8;

public:
    static constexpr std::string_view name = "tree";
    static constexpr std::string_view promise =
        "threads are the nodes of a tree; each waits for its children and is let go by its parent";
    static constexpr LeafArgument arguments[] = {
        {"children", "of a node", units::number, 2, most_children, 4},
    };

    TreeBarrier(const BarrierParts& parts, const LeafValues& values)
        : wait_(parts.wait), threads_(parts.threads), children_(static_cast<unsigned>(values[0])),
          lines_(parts.lines)
    {
        for (Line& line : lines_)
            line.make<Place>();
    }

    void meet(unsigned number, Meanwhile& meanwhile) override
    {
        const std::uint32_t before = come(number, meanwhile);
        Place& mine = lines_[number].as<Place>();
        if (number != 0)
            wait_.until_moved(mine.go, before, meanwhile);
        for_each_child(number, [&](unsigned child, unsigned) { lines_[child].as<Place>().go.move_on(); });
    }
    // Nobody is let go, so `go` stays behind what was met.
    void gather(unsigned number, Meanwhile& meanwhile) override
    {
        lines_[number].as<Place>().gathered += Signal::step;
        come(number, meanwhile);
    }

private:
    struct Place {
        Signal come[most_children]; // a child with all below it
        Signal go;
        std::uint32_t met = 0, gathered = 0; // the thread's own
    };

    // Answers what `go` was before.
    std::uint32_t come(unsigned number, Meanwhile& meanwhile)
    {
        Place& mine = lines_[number].as<Place>();
        const std::uint32_t before = mine.met;
        mine.met += Signal::step;
        for_each_child(number,
                       [&](unsigned, unsigned at) { wait_.until_moved(mine.come[at], before, meanwhile); });
        if (number != 0)
            lines_[(number - 1) / children_].as<Place>().come[(number - 1) % children_].move_on();
        return before - mine.gathered;
    }

    template <class Use>
    void for_each_child(unsigned number, Use use)
    {
        for (unsigned at = 0; at < children_ && number * children_ + at + 1 < threads_; ++at)
            use(number * children_ + at + 1, at);
    }

    Wait& wait_;
    unsigned threads_;
    unsigned children_;
    std::span<Line> lines_;
};

} // namespace parley::loops
