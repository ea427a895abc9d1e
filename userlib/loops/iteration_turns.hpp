// SPDX-License-Identifier: MIT
// The ordered region of a loop (Cedar's DOACROSS, OpenMP's ordered): chunks go through it in the order of
// their iterations, whichever thread has them. A chunk that begins where the one before ended has its turn.
#pragma once

#include "userlib/loops/distribution/distribution.hpp"
#include "userlib/loops/wait/wait.hpp"

namespace parley::loops {

class IterationTurns {
public:
    // Called before a loop, by one thread.
    void begin() { next_.store(0, std::memory_order_relaxed); }

    // What the chunks before did in their turns is seen afterwards: the acquire pairs with the release in
    // pass().
    void await(const Chunk& chunk, Wait& wait, Meanwhile& meanwhile)
    {
        for (;;) {
            const std::uint32_t before = passed_.seen();
            if (next_.load(std::memory_order_acquire) == chunk.first)
                return;
            wait.until_moved(passed_, before, meanwhile);
        }
    }
    // The chunk has its turn, and gives it to the next.
    void pass(const Chunk& chunk)
    {
        next_.store(chunk.end, std::memory_order_release);
        passed_.move_on();
    }

private:
    Atomic<std::uint64_t> next_{0};
    Signal passed_;
};

} // namespace parley::loops
