// SPDX-License-Identifier: MIT
// What those who deal with an endpoint must mind, in one word that is zero when there is nothing: then one
// load tells them so. Everything here is sequentially consistent, because each use pairs a store on one side
// with a look on the other (core.hpp, arrival.hpp).
#pragma once

#include "messaging/atomic.hpp"

#include <cstdint>

namespace parley::messaging {

enum class EndpointState : std::uint32_t { live, ended, killed };

// Whether the end of a watched request interrupts the process (MessageSystem::watch).
enum class WatchState : std::uint32_t { off, armed, due };

class Attention {
public:
    // 0: it is live, not watched, and waits neither for budget nor, in earnest, for a delivery.
    std::uint32_t all() const { return word_.load(std::memory_order_seq_cst); }
    bool none() const { return all() == 0; }

    EndpointState state() const { return static_cast<EndpointState>(field(state_bits)); }
    void set_state(EndpointState state) { replace(state_bits, static_cast<std::uint32_t>(state)); }

    WatchState watch() const { return static_cast<WatchState>(field(watch_bits) / watch_unit); }
    void set_watch(WatchState watch) { replace(watch_bits, static_cast<std::uint32_t>(watch) * watch_unit); }
    // From armed to due; false where it is not armed. One of several callers succeeds.
    bool fall_due()
    {
        std::uint32_t word = word_.load(std::memory_order_seq_cst);
        while (watch_in(word) == WatchState::armed)
            if (word_.compare_exchange_weak(word, word + watch_unit, std::memory_order_seq_cst))
                return true;
        return false;
    }

    bool wants_budget() const { return field(budget_bit) != 0; }
    void set_wants_budget(bool wants) { replace(budget_bit, wants ? budget_bit : 0); }

    // Of a message whose delivery its csend waits for.
    void set_wants_delivery(bool wants) { replace(delivery_bit, wants ? delivery_bit : 0); }

    // It is to hear of every message that comes back to its pool.
    bool wants_returns() const { return field(budget_bit | delivery_bit) != 0; }

private:
    static constexpr std::uint32_t state_bits = 0x3;
    static constexpr std::uint32_t watch_bits = 0xc;
    static constexpr std::uint32_t watch_unit = 0x4; // armed; twice that: due
    static constexpr std::uint32_t budget_bit = 0x10;
    static constexpr std::uint32_t delivery_bit = 0x20;

    static WatchState watch_in(std::uint32_t word)
    {
        return static_cast<WatchState>((word & watch_bits) / watch_unit);
    }
    std::uint32_t field(std::uint32_t bits) const { return word_.load(std::memory_order_seq_cst) & bits; }
    void replace(std::uint32_t bits, std::uint32_t value)
    {
        std::uint32_t word = word_.load(std::memory_order_relaxed);
        while (!word_.compare_exchange_weak(word, (word & ~bits) | value, std::memory_order_seq_cst)) { }
    }

    Atomic<std::uint32_t> word_{0};
};

} // namespace parley::messaging
