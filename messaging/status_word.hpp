// SPDX-License-Identifier: MIT
// What others must know about the process of an endpoint, in one word that is zero when there is nothing out
// of the ordinary: then one load tells them so. Everything here is sequentially consistent, because each use
// pairs a store on one side with a look on the other (waiter.hpp, mailbox.hpp, delivery.hpp, budget.hpp).
#pragma once

#include "base/atomic.hpp"

#include <cstdint>

namespace parley::messaging {

enum class EndpointState : std::uint32_t { live, ended, killed };

// Whether the end of a request that notifies interrupts the process (interface/calls.def: watch).
// Held: it has been interrupted, and its program wants to hear of that later.
enum class Notification : std::uint32_t { off, armed, pending, held };

class StatusWord {
public:
    // 0: the process is live and reached directly, has no notification armed, and waits neither for messages
    // nor for budget nor, after its first look, for a delivery.
    std::uint32_t all() const { return word_.load(std::memory_order_seq_cst); }
    bool is_ordinary() const { return all() == 0; }

    // The process is live, and senders put what is meant for it into its own mailbox.
    bool is_direct() const { return field(state_bits | routed_bit) == 0; }
    // Called when the system is made: senders use another's mailbox, on the full way.
    void set_routed() { replace(routed_bit, routed_bit); }

    // Anybody may read the state; only the process, or whoever ends it, sets it.
    EndpointState state() const { return static_cast<EndpointState>(field(state_bits)); }
    void set_state(EndpointState state) { replace(state_bits, static_cast<std::uint32_t>(state)); }

    Notification notification() const { return notification_in(word_.load(std::memory_order_seq_cst)); }
    // The process itself may set any of them at any time; others only call notify().
    void set_notification(Notification state)
    {
        replace(notification_bits, static_cast<std::uint32_t>(state) * notification_unit);
    }
    // Moves from armed to pending. False: the notification is not armed. One of several callers succeeds.
    bool notify()
    {
        std::uint32_t word = word_.load(std::memory_order_seq_cst);
        while (notification_in(word) == Notification::armed)
            if (word_.compare_exchange_weak(word, word + notification_unit, std::memory_order_seq_cst))
                return true;
        return false;
    }

    // The process sets this before it looks whether the budget has enough; whoever frees some reads it
    // afterwards.
    bool wants_budget() const { return field(budget_bit) != 0; }
    void set_wants_budget(bool wants) { replace(budget_bit, wants ? budget_bit : 0); }

    // The process sets this while its csend waits for a message's delivery.
    void set_wants_delivery(bool wants) { replace(delivery_bit, wants ? delivery_bit : 0); }

    // The process sets this before it looks a last time whether a message has come or is under way to it,
    // and waits (Progress::listen()); a sender reads it when it has drawn a number (Peer::tell()), or has put
    // an Active Message (ActiveEndpoint::announce()).
    void set_listens() { word_.fetch_or(listens_bit, std::memory_order_seq_cst); }
    void set_listens_no_more() { word_.fetch_and(~listens_bit, std::memory_order_release); }

    // Whether the process is to hear of every message that comes back to its pool.
    bool wants_returns() const { return field(budget_bit | delivery_bit) != 0; }

private:
    static constexpr std::uint32_t state_bits = 0x3;
    static constexpr std::uint32_t notification_bits = 0xc;
    static constexpr std::uint32_t notification_unit = 0x4; // armed; twice that: pending
    static constexpr std::uint32_t budget_bit = 0x10;
    static constexpr std::uint32_t delivery_bit = 0x20;
    static constexpr std::uint32_t routed_bit = 0x40;
    static constexpr std::uint32_t listens_bit = 0x80;

    static Notification notification_in(std::uint32_t word)
    {
        return static_cast<Notification>((word & notification_bits) / notification_unit);
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
