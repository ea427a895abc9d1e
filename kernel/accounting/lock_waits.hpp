// SPDX-License-Identifier: MIT
// What processors wait for the kernel's spin locks, by the site in the kernel's text where the lock is
// wanted: where SpinLock::acquire() stands, which is inlined.
#pragma once

#include "base/atomic.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace parley::kernel::accounting {

// Gives sites numbers, which they keep, from 0 on. Safe to use from several processors.
class LockWaitSites {
public:
    // Sites with a number of their own, and behind these the number of all others.
    static constexpr unsigned room = 128;
    static constexpr unsigned numbers = room + 1;

    // The number of a site, which is the address that a call returns to.
    unsigned number_of(const void* site);
    // The name of the function that has the site of that number; empty: it is not known.
    std::string_view function_of(unsigned number) const;

private:
    std::array<Atomic<const void*>, room> sites_{};
};

struct LockWaitSum {
    std::uint64_t cycles = 0, times = 0;
};
using LockWaitSums = std::array<LockWaitSum, LockWaitSites::numbers>; // by the number of the site

} // namespace parley::kernel::accounting
