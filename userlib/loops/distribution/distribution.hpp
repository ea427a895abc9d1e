// SPDX-License-Identifier: MIT
// How the iterations of one loop are handed out to the threads of a team. A leaf is a file
// userlib/loops/distribution/<name>.hpp with the class <Name>Distribution; its constructor takes
// DistributionParts, and the values of its arguments as its last parameter. One is made for each loop, by the
// first thread that comes to it, and is dropped without a destructor when all have left.
#pragma once

#include "base/atomic.hpp"
#include "base/leaf_argument.hpp"
#include "userlib/loops/line.hpp"

#include <cstdint>
#include <limits>

namespace parley::loops {

struct DistributionParts {
    std::uint64_t count; // of iterations; they are called 0, 1, ... count - 1
    unsigned threads;
    Lines lines; // one for each thread, near to it, vacant
};

// Iterations first, first + 1, ... end - 1; never none.
struct Chunk {
    std::uint64_t first, end;
};

// What a thread remembers of a loop that it is in; zero when it comes.
struct Cursor {
    std::uint64_t at = 0, rest = 0;
    Line* line = nullptr; // to find one takes words that lie further from the thread than the cursor
};

class Distribution {
public:
    static constexpr std::size_t most_bytes = 256; // of a leaf's object
    // Whether each thread gets its iterations in their order. A leaf that promises it says true; loops that
    // count on the order take no other.
    static constexpr bool keeps_order = false;

    // The next iterations of the thread of that number, which alone calls it with that number and cursor.
    // False: none are left for it, now and later. All threads together get each iteration exactly once, and
    // the thread that gets the last iteration gets none afterwards: what gcc makes of lastprivate relies on
    // that.
    virtual bool next(unsigned number, Cursor& mine, Chunk& chunk) = 0;

protected:
    ~Distribution() = default;
};

inline constexpr LeafArgument chunk_argument{
    "chunk", "how many iterations are handed out at a time", units::number,
    1,       std::numeric_limits<std::int64_t>::max(),       1};

// a / b, rounded up, for any a and b > 0.
constexpr std::uint64_t divided_up(std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0); }

} // namespace parley::loops
