// SPDX-License-Identifier: MIT
// What is written on a message: who sends how much of which type. It is stamped by the system and never by
// the sender's program. Two words, which cross a port in registers and beside the message, so that a message
// without bytes is received without a look at its memory.
#pragma once

#include "kernel/interface/senders.h"

#include <cstdint>

namespace parley::messaging {

// How programs name a process.
struct ProcessName {
    std::int32_t node;
    std::int32_t pid;
};

class Envelope {
public:
    static constexpr std::uint64_t longest = 0x7fffffff; // bytes of a message

    Envelope() = default;

    // All that is the same in each of a sender's messages.
    Envelope(ProcessName from, std::uint8_t source)
        : sender_(std::uint64_t{static_cast<std::uint32_t>(from.pid)} << 32 | std::uint64_t{source} << 16 |
                  static_cast<std::uint8_t>(from.node))
    {
    }

    // The same with what this message is. The context is where it is in a sender's word. `home`: the
    // message's place in the pool of its sender, and nobody wants to hear of its delivery; 0: its own memory
    // says more.
    Envelope addressed(std::uint32_t type, std::uint32_t length, std::uint64_t context_bits,
                       std::uint64_t home) const
    {
        Envelope result;
        result.contents_ = std::uint64_t{length} << 32 | type;
        result.sender_ = sender_ | (context_bits & PARLEY_SENDER_CONTEXT) | home << 24;
        return result;
    }

    std::uint32_t type() const { return static_cast<std::uint32_t>(contents_); }
    std::uint32_t length() const { return static_cast<std::uint32_t>(contents_ >> 32); }
    std::int32_t node() const { return static_cast<std::uint8_t>(sender_); }
    std::int32_t pid() const { return static_cast<std::int32_t>(sender_ >> 32); }
    std::uint8_t context() const { return static_cast<std::uint8_t>(sender_ >> 8); }
    std::uint8_t source() const { return static_cast<std::uint8_t>(sender_ >> 16); } // endpoint of the sender
    std::uint8_t home() const { return static_cast<std::uint8_t>(sender_ >> 24); }

    // As a receive asks (kernel/interface/senders.h).
    bool is_from(std::uint64_t from, std::uint64_t mask) const { return (sender_ & mask) == from; }

private:
    std::uint64_t contents_; // type | length << 32
    std::uint64_t sender_;   // source << 16 | home << 24, and as kernel/interface/senders.h says
};

static_assert(sizeof(Envelope) == 16);

} // namespace parley::messaging
