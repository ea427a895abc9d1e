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

    // Calls visit(number) for each call.
    template <class Visit>
    void for_each(const Visit& visit) const
    {
        for (std::size_t i = 0; i < count(); ++i)
            visit(number_at(i));
    }

private:
    std::size_t count() const
    {
        LockGuard guard(lock_);
        return count_;
    }
    long number_at(std::size_t index) const
    {
        LockGuard guard(lock_);
        return numbers_[index];
    }

    static constexpr std::size_t capacity = 32;
    mutable SpinLock lock_;
    long numbers_[capacity] GUARDED_BY(lock_) = {};
    std::size_t count_ GUARDED_BY(lock_) = 0;
};

} // namespace parley::kernel
