// SPDX-License-Identifier: MIT
// A lock that is one word: 0 free, 1 held, 2 held and perhaps somebody sleeps. A program may keep it where
// its compiler has put a lock, and zero bytes are a free one. A thread that waits looks for some
// microseconds, less often each time, so that the holder can come back several times while its data is near;
// then it sleeps.
#pragma once

#include "base/atomic.hpp"

#include "platform.hpp"

#include <cstdint>

namespace parley::loops {

class WordLock {
public:
    // The acquire pairs with the release in release().
    bool try_acquire()
    {
        std::uint32_t found = free;
        return word_.compare_exchange_strong(found, held, std::memory_order_acquire,
                                             std::memory_order_relaxed);
    }
    void acquire()
    {
        if (!try_acquire())
            contend();
    }
    void release()
    {
        if (word_.exchange(free, std::memory_order_release) == slept_for)
            platform::wake(word_, 1);
    }

private:
    static constexpr std::uint32_t free = 0, held = 1, slept_for = 2;
    static constexpr unsigned rounds = 16, most_pauses = 64;

    [[gnu::noinline]] void contend()
    {
        for (unsigned round = 0, pauses = 4; round < rounds; ++round) {
            for (unsigned pause = 0; pause < pauses; ++pause)
                platform::pause();
            if (word_.load(std::memory_order_relaxed) == free && try_acquire())
                return;
            pauses = pauses < most_pauses ? pauses * 2 : pauses;
        }
        while (word_.exchange(slept_for, std::memory_order_acquire) != free)
            platform::block(word_, slept_for);
    }

    Atomic<std::uint32_t> word_{free};
};

class [[nodiscard]] Holding {
public:
    explicit Holding(WordLock& lock) : lock_(lock) { lock_.acquire(); }
    ~Holding() { lock_.release(); }
    Holding(const Holding&) = delete;
    Holding& operator=(const Holding&) = delete;

private:
    WordLock& lock_;
};

} // namespace parley::loops
