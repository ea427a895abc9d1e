// SPDX-License-Identifier: MIT
// The Linux calls that a job's programs tried and the kernel does not have: each number once, for the record.
// C libraries probe, so these are no failures.
#pragma once

#include "base/spin_lock.hpp"

#include <cstddef>

namespace parley::kernel {

class UnknownCalls {
public:
    void add(long number)
    {
        LockGuard guard(lock_);
        for (std::size_t i = 0; i < count_; ++i) {
            if (numbers_[i] == number)
                return;
        }
        if (count_ < capacity)
            numbers_[count_++] = number;
    }

    // Calls visit(number) for each call. Called when the processes have ended.
    template <class Visit>
    void for_each(const Visit& visit) const
    {
        for (std::size_t i = 0; i < count_; ++i)
            visit(numbers_[i]);
    }

private:
    static constexpr std::size_t capacity = 32;
    SpinLock lock_;
    long numbers_[capacity] = {};
    std::size_t count_ = 0;
};

} // namespace parley::kernel
