// SPDX-License-Identifier: MIT
// One message on its way: its envelope, and where the bytes are. A message belongs to exactly one party or
// list at a time; passing it through a port, a list under its lock or a pool's word is what orders the
// accesses of its plain members.
#pragma once

#include "messaging/message/envelope.hpp"

#include "assertion.hpp"

#include <cstddef>
#include <cstdint>

namespace parley::messaging {

class Completion;
class Protocol;
class Message;

// A message's memory while its envelope is elsewhere: it is spare in its sender's pool, or lies in a port,
// which has the envelope beside it. What is written in it may be of an older message; only open() makes it a
// message, so envelope and memory cannot disagree.
class MessageMemory {
public:
    // Makes this a message with that envelope, without what an older one has left. Whoever has both calls it:
    // the sender that makes the message, or the receiver that took it from its port.
    inline Message& open(const Envelope& envelope);
    // The message that open() has made of this memory since it was last spare.
    inline Message& opened();
    // Its slot in its sender's pool; 0: it is in none.
    inline std::uint8_t slot() const;

protected:
    ~MessageMemory() = default;
};

class alignas(64) Message final : public MessageMemory, public Envelope {
public:
    static constexpr std::size_t short_bytes = 100;

    // The next message of the MessageList that this one is in. A port that links messages by hand calls
    // begin_link() before and end_link() after, so that checked builds know of it.
    Message* next = unlinked<Message>();
    std::byte* data; // the Transfer's: a system buffer, the space below, or an address in the shared region
    std::uint32_t stamp;       // traced builds: its number, to pair its send with its receive
    std::uint16_t destination; // endpoint it is meant for, where a helper or a protocol wants to know

    // Its slot in its sender's pool, to which it returns; 0: its memory is from the heap or a port's.
    std::uint8_t slot() const { return slot_; }
    void set_slot(std::uint8_t slot) { slot_ = slot; }
    // Whether its memory belongs to the port of the endpoint `destination`, which holds it for its taker
    // (Port::hold()). Its slot is then that of other memory, which goes back to its sender, or 0.
    bool is_held() const { return memory_ == Memory::of_port; }
    void set_held() { memory_ = Memory::of_port; }
    // Whether its memory, if it has no slot, is from the heap.
    bool is_own() const { return memory_ == Memory::own; }
    // Its sender copies the program's bytes to a system buffer. The message is still spare, so that whoever
    // ends the process meanwhile finds the buffer by it and gives that back.
    void begin_filling(std::byte* buffer)
    {
        data = buffer;
        memory_ = Memory::with_buffer;
    }
    void end_filling() { memory_ = Memory::own; }
    bool is_filling() const { return memory_ == Memory::with_buffer; }

    void write(const Envelope& envelope) { static_cast<Envelope&>(*this) = envelope; }
    // Who counts its delivery, or null; what it still needs between sender and receiver, or null. A message
    // that has either says so by an envelope without a home, so that nobody who reads that looks further.
    // Spare messages have neither.
    Completion* completion() const { return completion_; }
    Protocol* protocol() const { return protocol_; }
    void count_on(Completion& completion)
    {
        completion_ = &completion;
        write(without_home());
    }
    void follow(Protocol& protocol)
    {
        protocol_ = &protocol;
        write(without_home());
    }

    // The message is over, or its memory begins anew.
    void forget()
    {
        completion_ = nullptr;
        protocol_ = nullptr;
    }

    // The space behind the bytes of a message of up to short_bytes: a helper has its copy of them there, or a
    // traced build its notes of a message that a helper sends in another's name.
    std::byte* helpers_space() { return space + short_bytes; }
    const std::byte* helpers_space() const { return space + short_bytes; }

    bool data_is_inside() const { return data >= space && data < space + sizeof space; }

private:
    // What is special about its memory: nothing; a port's reserve has it; there is a buffer with it that
    // nobody else knows; it has none.
    enum class Memory : std::uint8_t { own, of_port, with_buffer, none };
    friend class StandIn;

    std::uint8_t slot_ = 0;
    Memory memory_ = Memory::own;
    Completion* completion_ = nullptr;
    Protocol* protocol_ = nullptr;

public:
    // A short message's bytes, or what a protocol keeps; then the helpers' space. Or all of it has the bytes
    // of a message that a port has carried or could have.
    alignas(8) std::byte space[2 * short_bytes];
};

static_assert(sizeof(Message) == 256);

inline Message& MessageMemory::open(const Envelope& envelope)
{
    auto& message = static_cast<Message&>(*this);
    message.write(envelope);
    return message;
}

inline Message& MessageMemory::opened() { return static_cast<Message&>(*this); }

inline std::uint8_t MessageMemory::slot() const { return static_cast<const Message&>(*this).slot(); }

} // namespace parley::messaging
