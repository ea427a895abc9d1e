// SPDX-License-Identifier: MIT
// The packets and blocks of a queue of many senders and one receiver, and how they lie in cache lines. A
// packet is free until the sender that has claimed it fills it, or says before that in its word that it has
// claimed it; then it is ready, perhaps with a block, until whoever takes it frees it. A short message lies
// in the packet whole; of another the packet has the address of its memory. A long message claims a block as
// well, so a queue has no more of them than blocks; the bytes stay where the Transfer has them.
#pragma once

#include "base/atomic.hpp"
#include "messaging/port.hpp"

#include <cstddef>
#include <cstdint>

namespace parley::messaging {

// The state of a packet or a block is one word, which only grows: the number of its visit, that is how often
// it has been freed; its state; and who has claimed it, once it is no longer free.
namespace slot {

// From `whole` on a packet is ready: all that there is of its message lies in it; or its address, and perhaps
// the number of its block; or there is no message.
enum SlotState : std::uint64_t { free, claimed, whole, ready, ready_with_block, empty };

inline constexpr unsigned state_bits = 3, caller_bits = 13, visit_shift = state_bits + caller_bits;
static_assert(PARLEY_MAX_PROCESSES < 1 << caller_bits);

constexpr std::uint64_t word(std::uint64_t visit, SlotState state, unsigned caller = 0)
{
    return visit << visit_shift | std::uint64_t{state} << caller_bits | caller;
}
constexpr SlotState state(std::uint64_t word)
{
    return static_cast<SlotState>(word >> caller_bits & ((1u << state_bits) - 1));
}
constexpr std::uint64_t visit(std::uint64_t word) { return word >> visit_shift; }
constexpr unsigned caller(std::uint64_t word)
{
    return static_cast<unsigned>(word) & ((1u << caller_bits) - 1);
}
// Whether this caller may fill the slot in this visit: it has claimed it, or nobody has and it is the only
// one who may.
constexpr bool may_fill(std::uint64_t now, std::uint64_t visit, unsigned caller)
{
    return now == word(visit, free) || now == word(visit, claimed, caller);
}

} // namespace slot

struct alignas(64) QueuedPacket {
    static constexpr std::uint32_t room = 40; // bytes of a message that lies here whole
    static constexpr std::size_t in_first_line = room;

    // Where a message is that does not lie here.
    struct Elsewhere {
        MessageMemory* memory;
        std::uint64_t block; // its number, if the packet is ready with a block
    };

    Atomic<std::uint64_t> word{0};
    Envelope envelope;
    alignas(8) std::byte bytes[room]; // or Elsewhere

    void set_elsewhere(const Elsewhere& where) { __builtin_memcpy(bytes, &where, sizeof where); }
    Elsewhere elsewhere() const
    {
        Elsewhere result;
        __builtin_memcpy(&result, bytes, sizeof result);
        return result;
    }
};
static_assert(sizeof(QueuedPacket::Elsewhere) <= QueuedPacket::room);

struct alignas(64) Block {
    Atomic<std::uint64_t> word{0};
    std::uint64_t size = 0; // bytes of the message
};

// The numbers that are assigned next, which all senders write: both in one line.
struct alignas(64) Tails {
    Atomic<std::uint64_t> packets{0}, blocks{0};
};

static_assert(sizeof(QueuedPacket) == 64 && sizeof(Block) == 64 && sizeof(Tails) == 64,
              "each has a line alone");

} // namespace parley::messaging
