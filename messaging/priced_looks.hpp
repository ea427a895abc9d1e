// SPDX-License-Identifier: MIT
// The message calls of processes for which it takes time to look into what joins them with others
// (Transport::bind, Binding::look). A call that looks for messages takes that much longer, however long it
// waits there; but what a probe has found is known to be there, so the receive that follows needs no look of
// its own. What has come is not to be seen without a look, so the process cannot see it by itself.
#pragma once

#include "interface/message_calls.h"
#include "messaging/message/envelope.hpp"

#include "platform.hpp"

#include <cstdint>
#include <utility>

namespace parley::messaging {

// E is the endpoint whose calls these are, and has this as `looks_`, which it lets this class see.
template <class E>
class PricedLooks {
public:
    // In nanoseconds; 0: nothing.
    void set_price(std::uint64_t price) { price_ = price; }

    // Puts its entries in front of those of a table that look.
    void guard(parley_calls& calls)
    {
        if (price_ == 0)
            return;
        unpriced_ = calls;
        calls.watched = nullptr;
        calls.arrivals = nullptr;
        calls.receive = &receive;
        calls.receive_block = &receive_block;
        calls.done = &done;
        calls.wait = &wait;
        calls.probe = &probe;
        calls.await_active = &await_active;
    }

private:
    using Found = parley_receive_status;

    // The table of calls without a price, when its price is paid. Whoever must end is told so by the call.
    static const parley_calls& pay(void* self)
    {
        const PricedLooks& looks = E::of(self).looks_;
        platform::SpinWait wait;
        const std::uint64_t since = platform::nanoseconds();
        for (std::uint64_t now = since; now != 0 && now - since < looks.price_; now = platform::nanoseconds())
            if (!wait.once())
                break;
        return looks.unpriced_;
    }

    // As pay(), unless a probe has just found something.
    static const parley_calls& pay_unless_found(void* self)
    {
        PricedLooks& looks = E::of(self).looks_;
        return std::exchange(looks.has_found_, false) ? looks.unpriced_ : pay(self);
    }

    static Found receive(void* self, const parley_receive* call)
    {
        return pay_unless_found(self).receive(self, call);
    }
    static Found receive_block(void* self, const parley_receive* call)
    {
        return pay_unless_found(self).receive_block(self, call);
    }
    static Found done(void* self, long id) { return pay(self).done(self, id); }
    static Found wait(void* self, long id) { return pay(self).wait(self, id); }
    static Found probe(void* self, long typesel, long how, unsigned long from, unsigned long mask)
    {
        const Found found = pay(self).probe(self, typesel, how, from, mask);
        E::of(self).looks_.has_found_ = found.contents >= 0;
        return found;
    }
    static long await_active(void* self, long types, unsigned long from, unsigned long mask)
    {
        return pay(self).await_active(self, types, from, mask);
    }

    std::uint64_t price_ = 0;
    bool has_found_ = false;
    parley_calls unpriced_{};
};

} // namespace parley::messaging
