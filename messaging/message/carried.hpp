// SPDX-License-Identifier: MIT
// A message as it lies in a port that carries short ones whole: two cache lines that lie together, with the
// number by which takers know it and the envelope in front. A copy that is made of it serves a receiver as
// well as the message's own memory, which then stays in its sender's cache; or the message has none any more,
// and what lies here is all that there is.
#pragma once

#include "base/atomic.hpp"
#include "messaging/message/message.hpp"

#include <cstddef>
#include <cstdint>

namespace parley::messaging {

struct alignas(128) Carried {
    Atomic<std::uint32_t> number{0};
    std::uint32_t tail = 0; // what `bytes` has no room for
    Envelope envelope;
    std::uintptr_t memory = 0; // the message's own, or 0, and what of it lies here
    std::byte bytes[96];       // of a short message; or the address of a longer one's

    static constexpr std::size_t in_first_line = 32;
    static constexpr std::uintptr_t short_one = 1, long_one = 2, kinds = short_one | long_one;

    MessageMemory* message() const { return reinterpret_cast<MessageMemory*>(memory & ~kinds); }
    // Whether a receiver need not look at the message's memory.
    bool is_whole() const { return (memory & kinds) != 0; }
    // Whether it has none, and nothing is given back.
    bool is_alone() const { return memory <= kinds; }

    // Sender, before the number is written. A message with more to it than its bytes (a protocol, or somebody
    // who counts its delivery) has an envelope without a home.
    void load(MessageMemory& from, const Envelope& of)
    {
        envelope = of;
        memory = reinterpret_cast<std::uintptr_t>(&from);
        if (of.length() == 0 || of.home() == 0)
            return;
        memory |= load_bytes(from.open(of));
    }

    // The same, and its memory stays its sender's. Null: there are no bytes. Nothing but its bytes and its
    // envelope is to it.
    void load_alone(const Message* from, const Envelope& of)
    {
        envelope = of;
        memory = from != nullptr ? load_bytes(*from) : short_one;
    }

    // Receiver. What is whole becomes a message.
    void unload(Message& copy) const
    {
        copy.write(envelope);
        copy.set_place(static_cast<std::uint8_t>(envelope.home())); // it goes back there, if need be
        if ((memory & long_one) != 0) {
            __builtin_memcpy(&copy.data, bytes, sizeof copy.data);
            return;
        }
        copy.data = copy.space;
        copy_short(copy.space, bytes, envelope.length());
        __builtin_memcpy(copy.space + sizeof bytes, &tail, sizeof tail);
    }

private:
    // Which kind it is.
    std::uintptr_t load_bytes(const Message& from)
    {
        if (!from.data_is_inside()) {
            __builtin_memcpy(bytes, &from.data, sizeof from.data);
            return long_one;
        }
        copy_short(bytes, from.data, from.length());
        __builtin_memcpy(&tail, from.data + sizeof bytes, sizeof tail);
        return short_one;
    }

    // In whole lines, so that no length is looked at twice; both places are long enough. The second line is
    // left alone where nothing lies in it.
    static void copy_short(std::byte* to, const std::byte* from, std::size_t length)
    {
        __builtin_memcpy(to, from, in_first_line);
        if (length > in_first_line)
            __builtin_memcpy(to + in_first_line, from + in_first_line, sizeof bytes - in_first_line);
    }
};

static_assert(sizeof(Carried) == 128 &&
              sizeof(Carried::bytes) + sizeof(Carried::tail) == Message::short_bytes);

} // namespace parley::messaging
