// SPDX-License-Identifier: MIT
// Factor "port": how is a process's queue of arriving messages organised? Any number of senders put at once.
// Takers are serialised by the endpoint's lock. A put claims a place, then publishes the message there; in
// between the sender neither waits nor faults. Messages of one sender come out in the order of its puts.
#pragma once

#include "base/atomic.hpp"
#include "messaging/message/envelope.hpp"

#include <cstdint>

namespace parley::messaging {

struct Carried;
class Message;
class MessageMemory;

class Port {
public:
    // The envelope lies in the port itself, and the message's memory is not looked at. Null; or, when there
    // is no place in the queue, the message with its envelope: it is still the sender's.
    virtual Message* put(MessageMemory& message, Envelope envelope) = 0;
    // The same of a message that is nothing but its envelope and its bytes: what lies in the port is all that
    // there is of it then, and `message` (null: without bytes) stays the sender's. False: not now, but put()
    // may. For leaves that say so by `copies`.
    virtual bool put_copy([[maybe_unused]] const Message* message, [[maybe_unused]] Envelope envelope)
    {
        return false;
    }
    // The envelope of the oldest message; who takes it looks up to `turns` times more for what may come at
    // once. Errors: not_found, nothing there, or the oldest's place is claimed and not yet published.
    virtual ReceiveStatus take(unsigned turns) = 0;

    // The memory of the message that the last successful take has taken; the envelope is what that returned.
    // None, if it lies in the port alone: then keep() gives it one of the port's, until give_back(), by
    // anyone.
    MessageMemory& taken() const { return *taken_; }
    virtual Message& keep() { __builtin_unreachable(); }
    virtual void give_back(const Message&) { }
    // The same message as it lies in the port, if it does so whole, else null. Until the lock is left.
    const Carried* carried() const { return carried_; }

protected:
    ~Port() = default;

    // Guarded by the endpoint's lock. The taker's cache line begins here; senders read what is before it.
    alignas(64) MessageMemory* taken_ = nullptr;
    const Carried* carried_ = nullptr; // ports that carry none never change it
};

} // namespace parley::messaging
