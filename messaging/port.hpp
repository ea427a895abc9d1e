// SPDX-License-Identifier: MIT
// Factor "port": how is a process's queue of arriving messages organised? Any number of senders claim and
// publish at once. Takers are serialised by the endpoint's lock. Messages of one sender come out in the order
// in which they were claimed. Between claim() and publish() a sender neither waits nor faults.
#pragma once

#include <cstdint>

namespace parley::messaging {

struct Message;

class Port {
public:
    // A place in the queue; false when there is none.
    virtual bool claim(std::uint32_t& place) = 0;
    virtual void publish(std::uint32_t place, Message& message) = 0;
    // The oldest message, or null: nothing there, or the oldest is claimed and not yet published.
    virtual Message* take() = 0;

protected:
    ~Port() = default;
};

} // namespace parley::messaging
