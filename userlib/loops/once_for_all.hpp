// SPDX-License-Identifier: MIT
// Something that one of several threads makes for all of them: the first that comes, while the others wait.
// It goes on in rounds, in each of which it is made at most once.
#pragma once

#include "userlib/loops/wait/wait.hpp"

namespace parley::loops {

class OnceForAll {
public:
    // The first thread that calls this in a round runs make(); each returns when that is done. All see what
    // make() has written: move_on() releases it, and who sees the move acquires it. What the first thread
    // writes afterwards is not ordered by this.
    template <class Make>
    void by_first(Make make, Wait& wait, Meanwhile& meanwhile)
    {
        std::uint32_t found = round_;
        if (claimed_.load(std::memory_order_relaxed) == round_ &&
            claimed_.compare_exchange_strong(found, found + 1, std::memory_order_relaxed,
                                             std::memory_order_relaxed)) {
            make();
            made_.move_on();
        } else
            wait.until_moved(made_, round_ * Signal::step, meanwhile);
    }

    // One thread calls these when all are done with what was made in a round, and none begins the next one
    // until it has: is_made(), whether there was something, and if so, end_round().
    bool is_made() const { return claimed_.load(std::memory_order_relaxed) != round_; }
    void end_round() { ++round_; }

private:
    std::uint32_t round_ = 0; // how many have ended
    Atomic<std::uint32_t> claimed_{0};
    Signal made_;
};

} // namespace parley::loops
