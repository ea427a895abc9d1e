// SPDX-License-Identifier: MIT
// Stands in for kernel/base/atomic.hpp in the explorer's tests: each operation is a step before which others
// may go.
#pragma once

#include "tools/testing/explorer.hpp"

#include <atomic>

namespace parley {

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
        return update([value](T) { return value; });
    }
    T fetch_add(T more, std::memory_order = std::memory_order_seq_cst)
    {
        return update([more](T value) { return static_cast<T>(value + more); });
    }
    T fetch_sub(T less, std::memory_order = std::memory_order_seq_cst)
    {
        return update([less](T value) { return static_cast<T>(value - less); });
    }

    T fetch_or(T more, std::memory_order = std::memory_order_seq_cst)
    {
        return update([more](T value) { return static_cast<T>(value | more); });
    }
    T fetch_and(T mask, std::memory_order = std::memory_order_seq_cst)
    {
        return update([mask](T value) { return static_cast<T>(value & mask); });
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
    template <class NewValue>
    T update(NewValue new_value)
    {
        explorer::step();
        const T before = value_;
        set(new_value(before));
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

} // namespace parley
