// SPDX-License-Identifier: MIT
// An independent delivery process moves every message from the sender to its destination.
#pragma once

#include "kernel/interface/capabilities.h"
#include "messaging/transport.hpp"

#include <string_view>

namespace parley::messaging {

class ProcessTransport final : public Transport {
public:
    static constexpr std::string_view name = "process";
    static constexpr std::string_view promise = "a delivery process of the job moves every message";
    static constexpr unsigned capabilities = PARLEY_MESSAGES_ARE_CARRIED;
    static constexpr unsigned helpers = 1;

    explicit ProcessTransport(unsigned first_helper) : carrier_(first_helper) { }

    unsigned route(unsigned) const override { return carrier_; }

private:
    unsigned carrier_;
};

} // namespace parley::messaging
