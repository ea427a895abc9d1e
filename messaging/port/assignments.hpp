// SPDX-License-Identifier: MIT
// Senders draw the slots of a ring by fetch-and-increment. A number that is drawn cannot be given back: the
// receiver comes to it, and finds nothing there. So each sender notes what it does in a line of its own:
// that it draws a number, which number it has, and that it has a number for which there was no room and which
// it will use again. A number that is assigned, and that no note accounts for, is lost: its sender has ended.
#pragma once

#include "base/atomic.hpp"
#include "base/leaf_argument.hpp"
#include "messaging/port_memory.hpp"

#include <new>
#include <span>
#include <string_view>

namespace parley::messaging {

inline constexpr std::string_view increments[] = {"native", "cas"};
inline constexpr Unit increment_unit{"", {}, false, increments};
inline constexpr LeafArgument increment_argument{
    "increment",
    "the machine's fetch-and-increment, or one that is made of compare-and-swap",
    increment_unit,
    0,
    1,
    0};

// Answers what was there. By compare-and-swap, a caller may starve.
inline std::uint64_t fetch_and_increment(Atomic<std::uint64_t>& word, bool by_swapping)
{
    if (!by_swapping)
        return word.fetch_add(1, std::memory_order_acq_rel);
    std::uint64_t fetched = word.load(std::memory_order_relaxed);
    while (!word.compare_exchange_weak(fetched, fetched + 1, std::memory_order_acq_rel,
                                       std::memory_order_relaxed)) { }
    return fetched;
}

// What a sender notes of packets and of blocks.
struct alignas(64) Claimant {
    Atomic<std::uint64_t> packet{0}, block{0};
};

class Claimants {
public:
    explicit Claimants(const PortParts& parts)
    {
        const Result<std::byte*> block = parts.allocate(parts.endpoints * sizeof(Claimant));
        if (!block)
            return;
        auto* const first = reinterpret_cast<Claimant*>(*block);
        for (unsigned index = 0; index < parts.endpoints; ++index)
            new (first + index) Claimant;
        all_ = {first, parts.endpoints};
    }

    bool is_made() const { return !all_.empty(); }
    Claimant& operator[](unsigned caller) const { return all_[caller]; }
    std::span<Claimant> all() const { return all_; }

private:
    std::span<Claimant> all_;
};

class Assignments {
public:
    enum Phase : std::uint64_t { none, drawing, assigned, kept };
    static Phase phase(std::uint64_t note) { return static_cast<Phase>(note & 3); }
    static std::uint64_t number(std::uint64_t note) { return note >> 2; }
    static std::uint64_t note_of(std::uint64_t number, Phase phase) { return number << 2 | phase; }

    // `which`: where a sender notes what it does here. `by_swapping`: see fetch_and_increment().
    Assignments(Atomic<std::uint64_t>& tail, const Claimants& claimants,
                Atomic<std::uint64_t> Claimant::* which, bool by_swapping)
        : tail_(tail), claimants_(claimants), which_(which), by_swapping_(by_swapping)
    {
    }

    // Assigns the caller the next number, or that which it has kept.
    std::uint64_t draw(Claimant& caller)
    {
        Atomic<std::uint64_t>& note = caller.*which_;
        std::uint64_t before = note.load(std::memory_order_relaxed);
        if (phase(before) == kept) [[unlikely]]
            if (note.compare_exchange_strong(before, before - kept + assigned, std::memory_order_relaxed))
                return number(before);
        note.store(drawing, std::memory_order_relaxed);
        // Release: who finds the number assigned finds the note of its sender (is_lost()).
        const std::uint64_t drawn = fetch_and_increment(tail_, by_swapping_);
        // Release: who finds that this is another number finds what was filled before.
        note.store(note_of(drawn, assigned), std::memory_order_release);
        return drawn;
    }
    // There was no room for the caller's number. Others may pass over it until the caller draws again.
    void keep(Claimant& caller, std::uint64_t drawn)
    {
        (caller.*which_).store(note_of(drawn, kept), std::memory_order_release);
        make_unclear();
    }
    // The caller has ended.
    void leave(Claimant& caller)
    {
        finish(caller);
        make_unclear();
    }
    // The caller has filled its slot. Release: who finds no note finds the slot filled.
    void finish(Claimant& caller) { (caller.*which_).store(none, std::memory_order_release); }

    // Whether a slot that was assigned and is free now will never be filled; a number that was kept for it
    // is given up by this. `same`: the bits in which a number that is for that slot is as `wanted`.
    bool is_lost(std::uint64_t wanted, std::uint64_t same)
    {
        if (!is_assigned(wanted))
            return false;
        for (Claimant& claimant : claimants_.all()) {
            Atomic<std::uint64_t>& note = claimant.*which_;
            std::uint64_t now = note.load(std::memory_order_acquire); // pairs with finish() and keep()
            if (phase(now) == drawing)
                return false;
            if (phase(now) == none || ((number(now) ^ wanted) & same) != 0)
                continue;
            return phase(now) == kept && note.compare_exchange_strong(now, none, std::memory_order_acq_rel,
                                                                      std::memory_order_relaxed);
        }
        return true;
    }
    // Does the same for whoever takes, and looks at no line of the senders as long as all have what they have
    // drawn. `wanted`: all numbers below it have been used.
    bool is_next_lost(std::uint64_t wanted, std::uint64_t same)
    {
        return is_unclear() && is_unclear_next_lost(wanted, same);
    }
    // Whether a number may be lost.
    bool is_unclear() const { return is_unclear_.load(std::memory_order_relaxed) != 0; }

    // Whether somebody has drawn that number. Acquire pairs with the release in draw(), also that of those
    // who have drawn since.
    bool is_assigned(std::uint64_t wanted) const { return tail_.load(std::memory_order_acquire) > wanted; }

private:
    // Exchanged, not stored: whoever takes sees the numbers of all who have made it unclear, not of the last
    // alone.
    void make_unclear() { (void)is_unclear_.exchange(1, std::memory_order_acq_rel); }

    [[gnu::noinline]] bool is_unclear_next_lost(std::uint64_t wanted, std::uint64_t same)
    {
        if (is_assigned(wanted))
            return is_lost(wanted, same);
        // All that was drawn has been used. Acquire pairs with make_unclear(): the numbers of those who have
        // made it unclear again are seen then.
        (void)is_unclear_.exchange(0, std::memory_order_acq_rel);
        if (is_assigned(wanted))
            is_unclear_.store(1, std::memory_order_relaxed);
        return false;
    }

    Atomic<std::uint64_t>& tail_;
    const Claimants& claimants_;
    Atomic<std::uint64_t> Claimant::* which_;
    bool by_swapping_;
    Atomic<std::uint32_t> is_unclear_{0}; // somebody has kept a number, or has ended
};

} // namespace parley::messaging
