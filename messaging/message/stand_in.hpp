// SPDX-License-Identifier: MIT
// A message that stands for those that a port has carried without memory of their own, one after another,
// while their bytes are brought to a receiver. It has no memory that anybody could give back.
//
// Invariant, while it stands for none: it holds nothing.
#pragma once

#include "messaging/message/message.hpp"

namespace parley::messaging {

class StandIn {
public:
    StandIn()
    {
        message_.memory_ = Message::Memory::none;
        let_go();
    }
    StandIn(const StandIn&) = delete;
    StandIn& operator=(const StandIn&) = delete;

    // Stands for a message whose bytes lie in the port, and holds nothing itself. What it stood for before
    // has been let go.
    Message& for_bytes(const Envelope& envelope)
    {
        assert_that([&] { return message_.data == message_.space; });
        message_.write(envelope);
        return message_;
    }
    // Stands for a longer message: what its sender had in Message::data belongs to this one until let_go().
    Message& for_reference(const Envelope& envelope, std::byte* reference)
    {
        message_.write(envelope);
        message_.data = reference;
        return message_;
    }
    // What the reference led to has been brought, or dropped.
    void let_go() { message_.data = message_.space; }

    // Nobody will receive the message that it stands for: when this has been discarded, the memory at the
    // message's home goes back to its sender.
    void note_home() { message_.slot_ = static_cast<std::uint8_t>(message_.home()); }

private:
    Message message_{};
};

} // namespace parley::messaging
