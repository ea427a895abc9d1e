// SPDX-License-Identifier: MIT
// The platform of the message system in the user-level library. The calling process's memory is plain memory,
// the shared region gets its pages when it is touched, and only sleeping needs the kernel. A process that
// must end is not ended in here: its waits give up (library.h: parley_region_head), and it ends when it
// returns to its program. Contract: base/platform_contract.hpp.
#pragma once

#include "base/address.hpp"
#include "base/result.hpp"
#include "interface/proxies.h"
#include "userlib/library/region_words.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace parley::library {

// Whether the calling process must end, as the kernel says.
bool must_end();

} // namespace parley::library

namespace parley::platform {

inline void pause()
{
    if (library::pause_wanted())
        asm volatile("pause");
}

void give_way();

inline unsigned brief_turns() { return library::pause_wanted() ? 0 : 1500; }
inline void between_looks() { }
inline unsigned sleep_turns() { return 600; }

class SpinWait {
public:
    bool once()
    {
        pause();
        return !library::somebody_departs() || !library::must_end();
    }
};

bool block(std::atomic<std::uint32_t>& word, std::uint32_t expected);
unsigned wake(std::atomic<std::uint32_t>& word, unsigned count);
// The kernel knows how the processes of a job wait (kernel/process/shared_words.cpp).
inline bool suspend(std::atomic<std::uint32_t>& word, std::uint32_t expected)
{
    return block(word, expected);
}
inline unsigned resume(std::atomic<std::uint32_t>& word, unsigned count) { return wake(word, count); }
void notify(unsigned endpoint);

inline std::uint64_t cycles() { return __builtin_ia32_rdtsc(); }
inline std::uint64_t nanoseconds() { return library::nanoseconds(cycles()); }

extern "C" unsigned long parley_copy(void* to, const void* from, unsigned long bytes);
inline void copy(std::byte* to, const std::byte* from, std::size_t bytes) { parley_copy(to, from, bytes); }
inline void fetch_to_write(const std::byte*, std::size_t) { }

} // namespace parley::platform

#include "base/plain_memory.hpp"
#include "base/platform_contract.hpp"
