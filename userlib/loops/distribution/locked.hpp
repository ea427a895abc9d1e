// SPDX-License-Identifier: MIT
// A global index that a lock guards, as before there were steps that fetch and add. The lock's own steps are
// in line, or functions that are called, as a library of locks has them: what calls take is the difference.
#pragma once

#include "userlib/loops/distribution/distribution.hpp"

#include "platform.hpp"

#include <string_view>

namespace parley::loops {

class LockedDistribution final : public Distribution {
public:
    static constexpr std::string_view name = "locked";
    static constexpr std::string_view promise =
        "each thread takes one iteration at a time from a global index, under a lock";
    static constexpr bool keeps_order = true;
    static constexpr LeafArgument arguments[] = {
        {"called", "1: the lock's steps are calls; 0: they are in line", units::number, 0, 1, 0},
    };

    LockedDistribution(const DistributionParts& parts, const LeafValues& values)
        : count_(parts.count), is_called_(values[0] != 0)
    {
    }

    bool next(unsigned, Cursor&, Chunk& chunk) override
    {
        return is_called_ ? called(chunk) : in_line(chunk);
    }

private:
    using Lock = Atomic<std::uint32_t>;

    [[gnu::always_inline]] static bool try_lock(Lock& lock)
    {
        return lock.exchange(1, std::memory_order_acquire) == 0;
    }
    [[gnu::always_inline]] static void unlock(Lock& lock) { lock.store(0, std::memory_order_release); }
    [[gnu::noinline]] static void call_lock(Lock& lock)
    {
        if (!try_lock(lock))
            await(lock);
    }
    [[gnu::noinline]] static void call_unlock(Lock& lock) { unlock(lock); }
    [[gnu::noinline]] static void await(Lock& lock)
    {
        platform::SpinWait spin;
        do
            spin.once();
        while (lock.load(std::memory_order_relaxed) != 0 || !try_lock(lock));
    }

    [[gnu::noinline]] bool called(Chunk& chunk)
    {
        call_lock(lock_);
        const bool found = take(chunk);
        call_unlock(lock_);
        return found;
    }
    bool in_line(Chunk& chunk)
    {
        if (!try_lock(lock_))
            await(lock_);
        const bool found = take(chunk);
        unlock(lock_);
        return found;
    }

    bool take(Chunk& chunk)
    {
        const std::uint64_t at = next_.load(std::memory_order_relaxed);
        if (at == count_)
            return false;
        next_.store(at + 1, std::memory_order_relaxed);
        chunk = {at, at + 1};
        return true;
    }

    std::uint64_t count_;
    bool is_called_;
    alignas(line_bytes) Lock lock_{0};
    Atomic<std::uint64_t> next_{0};
};

} // namespace parley::loops
