// SPDX-License-Identifier: MIT
// Stands in for messaging/atomic.hpp in the explorer's tests: each operation is a step before which others
// may go.
#pragma once

#include "tools/testing/explorer.hpp"

#include <atomic>

namespace parley::messaging {

template <class T>
class Atomic {
public:
    constexpr Atomic() = default;
    constexpr Atomic(T value) : value_(value) { }
    Atomic(const Atomic&) = delete;
    Atomic& operator=(const Atomic&) = delete;

    T load(std::memory_order = std::memory_order_seq_cst) const
    {
        explorer::step();
        return value_;
    }
    void store(T value, std::memory_order = std::memory_order_seq_cst)
    {
        explorer::step();
        set(value);
    }
    T exchange(T value, std::memory_order = std::memory_order_seq_cst)
    {
        explorer::step();
        const T before = value_;
        set(value);
        return before;
    }
    T fetch_add(T more, std::memory_order = std::memory_order_seq_cst) { return exchange_with_sum(more); }
    T fetch_sub(T less, std::memory_order = std::memory_order_seq_cst)
    {
        return exchange_with_sum(static_cast<T>(-less));
    }

    bool compare_exchange_strong(T& expected, T wanted, std::memory_order = std::memory_order_seq_cst,
                                 std::memory_order = std::memory_order_seq_cst)
    {
        explorer::step();
        if (value_ != expected) {
            expected = value_;
            return false;
        }
        set(wanted);
        return true;
    }
    bool compare_exchange_weak(T& expected, T wanted, std::memory_order = std::memory_order_seq_cst,
                               std::memory_order = std::memory_order_seq_cst)
    {
        return compare_exchange_strong(expected, wanted);
    }

    // Without a step: for the explorer's own platform.
    T peek() const { return value_; }

private:
    T exchange_with_sum(T more)
    {
        explorer::step();
        const T before = value_;
        set(static_cast<T>(before + more));
        return before;
    }

    void set(T value)
    {
        if (value != value_)
            explorer::changed();
        value_ = value;
    }

    T value_{};
};

} // namespace parley::messaging
