// SPDX-License-Identifier: MIT
// How long and how often processors have waited for a lock at one site of the kernel's text. Any processor
// adds to it, with interrupts off, and any reads it as it was at one moment (version.hpp).
#pragma once

#include "kernel/accounting/version.hpp"

namespace parley::kernel::accounting {

class LockWaitSum {
public:
    struct Value {
        std::uint64_t cycles = 0, times = 0;
    };

    void add(std::uint64_t cycles)
    {
        const Version::WritingAlone writing(version_);
        cycles_.store(cycles_.load(std::memory_order_relaxed) + cycles, std::memory_order_release);
        times_.store(times_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }
    Value value() const
    {
        return version_.read([this] {
            return Value{cycles_.load(std::memory_order_acquire), times_.load(std::memory_order_acquire)};
        });
    }

private:
    Version version_;
    Atomic<std::uint64_t> cycles_{0}, times_{0};
};

} // namespace parley::kernel::accounting
