// SPDX-License-Identifier: MIT
// A directly mapped cache whose lines hold a valid bit for each subline.
#pragma once

#include <cstdint>
#include <vector>

namespace parley::machine_model {

// Sizes in bytes, all powers of two; a line has at most 32 sublines.
struct CacheGeometry {
    std::uint64_t bytes;
    std::uint64_t line;
    std::uint64_t subline;
    std::uint64_t fill; // what one miss brings: aligned, at most a line
};

// Knows only which data it holds; the data stay in memory. Each call is about one subline.
class SublineCache {
public:
    explicit SublineCache(const CacheGeometry& geometry);

    bool holds(std::uint64_t address) const;
    // Brings what a miss at this address brings. Another line in its place is gone.
    void fill(std::uint64_t address);
    // Takes the subline as valid, as after a store of all of it.
    void put(std::uint64_t address);
    // Another processor has written the subline. Answers whether the cache held it, which it does no more.
    bool invalidate(std::uint64_t address);

private:
    struct Line {
        std::uint64_t tag = 0;
        std::uint32_t valid = 0; // a bit a subline
    };

    std::uint64_t number(std::uint64_t address) const { return address / geometry_.line; }
    Line& line(std::uint64_t address) { return lines_[number(address) % lines_.size()]; }
    const Line& line(std::uint64_t address) const { return lines_[number(address) % lines_.size()]; }
    std::uint32_t bits(std::uint64_t address, std::uint64_t bytes) const;
    void add(std::uint64_t address, std::uint32_t bits);

    CacheGeometry geometry_;
    std::vector<Line> lines_;
};

} // namespace parley::machine_model
