// SPDX-License-Identifier: MIT
// An entry of a port that carries short messages whole: cache lines that lie together. In front of them is
// one word, by which takers know which message the entry holds and of what kind it is, and the envelope; the
// bytes follow. Forty of them lie in the first line.
#pragma once

#include "base/address.hpp"
#include "base/atomic.hpp"
#include "messaging/message/message.hpp"

#include <cstddef>
#include <cstdint>

namespace parley::messaging {

// `most_bytes`: of a message that is carried.
template <std::size_t most_bytes>
struct alignas(128) CarriedUpTo {
    static constexpr std::uint32_t room = most_bytes;

    // Whole: all that there is of the message lies here. In memory: its envelope lies here, and the address
    // of its memory. Void: there is no message.
    enum Kind : std::uint64_t { whole, in_memory, void_entry };

    // The number of the message that was published here last, in steps of at least 4, and its kind.
    Atomic<std::uint64_t> word{0};
    Envelope envelope;
    alignas(8) std::byte bytes[round_up(most_bytes, 8)]; // or the address of the message's memory

    static constexpr std::size_t in_first_line = 40;

    static constexpr std::uint64_t word_of(std::uint64_t number, Kind kind) { return number * 4 + kind; }
    // Whether this number has been published here; a later one is not expected.
    bool holds(std::uint64_t number, std::memory_order order) const
    {
        return word.load(order) - word_of(number, whole) <= void_entry;
    }

    void set_memory(MessageMemory* memory) { __builtin_memcpy(bytes, &memory, sizeof memory); }
    MessageMemory* memory() const
    {
        MessageMemory* result = nullptr;
        __builtin_memcpy(&result, bytes, sizeof result);
        return result;
    }
};

// An entry of two lines.
using Carried = CarriedUpTo<Message::short_bytes>;
static_assert(sizeof(Carried) == 128);

} // namespace parley::messaging
