// SPDX-License-Identifier: MIT
// What protocols ask of the core, where there is no core: one message, and what a test does as its other end.
#pragma once

#include "messaging/protocol.hpp"
#include "messaging/receive.hpp"

#include <functional>

namespace parley::testing {

class LoneExchange final : public messaging::Exchange {
public:
    // What the destination's owner does before the sender gets the lock of its mailbox.
    std::function<void()> before_lock = [] { };
    unsigned completed = 0;
    const messaging::Receive* handed_over = nullptr; // to its owner, who accepts the message
    const messaging::Receive* ended = nullptr;
    Result<void> outcome{}; // of the receive that was ended

    messaging::EndpointState state_of(unsigned) const override { return messaging::EndpointState::live; }
    void signal(unsigned) override { }
    void notify(unsigned) override { }
    bool lock(unsigned, unsigned) override
    {
        before_lock();
        return true;
    }
    void unlock(unsigned, unsigned) override { }
    void lock_always(unsigned, unsigned) override { before_lock(); }
    void end(unsigned, messaging::Receive& receive, const Result<void>& brought) override
    {
        ended = &receive;
        outcome = brought;
    }
    void match(unsigned, messaging::Receive& receive) override { handed_over = &receive; }
    Result<void> await_arrival(unsigned, const messaging::Message&, const messaging::WaitDetails&,
                               messaging::Condition) override
    {
        return {};
    }
    bool take_back(unsigned, messaging::Message&) override { return false; }
    Result<void> await(unsigned, const messaging::WaitDetails&, messaging::Condition) override { return {}; }
    Result<void> await_budget(unsigned, const messaging::WaitDetails&, messaging::Condition) override
    {
        return {};
    }
    void complete(messaging::Message&) override { ++completed; }
};

} // namespace parley::testing
