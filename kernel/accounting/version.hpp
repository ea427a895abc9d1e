// SPDX-License-Identifier: MIT
// Lets words that belong together be read as they were at one moment, while others change them. The version
// is odd while they change: a reader that finds the same even version before and after has read no change.
//   write  S1 the version becomes odd   S2 write the words   S3 the version becomes even, and another one
//   read   R1 read the version   R2 read the words   R3 read the version again
// S3 releases what R1 acquires: the words are no older than the version that R1 has read. S2 has to release
// what R2 has to acquire: whoever has read a word of a newer change finds that change's S1 at R3, or what
// came after it. So no barrier stands between S1 and S2, nor between R2 and R3; where all loads acquire and
// all stores release anyway (x86) this costs no instruction.
#pragma once

#include "base/architecture.hpp"
#include "base/atomic.hpp"

#include <cstdint>

namespace parley::kernel::accounting {

class Version {
public:
    // While one of these lives, its processor changes the words, by stores that release; interrupts are off.
    // No other processor ever writes them.
    class Writing {
    public:
        explicit Writing(Version& version) : now_(version.now_), even_(now_.load(std::memory_order_relaxed))
        {
            now_.store(even_ + 1, std::memory_order_relaxed); // S1
        }
        ~Writing() { now_.store(even_ + 2, std::memory_order_release); } // S3
        Writing(const Writing&) = delete;

    private:
        Atomic<std::uint32_t>& now_;
        const std::uint32_t even_;
    };

    // Answers what `words` answers, which reads the words by loads that acquire, perhaps several times. It
    // waits while they change, a few instructions.
    template <class Words>
    auto read(const Words& words) const
    {
        for (;;) {
            const std::uint32_t version = now_.load(std::memory_order_acquire);      // R1
            const auto found = words();                                              // R2
            if (version % 2 == 0 && now_.load(std::memory_order_relaxed) == version) // R3
                return found;
            arch::pause();
        }
    }

private:
    Atomic<std::uint32_t> now_{0};
};

} // namespace parley::kernel::accounting
