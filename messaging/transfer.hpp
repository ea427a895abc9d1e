// SPDX-License-Identifier: MIT
// Factor "transfer": how do a message's bytes cross? Messages without bytes never come here, but for check().
// Leaves state what programs must know of their buffers in `capabilities` (interface/capabilities.h).
#pragma once

#include "base/address.hpp"
#include "base/result.hpp"
#include "messaging/binding.hpp"
#include "messaging/reply.hpp"

namespace parley::messaging {

class Message;

// The sender's side of one call.
struct Offer {
    unsigned sender;      // endpoint
    UserAddress buffer;   // message.length() bytes
    unsigned copies;      // how many messages will carry these bytes: more than one in a broadcast
    bool may_lend = true; // false: nobody would wait for the delivery before the buffer is used again
};

// After an offer, whose are the bytes? Taken: the system's, and the sender's buffer is free again. Lent: the
// sender's buffer is in use until the message has been delivered; then whoever sends waits for that, or
// counts it. Followed: the message has a protocol, by which the sender brings the bytes within the same call.
enum class Custody : std::uint8_t { taken, lent, followed };

// What a receive asks for: bytes in its buffer, or the block that has them (receive_block).
enum class Want : std::uint8_t { bytes, block };

class Transfer {
public:
    static constexpr unsigned capabilities = 0;
    // Whether senders write straight into the receiver's memory; leaves that do say so.
    static constexpr bool writes_to_receivers = false;

    // Narrows the short ways of every process: which receives must be checked, whether one is posted, and
    // what a port may carry without a message's memory. A message that it lets a port carry may come to
    // relay(), accept() and drop() with its bytes in itself (Message::space), where no offer() has put them.
    // This is called once, when a system is made.
    virtual void bind(Binding& binding) const = 0;

    // Receiver: check the arguments of a receive that bind() has said must be checked. Errors: those of the
    // buffer, or of the kind of receive.
    virtual Result<void> check(const ReceiveArguments& arguments, Want want) const = 0;

    // Sender: take charge of the bytes for the first message of a call. A message that takes more than one
    // step gets its Protocol here. Errors: no_memory, nothing changed, try again when some of the budget is
    // free; over_budget, no waiting would help; those of the buffer.
    virtual Result<Custody> offer(Message& message, const Offer& offer) = 0;
    // Sender: the same for each further message of the same call.
    virtual Result<Custody> repeat(Message& message, const Offer& offer) = 0;
    // Delivery process: move the message one step on.
    virtual void relay(Message& message) = 0;
    // Receiver, named by its endpoint: bring the bytes to the buffer, or hand the sender's block over;
    // returns where they are. Whatever happens, the message holds nothing afterwards, but for would_block:
    // not all the bytes are here yet, and the receiver is signalled when there are more. Errors: closed, the
    // sender was killed and the bytes are gone.
    virtual Result<UserAddress> accept(Message& message, unsigned receiver, UserAddress buffer) = 0;
    // Helper, named by its endpoint: the same for bytes that no process of the job has sent or will receive.
    // bring_in() takes them from memory of the helper's own: they are taken or followed, or the message holds
    // nothing. bring_out() brings them to such memory.
    virtual Result<Custody> bring_in(Message& message, const Offer& offer)
    {
        return this->offer(message, offer);
    }
    virtual Result<void> bring_out(Message& message, unsigned helper, std::byte* buffer)
    {
        TRY(accept(message, helper, {reinterpret_cast<std::uintptr_t>(buffer)}));
        return {};
    }
    // Anyone: release what a message holds that nobody will receive.
    virtual void drop(Message& message) = 0;

protected:
    ~Transfer() = default;
};

} // namespace parley::messaging
