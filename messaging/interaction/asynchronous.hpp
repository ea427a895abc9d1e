// SPDX-License-Identifier: MIT
// csend returns as soon as the system can carry on alone.
#pragma once

#include "messaging/interaction.hpp"

#include <string_view>

namespace parley::messaging {

class AsynchronousInteraction final : public Interaction {
public:
    static constexpr std::string_view name = "asynchronous";
    static constexpr std::string_view promise = "csend returns as soon as the system can carry on alone";

    void bind(Binding&) const override { }
    Result<void> before_put(Csend&) override { return {}; }
    Result<void> after_put(Csend&) override { return {}; }
};

} // namespace parley::messaging
