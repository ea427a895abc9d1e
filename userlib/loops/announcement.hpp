// SPDX-License-Identifier: MIT
// How a leader tells its helpers that there is something to do, and how many threads of the team it is for,
// the leader among them. What it has written down before is seen by those that hear of it.
//
// A helper that has no part in one may hear of it late, while the leader announces the next: so how many take
// part stands in one word with which announcement that is, and who reads of a later one than the signal has
// told it waits for the signal.
#pragma once

#include "userlib/loops/wait/wait.hpp"

#include <cstdint>

namespace parley::loops {

class Announcement {
public:
    // The leader calls it, when all that took part in the one before are done. With 0 threads: helpers end.
    void announce(unsigned threads)
    {
        const std::uint32_t number = signal_.seen() + Signal::step;
        said_.store(std::uint64_t{number} << 32 | threads, std::memory_order_relaxed);
        signal_.move_on(); // with what is before it, for who sees it in await()
    }

    // A helper calls it. Returns how many threads the newest announcement is for; `heard`, which is 0 at
    // first, says which one it was.
    unsigned await(std::uint32_t& heard, Wait& wait, Meanwhile& meanwhile)
    {
        for (;;) {
            wait.until_moved(signal_, heard, meanwhile);
            heard = signal_.seen();
            const std::uint64_t said = said_.load(std::memory_order_relaxed);
            if (said >> 32 == heard)
                return static_cast<unsigned>(said);
        }
    }

private:
    Signal signal_;
    Atomic<std::uint64_t> said_{0};
};

} // namespace parley::loops
