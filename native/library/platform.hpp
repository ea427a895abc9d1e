// SPDX-License-Identifier: MIT
// The platform of the message system on Linux: every rank is a process of its own over one arena, which all
// map at one address together with the library itself, so that pointers and virtual tables mean the same to
// all. A rank that spins where ranks share processors yields between looks, and a wait that sleeps
// is a futex. A rank that its own job ends leaves first: its waits give up (native/interface/departure.h).
// Contract: base/platform_contract.hpp.
#pragma once

#include "base/address.hpp"
#include "base/result.hpp"
#include "userlib/library/region_words.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace parley::library {

// Whether the calling process must end, as nxrun says.
bool must_end();

// The calling process sleeps so long, or shorter. False: it must end.
bool sleep_for(std::uint64_t nanoseconds);

} // namespace parley::library

namespace parley::platform {

inline void pause() { asm volatile("pause"); }

void give_way();

// What comes at once comes within a microsecond or two, also from another chip; a look and its pause take
// 25 ns. Without pauses looks hold up the very store that they wait for (docs/native.md).
inline unsigned brief_turns() { return library::pause_wanted() ? 0 : 80; }
inline void between_looks() { pause(); }

class SpinWait {
public:
    // Where ranks share processors, what a rank waits for may need the very processor that it spins on.
    bool once()
    {
        if (++turns_ % turns_before_giving_way != 0)
            pause();
        else
            give_way();
        return !library::somebody_departs() || !library::must_end();
    }

private:
    // About what two lines take to come from another chip; somebody there may be about to send.
    static constexpr unsigned turns_before_giving_way = 16;
    unsigned turns_ = 0;
};

// Pauses take 25 ns, and a sleep with its wake 15 microseconds. In a crowd each turn that gives way lets
// others run for microseconds, and a rank for which three such turns bring nothing is better asleep: the more
// ranks look, the longer those wait that have something to do (docs/native.md).
inline unsigned sleep_turns() { return library::sharers() > 8 ? 48 : 600; }

bool block(std::atomic<std::uint32_t>& word, std::uint32_t expected);
unsigned wake(std::atomic<std::uint32_t>& word, unsigned count);
// Such designs do not run here (native/nxrun/design_choice.cpp).
inline bool suspend(std::atomic<std::uint32_t>& word, std::uint32_t expected)
{
    return block(word, expected);
}
inline unsigned resume(std::atomic<std::uint32_t>& word, unsigned count) { return wake(word, count); }
void notify(unsigned endpoint);

inline std::uint64_t cycles() { return __builtin_ia32_rdtsc(); }
inline std::uint64_t nanoseconds() { return library::nanoseconds(cycles()); }

// Vector moves: real hardware carries bytes at the speed of its caches (docs/native.md). The ranges do not
// overlap.
void copy(std::byte* to, const std::byte* from, std::size_t bytes);

// Of more than a dozen lines those that are fetched hold up those that are read (docs/native.md).
inline void fetch_to_write(const std::byte* from, std::size_t bytes)
{
    constexpr std::size_t most = 768, line = 64;
    for (std::size_t at = 0; at < bytes && bytes <= most; at += line)
        __builtin_prefetch(from + at, 1);
}

} // namespace parley::platform

#include "base/plain_memory.hpp"
#include "base/platform_contract.hpp"
