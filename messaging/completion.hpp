// SPDX-License-Identifier: MIT
// Counts deliveries that somebody wants to know of: those of an isend, of a csend to several that waits, or
// of buffers that are lent. The owner expects messages before they are put; whoever accepts or drops one
// counts it. Invariant: `remaining` is the number of messages that refer to it and have not been delivered.
#pragma once

#include "base/atomic.hpp"

#include <cstdint>

namespace parley::messaging {

class Completion {
public:
    // Owner. `notifies`: each delivery may be one that the owner has a notification armed for.
    void begin(bool notifies) { notifies_ = notifies; }
    // Owner, before the messages are put.
    void expect(unsigned messages) { remaining_.fetch_add(messages, std::memory_order_relaxed); }

    // Anyone, once for each message. Release pairs with is_reached().
    void count() { remaining_.fetch_sub(1, std::memory_order_acq_rel); }

    // Whether all that were expected have been counted; what their deliverers did before is seen then.
    bool is_reached() const { return remaining_.load(std::memory_order_acquire) == 0; }
    bool notifies() const { return notifies_; }

private:
    Atomic<std::uint32_t> remaining_{0};
    bool notifies_ = false;
};

} // namespace parley::messaging
