// SPDX-License-Identifier: MIT
// Stands in for base/atomic.hpp in the explorer's tests: each operation is a step before which others
// may go, and reads what its memory order lets it read.
#pragma once

#include "testing/explorer.hpp"

#include <atomic>
#include <cstring>
#include <type_traits>

namespace parley {

template <class T>
class Atomic {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(explorer::word::Bits));

    using Bits = explorer::word::Bits;
    using Order = std::memory_order;
    static constexpr Order strongest = std::memory_order_seq_cst;

public:
    constexpr Atomic() : Atomic(T()) { }
    constexpr Atomic(T value) : value_(value)
    {
        if !consteval {
            explorer::word::begin(this);
        }
    }
    Atomic(const Atomic&) = delete;
    Atomic& operator=(const Atomic&) = delete;

    T load(Order order = strongest) const
    {
        if (explorer::word::loads_are_no_steps)
            return peek();
        return value(explorer::word::load(this, sizeof(T), order));
    }
    void store(T wanted, Order order = strongest)
    {
        explorer::word::store(this, sizeof(T), bits(wanted), order);
    }
    T exchange(T wanted, Order order = strongest)
    {
        return update([](Bits, Bits with) { return with; }, wanted, order);
    }
    T fetch_add(T more, Order order = strongest)
    {
        return update([](Bits before, Bits with) { return before + with; }, more, order);
    }
    T fetch_sub(T less, Order order = strongest)
    {
        return update([](Bits before, Bits with) { return before - with; }, less, order);
    }
    T fetch_or(T more, Order order = strongest)
    {
        return update([](Bits before, Bits with) { return before | with; }, more, order);
    }
    T fetch_and(T mask, Order order = strongest)
    {
        return update([](Bits before, Bits with) { return before & with; }, mask, order);
    }

    bool compare_exchange_strong(T& expected, T wanted, Order success, Order failure)
    {
        return compare_exchange(expected, wanted, success, failure, false);
    }
    bool compare_exchange_strong(T& expected, T wanted, Order order = strongest)
    {
        return compare_exchange(expected, wanted, order, of_failure(order), false);
    }
    bool compare_exchange_weak(T& expected, T wanted, Order success, Order failure)
    {
        return compare_exchange(expected, wanted, success, failure, true);
    }
    bool compare_exchange_weak(T& expected, T wanted, Order order = strongest)
    {
        return compare_exchange(expected, wanted, order, of_failure(order), true);
    }

    // A relaxed load without a step, and what goes before it (explorer.hpp), for the explorer's own platform.
    T peek() const { return value(explorer::word::peek(this, sizeof(T))); }
    void tell() const { explorer::word::tell(this, sizeof(T)); }

private:
    static Bits bits(T value)
    {
        Bits bits = 0;
        std::memcpy(&bits, &value, sizeof value);
        return bits;
    }
    static T value(Bits bits)
    {
        T value;
        std::memcpy(&value, &bits, sizeof value);
        return value;
    }
    static Order of_failure(Order success)
    {
        if (success == std::memory_order_acq_rel)
            return std::memory_order_acquire;
        return success == std::memory_order_release ? std::memory_order_relaxed : success;
    }
    T update(explorer::word::Change change, T with, Order order)
    {
        return value(explorer::word::update(this, sizeof(T), change, bits(with), order));
    }
    bool compare_exchange(T& expected, T wanted, Order success, Order failure, bool may_fail)
    {
        Bits found = bits(expected);
        const bool done = explorer::word::compare_exchange(this, sizeof(T), found, bits(wanted), success,
                                                           failure, may_fail);
        expected = value(found);
        return done;
    }

    T value_;
};

} // namespace parley
