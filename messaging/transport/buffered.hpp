// SPDX-License-Identifier: MIT
// The parties move messages themselves: the sender puts them straight into the destination's port.
#pragma once

#include "messaging/transport.hpp"

#include <string_view>

namespace parley::messaging {

class BufferedTransport final : public Transport {
public:
    static constexpr std::string_view name = "buffered";
    static constexpr std::string_view promise = "the communicating processes move messages themselves";
    static constexpr unsigned helpers = 0;
    template <class E>
    using LookingCalls = UnpolledCalls;

    void bind(Binding&) const override { }
    unsigned route(unsigned, unsigned destination, const Layout&) const override { return destination; }
    Result<void> help(Helper&) override { return {}; }
};

} // namespace parley::messaging
