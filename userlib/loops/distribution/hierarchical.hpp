// SPDX-License-Identifier: MIT
// Cedar's SDOALL with a CDOALL inside, for a flat loop: a cluster of threads takes a block of iterations from
// the global index, and its threads take one at a time from an index of the cluster, as over the concurrency
// bus.
//
// The cluster's word holds the number of its block and how many of it are taken. The thread that takes the
// first iteration beyond the block fetches the next block for all; others that come meanwhile wait for it.
#pragma once

#include "userlib/loops/distribution/distribution.hpp"

#include "platform.hpp"

#include <algorithm>
#include <string_view>

namespace parley::loops {

class HierarchicalDistribution final : public Distribution {
public:
    static constexpr std::string_view name = "hierarchical";
    static constexpr std::string_view promise =
        "a cluster takes a block from a global index, and its threads one iteration at a time from that";
    static constexpr bool keeps_order = true;
    static constexpr LeafArgument arguments[] = {
        {"cluster", "how many threads it has", units::number, 1, 1024, 8},
        {"block", "how many iterations a cluster takes for each of its threads", units::number, 1, 1'000'000,
         8},
    };

    HierarchicalDistribution(const DistributionParts& parts, const LeafValues& values)
        : count_(parts.count),
          cluster_(static_cast<std::uint32_t>(std::min<std::uint64_t>(values[0], parts.threads))),
          block_(cluster_ * values[1]), lines_(parts.lines)
    {
        // A block's number is half a word.
        unit_ = std::max<std::uint64_t>(1, divided_up(divided_up(count_, block_), not_begun - 1));
        blocks_ = divided_up(divided_up(count_, block_), unit_);
        for (unsigned first = 0; first < parts.threads; first += cluster_)
            lines_[first].make<Bus>().word.store(not_begun << 32 | block_, std::memory_order_relaxed);
    }

    bool next(unsigned number, Cursor& mine, Chunk& chunk) override
    {
        if (mine.line == nullptr)
            mine.line = &lines_[number - number % cluster_];
        Atomic<std::uint64_t>& word = mine.line->as<Bus>().word;
        for (;;) {
            const std::uint64_t taken = word.fetch_add(1, std::memory_order_relaxed);
            const std::uint64_t block = taken >> 32, at = taken & 0xffff'ffff;
            if (block == none)
                return false;
            if (at < block_)
                return give(block * block_ + at, chunk);
            if (at == block_)
                fetch(word);
            else
                await_other(word, block);
        }
    }

private:
    // These stand where a block's number would.
    static constexpr std::uint64_t none = 0xffff'ffff, not_begun = 0xffff'fffe;

    struct Bus {
        Atomic<std::uint64_t> word{0};
    };

    // In a loop with too many blocks, one iteration stands for several. Beyond the end there are none, and
    // then no other block has any.
    bool give(std::uint64_t at, Chunk& chunk) const
    {
        std::uint64_t first = 0;
        if (__builtin_mul_overflow(at, unit_, &first) || first >= count_)
            return false;
        chunk = {first, first + std::min(unit_, count_ - first)};
        return true;
    }

    void fetch(Atomic<std::uint64_t>& word)
    {
        const std::uint64_t block = next_block_.fetch_add(1, std::memory_order_relaxed);
        word.store((block < blocks_ ? block : none) << 32, std::memory_order_relaxed);
    }

    static void await_other(Atomic<std::uint64_t>& word, std::uint64_t block)
    {
        platform::SpinWait spin;
        while (word.load(std::memory_order_relaxed) >> 32 == block)
            spin.once();
    }

    std::uint64_t count_;
    std::uint32_t cluster_;
    std::uint64_t block_, unit_ = 1, blocks_ = 0;
    Lines lines_;
    alignas(line_bytes) Atomic<std::uint64_t> next_block_{0};
};

} // namespace parley::loops
