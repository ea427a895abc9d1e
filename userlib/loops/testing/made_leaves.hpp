// SPDX-License-Identifier: MIT
// What every distribution and every barrier does, seen through its interface: each of these answers "" or
// what was wrong. Tests go through all leaves with them.
#pragma once

#include "userlib/loops/choice.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace parley::loops::testing {

// A leaf of a loop in memory of its own. The threads' lines lie one behind another, or in pieces of so many.
class MadeDistribution {
public:
    MadeDistribution(const Chosen<DistributionKind>& chosen, std::uint64_t count, unsigned threads,
                     unsigned of_each = 0)
        : lines_(threads), pieces_(in_pieces(threads, of_each)),
          leaf_(*chosen.kind->make(place_.data(), {count, threads, lines(of_each)}, chosen.values))
    {
    }
    MadeDistribution(const MadeDistribution&) = delete;
    MadeDistribution& operator=(const MadeDistribution&) = delete;
    Distribution& leaf() { return leaf_; }

private:
    // The first piece is the last in memory.
    std::vector<Line*> in_pieces(unsigned threads, unsigned of_each)
    {
        std::vector<Line*> pieces;
        for (unsigned end = threads; of_each != 0 && end >= of_each; end -= of_each)
            pieces.push_back(&lines_[end - of_each]);
        return pieces;
    }
    Lines lines(unsigned of_each)
    {
        return of_each == 0 ? Lines(lines_.data()) : Lines(pieces_.data(), of_each);
    }

    std::vector<Line> lines_;
    std::vector<Line*> pieces_;
    alignas(line_bytes) std::array<std::byte, Distribution::most_bytes> place_{};
    Distribution& leaf_;
};

class MadeBarrier {
public:
    MadeBarrier(const Chosen<BarrierKind>& barrier, const Chosen<WaitKind>& wait, unsigned threads,
                bool crowded)
        : lines_(threads), wait_(*wait.kind->make(wait_place_.data(), WaitParts{crowded}, wait.values)),
          leaf_(*barrier.kind->make(place_.data(), BarrierParts{threads, lines_, wait_}, barrier.values))
    {
    }
    MadeBarrier(const MadeBarrier&) = delete;
    MadeBarrier& operator=(const MadeBarrier&) = delete;
    Barrier& leaf() { return leaf_; }
    Wait& wait() { return wait_; }

private:
    std::vector<Line> lines_;
    alignas(line_bytes) std::array<std::byte, 256> wait_place_{}, place_{};
    Wait& wait_;
    Barrier& leaf_;
};

// Which iterations were handed out, in pieces: whether they are 0 to count - 1, each once.
class Ledger {
public:
    void add(const Chunk& chunk) { had_.push_back(chunk); }
    std::string fault(std::uint64_t count)
    {
        std::sort(had_.begin(), had_.end(), [](const Chunk& a, const Chunk& b) { return a.first < b.first; });
        std::uint64_t next = 0;
        for (const Chunk& chunk : had_) {
            if (chunk.first >= chunk.end)
                return "a chunk has no iterations";
            if (chunk.first != next)
                return "iteration " + std::to_string(std::min(next, chunk.first)) +
                       (chunk.first > next ? " was left out" : " was handed out twice");
            next = chunk.end;
        }
        return next == count ? "" : "the loop ended at " + std::to_string(next);
    }
    void merge(const Ledger& other) { had_.insert(had_.end(), other.had_.begin(), other.had_.end()); }
    std::size_t size() const { return had_.size(); }

private:
    std::vector<Chunk> had_;
};

} // namespace parley::loops::testing
