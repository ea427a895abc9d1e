// SPDX-License-Identifier: MIT
// Factor "port": how is a process's queue of arriving messages organised? Any number of senders put at once.
// Takers are serialised by the endpoint's lock. A put claims a place, then publishes the message there; in
// between the sender neither waits nor faults. Messages of one sender come out in the order of its puts.
#pragma once

namespace parley::messaging {

struct Message;

class Port {
public:
    // False when there is no place in the queue; the message is still the sender's.
    virtual bool put(Message& message) = 0;
    // The oldest message, or null: nothing there, or the oldest's place is claimed and not yet published.
    virtual Message* take() = 0;

protected:
    ~Port() = default;
};

} // namespace parley::messaging
