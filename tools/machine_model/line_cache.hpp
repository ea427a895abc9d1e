// SPDX-License-Identifier: MIT
// A cache of whole lines in sets, the least recently used of which gives way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace parley::machine_model {

// Knows only which lines it holds, by their numbers; its user knows what they are there as.
class LineCache {
public:
    // Makes room for so many lines, in sets of so many ways; `lines` is a multiple of `ways`.
    LineCache(std::size_t lines, unsigned ways);

    // Whether it holds the line, which is now the last used of its set.
    bool use(std::uint64_t line);
    // Takes in a line that it does not hold. Answers which line has given way, if any.
    std::optional<std::uint64_t> put(std::uint64_t line);
    void remove(std::uint64_t line);

private:
    struct Place {
        std::uint64_t line = 0;
        std::uint64_t used = 0; // when; 0: nothing is here
    };

    Place* set_of(std::uint64_t line) { return &places_[line % (places_.size() / ways_) * ways_]; }
    Place* find(std::uint64_t line);

    unsigned ways_;
    std::vector<Place> places_;
    std::uint64_t now_ = 0;
};

} // namespace parley::machine_model
