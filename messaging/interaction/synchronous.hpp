// SPDX-License-Identifier: MIT
// csend waits until its message has been delivered. A message to oneself is not waited for: nobody else could
// receive it.
#pragma once

#include "interface/capabilities.h"
#include "messaging/interaction.hpp"

#include <string_view>

namespace parley::messaging {

class SynchronousInteraction final : public Interaction {
public:
    static constexpr std::string_view name = "synchronous";
    static constexpr std::string_view promise = "csend returns when the message has been delivered; "
                                                "not promised: that two nodes may both csend first";
    static constexpr unsigned capabilities = NX_SENDS_AWAIT_DELIVERY;

    void bind(Binding& binding) const override { binding.await_deliveries(); }
    Result<void> before_put(Csend& csend) override { return csend.count_deliveries(); }
    Result<void> after_put(Csend& csend) override { return csend.await_deliveries(); }
};

} // namespace parley::messaging
