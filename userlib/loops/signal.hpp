// SPDX-License-Identifier: MIT
// A word that threads wait for, until it is moved on. It counts its moves in all bits but the lowest, which
// is set while somebody may sleep on it: so moving on is one atomic step, and a call of the system is made
// only where somebody sleeps.
//
// Any thread may move on. A thread that sees the move sees what the mover did before: the release half of the
// addition in move_on() pairs with the acquire in seen().
#pragma once

#include "base/atomic.hpp"

#include "platform.hpp"

#include <cstdint>

namespace parley::loops {

class Meanwhile;

class Signal {
public:
    static constexpr std::uint32_t step = 2; // what seen() grows by with each move

    std::uint32_t seen() const { return word_.load(std::memory_order_acquire) & ~asleep; }
    bool moved_since(std::uint32_t before) const { return seen() != before; }

    void move_on()
    {
        if ((word_.fetch_add(step, std::memory_order_acq_rel) & asleep) != 0)
            wake();
    }

    // Sleeps unless it has moved on since, or the thread has other work; may return earlier.
    void sleep(std::uint32_t before, Meanwhile& meanwhile);

    // Has all that sleep look at their other work again.
    void nudge()
    {
        if ((word_.load(std::memory_order_seq_cst) & asleep) != 0)
            wake();
    }

private:
    static constexpr std::uint32_t asleep = 1;

    // A sleeper that has marked the word and does not sleep yet finds it changed.
    void wake()
    {
        word_.fetch_and(~asleep, std::memory_order_seq_cst);
        platform::wake(word_, 0x7fff'ffff);
    }

    Atomic<std::uint32_t> word_{0};
};

} // namespace parley::loops
