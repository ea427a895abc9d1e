// SPDX-License-Identifier: MIT
// What processors have waited for the kernel's spin locks, by the site in the kernel's text where the lock
// was wanted: where SpinLock::acquire() stands, which is inlined. Safe to use from several processors.
#pragma once

#include "kernel/accounting/lock_wait_sum.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace parley::kernel::accounting {

class LockWaits {
public:
    // Sites with a sum of their own, and behind them the sum of all others.
    static constexpr unsigned room = 128;

    using Sums = std::array<LockWaitSum::Value, room + 1>; // by the number of a site, which it keeps

    // A wait has ended that began where a call returns to `site`. Interrupts are off.
    void add(const void* site, std::uint64_t cycles);
    // Each site's sum as it was at one moment.
    Sums sums() const;
    // The name of the function that has the site of that number; empty: it is not known.
    std::string_view function_of(unsigned number) const;

private:
    struct WaitSite {
        Atomic<const void*> returns_to{nullptr};
        LockWaitSum waited;
    };

    LockWaitSum& sum_of(const void* site);

    std::array<WaitSite, room> sites_;
    LockWaitSum others_;
};

} // namespace parley::kernel::accounting
