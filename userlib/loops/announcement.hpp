// SPDX-License-Identifier: MIT
// How a leader tells its helpers that there is something to do, and how many threads of the team take part,
// the leader among them. Helpers that hear of it see what the leader has written before.
//
// A helper that takes no part in an announcement may hear of it late, while the leader makes the next. So one
// word has the announcement's number and how many threads take part, and a helper that reads a later number
// there than the signal has told it waits for the signal.
#pragma once

#include "userlib/loops/wait/wait.hpp"

#include <cstdint>

namespace parley::loops {

class Announcement {
public:
    // The leader calls this when all that took part in the announcement before are done. With 0 threads:
    // helpers end.
    void announce(unsigned threads)
    {
        const std::uint32_t number = signal_.seen() + Signal::step;
        said_.store(std::uint64_t{number} << 32 | threads, std::memory_order_relaxed);
        signal_.move_on(); // with what is before it, for who sees it in await()
    }

    // A helper calls this. Returns how many threads the newest announcement is for; `heard`, which is 0 at
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
