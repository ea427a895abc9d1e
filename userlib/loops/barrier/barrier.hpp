// SPDX-License-Identifier: MIT
// Where the threads of a team meet. A leaf is a file userlib/loops/barrier/<name>.hpp with the class
// <Name>Barrier; its constructor takes BarrierParts, and the values of its arguments as its last parameter.
// It begins with a vacant line for each thread.
//
// A thread that waits does other work meanwhile (meanwhile.hpp), so a thread may come to a barrier and then
// run tasks; a barrier does not see to it that all tasks are done.
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
    // Each thread calls this with its number. It returns when all have called it, and each then sees what all
    // did before.
    virtual void meet(unsigned number, Meanwhile& meanwhile) = 0;

    // Each thread calls this. It returns to number 0 when all have called it, and number 0 then sees what all
    // did before. It may return to others at once; they next hear of the team when number 0 tells them.
    virtual void gather(unsigned number, Meanwhile& meanwhile) = 0;

protected:
    ~Barrier() = default;
};

} // namespace parley::loops
