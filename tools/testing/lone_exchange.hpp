// SPDX-License-Identifier: MIT
// What protocols ask of the core, where there is no core: a message's other end never answers.
#pragma once

#include "messaging/protocol.hpp"

namespace parley::testing {

class LoneExchange final : public messaging::Exchange {
public:
    unsigned completed = 0;

    messaging::EndpointState state_of(unsigned) const override { return messaging::EndpointState::live; }
    void signal(unsigned) override { }
    void notify(unsigned) override { }
    Result<void> lock(unsigned, unsigned) override { return {}; }
    void unlock(unsigned, unsigned) override { }
    void lock_always(unsigned, unsigned) override { }
    void end(unsigned, messaging::Receive&, const Result<void>&) override { }
    void match(unsigned, messaging::Receive&) override { }
    Result<void> settle(unsigned, const messaging::Message&, const messaging::WaitDetails&,
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
