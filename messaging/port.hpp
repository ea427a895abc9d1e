// SPDX-License-Identifier: MIT
// Factor "port": how is a process's queue of arriving messages organised? Any number of senders put at once.
// Takers are serialised by the endpoint's lock. A put claims a place, then publishes the message there; in
// between the sender neither waits nor faults. Messages of one sender come out in the order of its puts.
#pragma once

#include "messaging/atomic.hpp"

#include <cstdint>

namespace parley::messaging {

struct Message;
class Envelope;

// Where the coming of the next message shows first: a word that is no longer `silent` then.
struct Bell {
    const Atomic<std::uint64_t>* word;
    std::uint64_t silent;

    bool rings() const { return word->load(std::memory_order_relaxed) != silent; }
};

class Port {
public:
    // The envelope lies in the port itself, and the message's memory is not looked at. False when there is no
    // place in the queue; the message is still the sender's, and the envelope is written on it.
    virtual bool put(Message& message, Envelope envelope) = 0;
    // The oldest message and its envelope, or null: nothing there, or the oldest's place is claimed and not
    // yet published.
    virtual Message* take(Envelope& envelope) = 0;
    // For whoever waits after take() has found nothing. A hint: it may ring too early, and take() finds out.
    virtual Bell bell() const = 0;

protected:
    ~Port() = default;
};

} // namespace parley::messaging
