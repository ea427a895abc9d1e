// SPDX-License-Identifier: MIT
// Where the threads of a team meet. A leaf is a file userlib/loops/barrier/<name>.hpp with the class
// <Name>Barrier; its constructor takes BarrierParts, and the values of its arguments as its last parameter.
// It begins with a vacant line for each thread.
//
// A thread that waits does other work meanwhile (meanwhile.hpp), so a thread may come to a barrier and then
// run tasks; that all tasks are done is none of the barrier's business.
#pragma once

#include "base/leaf_argument.hpp"
#include "userlib/loops/line.hpp"
#include "userlib/loops/wait/wait.hpp"

#include <span>

namespace parley::loops {

struct BarrierParts {
    unsigned threads;      // at most `most_threads`
    std::span<Line> lines; // one for each
    Wait& wait;
};

inline constexpr unsigned most_threads = 1024;

class Barrier {
public:
    // Each thread calls it, with its number. Returns when all have. What any has done before is seen by all.
    virtual void meet(unsigned number, Meanwhile& meanwhile) = 0;

    // Each thread calls it. It returns to number 0 when all have called, and what any has done before is then
    // seen by number 0. It may return to others at once; they next hear of the team when number 0 tells them.
    virtual void gather(unsigned number, Meanwhile& meanwhile) = 0;

protected:
    ~Barrier() = default;
};

} // namespace parley::loops
