// SPDX-License-Identifier: MIT
// Factor "interaction": does csend wait until the message has been delivered? isend and irecv never do.
#pragma once

#include "base/result.hpp"
#include "messaging/binding.hpp"

namespace parley::messaging {

// One csend on the full way, as an Interaction sees it.
class Csend {
public:
    // Call this before its messages are put: they are then counted, so that await_deliveries() can be
    // called. A message to the sender itself is not waited for, because no other process could receive it;
    // its bytes are taken at once instead. Errors: no_ids.
    virtual Result<void> count_deliveries() = 0;
    // Waits until all of them have been delivered, or a handler of the caller is due. Errors: killed.
    virtual Result<void> await_deliveries() = 0;

protected:
    ~Csend() = default;
};

class Interaction {
public:
    // Narrows the short ways of every process. It is called once, when a system is made.
    virtual void bind(Binding& binding) const = 0;
    // The process that sends calls these before and after it puts a csend's messages, on the full way, and
    // holds no lock. An error ends the call: one of before_put before anything has been sent, one of
    // after_put when everything has been.
    virtual Result<void> before_put(Csend& csend) = 0;
    virtual Result<void> after_put(Csend& csend) = 0;

protected:
    ~Interaction() = default;
};

} // namespace parley::messaging
