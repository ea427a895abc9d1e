// SPDX-License-Identifier: MIT
// How a thread waits: for work, for the others at a barrier, for its turn. A leaf is a file
// userlib/loops/wait/<name>.hpp with the class <Name>Wait; its constructor takes WaitParts, and the values of
// its arguments as its last parameter.
#pragma once

#include "base/leaf_argument.hpp"
#include "userlib/loops/meanwhile.hpp"
#include "userlib/loops/signal.hpp"

namespace parley::loops {

struct WaitParts {
    // There are more threads than processors, so a thread that waits may hold up the one that it waits for.
    bool crowded;
};

class Wait {
public:
    // Returns when the signal has moved on since `before`. Meanwhile the thread does its other work.
    void until_moved(Signal& signal, std::uint32_t before, Meanwhile& meanwhile)
    {
        while (!signal.moved_since(before)) {
            if (meanwhile.has_work())
                meanwhile.work();
            else
                look(signal, before, meanwhile);
        }
    }

protected:
    ~Wait() = default;

private:
    // Returns when the signal has moved on since `before` or there is other work, and may return earlier.
    virtual void look(Signal& signal, std::uint32_t before, Meanwhile& meanwhile) = 0;
};

} // namespace parley::loops
