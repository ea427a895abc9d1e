// SPDX-License-Identifier: MIT
// What is written on a message: who sends how much of which type. The system writes it, and never the
// sender's program. It has two words, which cross a port in registers and beside the message, so that a
// message without bytes is received without a look at its memory.
#pragma once

#include "base/result.hpp"
#include "interface/limits.h"
#include "interface/receive_status.h"
#include "interface/senders.h"

#include <cstdint>
#include <type_traits>

namespace parley::messaging {

// How programs name a process.
struct ProcessName {
    std::int32_t node;
    std::int32_t pid;
};

class Envelope {
public:
    static constexpr std::uint64_t longest = PARLEY_MAX_MESSAGE; // bytes of a message
    // Whether a message can have so many bytes.
    static constexpr bool is_length(long bytes) { return static_cast<std::uint64_t>(bytes) <= longest; }

    // The message system's bits of a sender's word: the message's slot in its sender's pool, a mark, and the
    // sender's endpoint, which is found most often and so needs no mask.
    static constexpr unsigned slot_bits = 5;
    static constexpr unsigned source_bits = 12;

private:
    static constexpr unsigned slot_shift = PARLEY_CONTEXT_SHIFT + PARLEY_CONTEXT_BITS;
    static constexpr unsigned plain_shift = slot_shift + slot_bits;
    static constexpr unsigned source_shift = plain_shift + 1;

    static_assert(source_shift + source_bits == PARLEY_PID_SHIFT);
    static_assert(PARLEY_MAX_PROCESSES <= 1 << source_bits);
    static_assert(PARLEY_MAX_NODES < PARLEY_NO_NODE, "the host's number follows the last node's");

public:
    // In a sender's word: all that there is of the message is here and its slot, and its receiver's lock is
    // left without looking for those who wait.
    static constexpr std::uint64_t plain = std::uint64_t{1} << plain_shift;

    static constexpr std::uint64_t home_bits(std::uint64_t slot) { return slot << slot_shift; }

    constexpr Envelope() = default;

    // Has all that is the same in each of a sender's messages.
    Envelope(ProcessName from, std::uint16_t source)
        : sender_(parley_address(from.pid, 0) | std::uint64_t{source} << source_shift |
                  (static_cast<std::uint32_t>(from.node) & PARLEY_SENDER_NODE))
    {
    }

    // Adds what this message is. `context_bits`: the context, where it is in a sender's word. `home`: from
    // home_bits(), the message's slot in its sender's pool, to which its return tells all that anybody wants
    // to know of its delivery; 0: the message's memory says more.
    Envelope addressed(std::uint32_t type, std::uint32_t length, std::uint64_t context_bits,
                       std::uint64_t home) const
    {
        Envelope result;
        result.contents_ = std::uint64_t{length} << 32 | type;
        result.sender_ = sender_ | (context_bits & PARLEY_SENDER_CONTEXT) | home;
        return result;
    }

    std::uint32_t type() const { return static_cast<std::uint32_t>(contents_); }
    std::uint32_t length() const { return static_cast<std::uint32_t>(contents_ >> 32); }
    std::int32_t node() const { return static_cast<std::int32_t>(sender_ & PARLEY_SENDER_NODE); }
    std::int32_t pid() const { return static_cast<std::int32_t>(sender_ >> PARLEY_PID_SHIFT); }
    unsigned context() const { return static_cast<unsigned>(parley_address_context(sender_)); }
    unsigned source() const { return low() >> source_shift; } // endpoint of the sender
    std::uint32_t home() const { return low() >> slot_shift & most_slots; }
    bool has_home() const { return (sender_ & home_bits(most_slots)) != 0; }
    bool is_plain() const { return (sender_ & plain) != 0; }

    // This envelope with no home: the message's memory, and not its return, tells of its delivery.
    Envelope without_home() const { return of_words(contents_, sender_ & ~home_bits(most_slots)); }

    // type | length << 32, and the sender's word (interface/senders.h).
    std::uint64_t contents() const { return contents_; }
    std::uint64_t sender() const { return sender_; }
    static constexpr Envelope of_words(std::uint64_t contents, std::uint64_t sender)
    {
        Envelope result;
        result.contents_ = contents;
        result.sender_ = sender;
        return result;
    }

    // Whether the sender is one that a receive asks for (interface/senders.h).
    bool is_from(std::uint64_t from, std::uint64_t mask) const { return (sender_ & mask) == from; }

private:
    static constexpr std::uint32_t most_slots = (1u << slot_bits) - 1;

    std::uint32_t low() const { return static_cast<std::uint32_t>(sender_); }

    std::uint64_t contents_ = 0; // type | length << 32
    std::uint64_t sender_ = 0;   // source, home, marks, and as interface/senders.h says
};

static_assert(sizeof(Envelope) == 16);

// The result of a look for a message, in two registers: the message's envelope, or minus an Error in place of
// the first word. A length has 31 bits, so no envelope looks like an error.
class ReceiveStatus {
public:
    ReceiveStatus(const Envelope& envelope)
        : contents_(static_cast<long>(envelope.contents())), sender_(envelope.sender())
    {
    }
    ReceiveStatus(const std::unexpected<Error>& error)
        : contents_(-static_cast<long>(error.error())), sender_(0)
    {
    }
    // The status of a request that has ended and received nothing.
    static ReceiveStatus no_message()
    {
        return ReceiveStatus(Envelope::of_words(PARLEY_FOUND_NO_MESSAGE, 0));
    }

    explicit operator bool() const { return contents_ >= 0; }
    Error error() const { return static_cast<Error>(-contents_); }

    Envelope envelope() const { return Envelope::of_words(static_cast<std::uint64_t>(contents_), sender_); }
    parley_receive_status words() const { return {contents_, sender_}; } // as a call answers it

private:
    long contents_;
    std::uint64_t sender_;
};

static_assert(sizeof(ReceiveStatus) == sizeof(parley_receive_status) &&
              std::is_trivially_copyable_v<ReceiveStatus>);

} // namespace parley::messaging
