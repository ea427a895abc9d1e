// SPDX-License-Identifier: MIT
// What the loop runtime takes of a platform's contract (base/platform_contract.hpp), for threads of one
// program, on Linux and in the booted kernel alike: a pause, a wait on a word, and giving way. Nobody ends
// such a wait early.
#pragma once

#include "base/atomic.hpp"

#include <cstdint>

namespace parley::platform {

inline void pause() { asm volatile("pause"); }
void give_way();

// Where threads share a processor, what one waits for may need it.
class SpinWait {
public:
    bool once()
    {
        if (++turns_ % turns_before_giving_way != 0)
            pause();
        else
            give_way();
        return true;
    }

private:
    static constexpr unsigned turns_before_giving_way = 64;
    unsigned turns_ = 0;
};

bool block(Atomic<std::uint32_t>& word, std::uint32_t expected);
unsigned wake(Atomic<std::uint32_t>& word, unsigned count);

} // namespace parley::platform
