// SPDX-License-Identifier: MIT
// What platform and tracing need of the region's words, without the rest of the message system. A wait looks
// at them at each turn, so they are read in place.
#pragma once

#include "interface/library.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace parley::library {

// The region begins with them.
struct RegionWords {
    std::atomic<std::uint32_t> departing; // parley_region_head
    // The same for every process of a job, so each may write them when it enters.
    std::atomic<std::uint32_t> pause;
    std::atomic<std::uint32_t> process_proxy;
    std::atomic<std::uint32_t> shares_processor;
    std::atomic<std::uintptr_t> trace_base; // 0: nobody wants to know
    std::atomic<std::size_t> trace_bytes;   // there, of each process
    std::atomic<std::uint64_t> clock_hertz; // of the time-stamp counter
};

static_assert(offsetof(RegionWords, departing) == offsetof(parley_region_head, departing));

inline const RegionWords& region_words() { return *reinterpret_cast<const RegionWords*>(PARLEY_SHARED_BASE); }

inline bool pause_wanted() { return region_words().pause.load(std::memory_order_relaxed) != 0; }
// As parley_start has it.
inline std::uint32_t sharers() { return region_words().shares_processor.load(std::memory_order_relaxed); }
inline bool shares_processor() { return sharers() != 0; }
inline std::uint32_t process_proxy() { return region_words().process_proxy.load(std::memory_order_relaxed); }
inline std::uintptr_t trace_base() { return region_words().trace_base.load(std::memory_order_relaxed); }
// How long so many ticks of the time-stamp counter are, whose frequency is below 18 GHz.
inline std::uint64_t nanoseconds(std::uint64_t ticks, std::uint64_t hertz)
{
    constexpr std::uint64_t second = 1'000'000'000;
    return ticks / hertz * second + ticks % hertz * second / hertz;
}
inline std::uint64_t nanoseconds(std::uint64_t ticks)
{
    return nanoseconds(ticks, region_words().clock_hertz.load(std::memory_order_relaxed));
}
inline std::size_t trace_bytes() { return region_words().trace_bytes.load(std::memory_order_relaxed); }
// Some process of the job must end. Relaxed: who has not seen it yet looks again.
inline bool somebody_departs() { return region_words().departing.load(std::memory_order_relaxed) != 0; }

} // namespace parley::library
