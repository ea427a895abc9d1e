// SPDX-License-Identifier: MIT
// A helper's wish to hear of memory, for what has come from other machines and finds none. It is told before
// all is tried once more: memory that was freed between the first try and the wish is found by the second.
#pragma once

#include "messaging/transport/network/gateway.hpp"

namespace parley::messaging {

class BudgetWish {
public:
    // `try_all()` has everything go on that can, and answers whether something still lacks memory. The
    // gateway signals the helper from now on when some is freed, exactly if something does.
    template <class TryAll>
    void attempt(Gateway& gateway, const TryAll& try_all)
    {
        bool wants = try_all();
        if (wants && !is_told_) {
            gateway.want_budget(true);
            is_told_ = true;
            wants = try_all();
        }
        if (!wants && is_told_) {
            gateway.want_budget(false);
            is_told_ = false;
        }
    }

private:
    bool is_told_ = false;
};

} // namespace parley::messaging
