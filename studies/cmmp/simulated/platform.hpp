// SPDX-License-Identifier: MIT
// The platform of programs on simulated processors (programs.hpp): waits let simulated time go by, memory is
// plain memory. Contract: base/platform_contract.hpp.
#pragma once

#include "base/address.hpp"
#include "base/atomic.hpp"
#include "base/copy.hpp"
#include "base/result.hpp"

#include <cstddef>
#include <cstdint>

namespace parley::platform {

inline void pause() { }
inline void give_way() { }
inline unsigned brief_turns() { return 0; }
inline void between_looks() { }
inline unsigned sleep_turns() { return 600; }

class SpinWait {
public:
    bool once();
};

bool block(Atomic<std::uint32_t>& word, std::uint32_t expected);
unsigned wake(Atomic<std::uint32_t>& word, unsigned count);
// There is no message system.
inline bool suspend(Atomic<std::uint32_t>& word, std::uint32_t expected) { return block(word, expected); }
inline unsigned resume(Atomic<std::uint32_t>& word, unsigned count) { return wake(word, count); }

// Nobody is interrupted while it computes.
inline void notify(unsigned) { }
// Nanoseconds of the simulated clock.
std::uint64_t cycles();
inline std::uint64_t nanoseconds() { return cycles(); }

inline void copy(std::byte* to, const std::byte* from, std::size_t bytes) { copy_bytes(to, from, bytes); }
inline void fetch_to_write(const std::byte*, std::size_t) { }

} // namespace parley::platform

#include "base/plain_memory.hpp"
#include "base/platform_contract.hpp"
