// SPDX-License-Identifier: MIT
// Factor "transfer": how do a message's bytes cross? Messages without bytes never come here. Leaves state
// what programs must know of their buffers in `capabilities` (kernel/interface/capabilities.h), and where it
// is so `negotiates` (long messages are put without bytes, which follow as both ends agree: negotiation.hpp).
#pragma once

#include "kernel/base/address.hpp"
#include "kernel/base/result.hpp"

namespace parley::messaging {

struct Message;

// The sender's side of one call.
struct Offer {
    unsigned sender;    // endpoint
    UserAddress buffer; // message.length() bytes
    unsigned copies;    // how many messages will carry these bytes: more than one in a broadcast
};

class Transfer {
public:
    static constexpr unsigned capabilities = 0;
    static constexpr bool negotiates = false;

    // Sender: take charge of the bytes for the first message of a call. Error::no_memory: nothing changed,
    // try again.
    virtual Result<void> offer(Message& message, const Offer& offer) = 0;
    // Sender: the same for each further message of the same call.
    virtual Result<void> repeat(Message& message, const Offer& offer) = 0;
    // Delivery process: move the message one step on.
    virtual void relay(Message& message) = 0;
    // Receiver: bring the bytes to `buffer`, or hand the sender's block over; returns where they are.
    // Whatever happens, the message holds nothing afterwards.
    virtual Result<UserAddress> accept(Message& message, unsigned receiver, UserAddress buffer) = 0;
    // Anyone: release what a message holds that nobody will receive.
    virtual void drop(Message& message) = 0;

    // Where it negotiates. Sender: bring the bytes of a message without any to a system buffer.
    // Error::no_memory: nothing changed, try again.
    virtual Result<void> fill(Message&, const Offer&) { return {}; }
    // Sender: bring a piece straight into the receiver's memory. It holds a lock, and the piece is small.
    // Errors: bad_buffer (the receiver's), bad_argument (the sender's).
    virtual Result<void> push(unsigned, UserAddress, UserAddress, std::size_t) { return {}; }

protected:
    ~Transfer() = default;
};

} // namespace parley::messaging
