// SPDX-License-Identifier: MIT
// A range of a loop's iterations for each thread, in a line of its own: the thread takes from the front, and
// others that have none left take from the back. Both ends are one word. What is handed out once never comes
// back, so a word that reads the same is the same range.
//
// The ranges count units, each a chunk of the loop, or several where the loop has too many chunks for half a
// word.
#pragma once

#include "userlib/loops/distribution/distribution.hpp"

#include <algorithm>

namespace parley::loops {

class OwnRange {
public:
    struct Ends {
        std::uint32_t first, end;
        std::uint32_t size() const { return end - first; }
    };

    Ends ends() const { return unpacked(word_.load(std::memory_order_relaxed)); }
    void set(Ends ends) { word_.store(packed(ends), std::memory_order_relaxed); }

    // Takes `size(rest)` of them, which is 1 to the rest. False: none are left.
    template <class Size>
    bool take_front(Size size, Ends& taken)
    {
        return take(taken, [&](Ends all) -> Ends { return {all.first, all.first + size(all.size())}; });
    }
    template <class Size>
    bool take_back(Size size, Ends& taken)
    {
        return take(taken, [&](Ends all) -> Ends { return {all.end - size(all.size()), all.end}; });
    }

private:
    static std::uint64_t packed(Ends ends) { return std::uint64_t{ends.end} << 32 | ends.first; }
    static Ends unpacked(std::uint64_t word)
    {
        return {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)};
    }

    template <class Part>
    bool take(Ends& taken, Part part)
    {
        std::uint64_t word = word_.load(std::memory_order_relaxed);
        for (;;) {
            const Ends all = unpacked(word);
            if (all.first == all.end)
                return false;
            taken = part(all);
            const Ends rest =
                taken.first == all.first ? Ends{taken.end, all.end} : Ends{all.first, taken.first};
            if (word_.compare_exchange_weak(word, packed(rest), std::memory_order_relaxed,
                                            std::memory_order_relaxed))
                return true;
        }
    }

    Atomic<std::uint64_t> word_{0};
};

// An equal range for each thread, of all units but the last: a thread that finds nothing else any more may
// have that one.
class OwnRanges {
public:
    OwnRanges(const DistributionParts& parts, std::uint64_t chunk)
        : count_(parts.count), unit_(chunk), threads_(parts.threads), lines_(parts.lines)
    {
        unit_ = std::max(unit_, divided_up(count_, most_units));
        units_ = static_cast<std::uint32_t>(divided_up(count_, unit_));
        const std::uint32_t ranged = units_ == 0 ? 0 : units_ - 1;
        const std::uint32_t each = ranged / threads_, more = ranged % threads_;
        std::uint32_t first = 0;
        for (unsigned thread = 0; thread < threads_; ++thread) {
            const std::uint32_t end = first + each + (thread < more);
            lines_[thread].make<OwnRange>().set({first, end});
            first = end;
        }
    }

    unsigned threads() const { return threads_; }
    OwnRange& of(unsigned thread) { return lines_[thread].as<OwnRange>(); }
    Chunk chunk(OwnRange::Ends units) const
    {
        const std::uint64_t first = units.first * unit_;
        std::uint64_t end = 0;
        if (__builtin_mul_overflow(std::uint64_t{units.end}, unit_, &end))
            end = count_;
        return {first, std::min(end, count_)};
    }

    // Takes the last unit, which is there once, for a thread that gets nothing afterwards, as its cursor then
    // says.
    bool take_last(Cursor& mine, Chunk& last)
    {
        if (units_ == 0 || last_taken_.load(std::memory_order_relaxed) != 0 ||
            last_taken_.exchange(1, std::memory_order_relaxed) != 0)
            return false;
        mine.at = 1;
        last = chunk({units_ - 1, units_});
        return true;
    }
    static bool has_had_last(const Cursor& mine) { return mine.at != 0; }

private:
    static constexpr std::uint64_t most_units = 0xffff'fff0;

    std::uint64_t count_, unit_;
    unsigned threads_;
    std::uint32_t units_ = 0;
    Lines lines_;
    alignas(line_bytes) Atomic<std::uint32_t> last_taken_{0};
};

} // namespace parley::loops
