// SPDX-License-Identifier: MIT
// The platform of the explorer's tests: spinning and sleeping give way to other parties; memory is plain
// memory, and there is no time. Contract: base/platform_contract.hpp.
#pragma once

#include "base/address.hpp"
#include "base/atomic.hpp"
#include "base/copy.hpp"
#include "base/result.hpp"

#include <cstddef>
#include <cstdint>

namespace parley::platform {

// What plays ask afterwards, or wait for. A new play begins with none.
namespace explored {

inline explorer::Noted<std::size_t> copied = 0; // bytes
inline Atomic<std::uint32_t> interruptions[8];  // that a process was to be interrupted by: by endpoint
// Where processes may be cut off in the middle of a copy, there is a step in the middle of each, at which the
// party's bit is set.
inline explorer::Noted<bool> copies_have_steps = false;
inline explorer::Noted<std::uint32_t> copying = 0;
inline void begin(bool with_steps_in_copies = false)
{
    copied = 0;
    copies_have_steps = with_steps_in_copies;
    copying = 0;
    for (Atomic<std::uint32_t>& of_one : interruptions)
        of_one.store(0);
}

} // namespace explored

inline void pause() { explorer::spin(); }

inline void give_way() { explorer::spin(); }

inline unsigned brief_turns() { return 1; }
inline void between_looks() { }
inline unsigned sleep_turns() { return 600; }

class SpinWait {
public:
    bool once()
    {
        // A party that must end is told at once. If it goes on all the same, it waits for changes of others.
        if (!explorer::must_end() || told_)
            explorer::spin();
        told_ = explorer::must_end();
        return !told_;
    }

private:
    bool told_ = false;
};

// Looking and going to sleep are one step, as a kernel's are under its lock; so is waking, which orders the
// word, and no other memory.
inline bool block(Atomic<std::uint32_t>& word, std::uint32_t expected)
{
    explorer::step();
    if (word.peek() == expected && !explorer::must_end())
        explorer::sleep(&word);
    return !explorer::must_end();
}

inline unsigned wake(Atomic<std::uint32_t>& word, unsigned count)
{
    explorer::step();
    word.tell();
    explorer::wake(&word, count);
    return count;
}

// Words alone are explored: a job's semaphores are explored by themselves (word_waits_explored.cpp).
inline bool suspend(Atomic<std::uint32_t>& word, std::uint32_t expected) { return block(word, expected); }
inline unsigned resume(Atomic<std::uint32_t>& word, unsigned count) { return wake(word, count); }

// Parties are not interrupted; a play may wait for what would be one.
inline void notify(unsigned endpoint) { explored::interruptions[endpoint].fetch_add(1); }
inline std::uint64_t cycles() { return 0; }
inline std::uint64_t nanoseconds() { return 0; }

inline void copy(std::byte* to, const std::byte* from, std::size_t bytes)
{
    explored::copied += bytes;
    if (!explored::copies_have_steps)
        return copy_bytes(to, from, bytes);
    const std::uint32_t bit = 1u << explorer::party();
    copy_bytes(to, from, bytes / 2);
    explored::copying += bit;
    explorer::step();
    explored::copying -= bit;
    copy_bytes(to + bytes / 2, from + bytes / 2, bytes - bytes / 2);
}
inline void fetch_to_write(const std::byte*, std::size_t) { }

} // namespace parley::platform

#include "base/plain_memory.hpp"
#include "base/platform_contract.hpp"
