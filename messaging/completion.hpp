// SPDX-License-Identifier: MIT
// Counts the deliveries of an isend, of a csend to several processes that waits, or of lent buffers. The
// owner calls expect() before the messages are put; the process that accepts or drops a message calls
// count(). Invariant: `remaining` is the number of messages that refer to it and have not been delivered.
#pragma once

#include "assertion.hpp"
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
    void count()
    {
        const std::uint32_t before = remaining_.fetch_sub(1, std::memory_order_acq_rel);
        assert_that([&] { return before != 0; });
    }

    // Whether all expected messages have been counted. If so, the caller sees what was done before each
    // count().
    bool is_reached() const { return remaining_.load(std::memory_order_acquire) == 0; }
    bool notifies() const { return notifies_; }

private:
    Atomic<std::uint32_t> remaining_{0};
    bool notifies_ = false;
};

} // namespace parley::messaging
