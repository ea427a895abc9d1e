// SPDX-License-Identifier: MIT
// Factor "interaction": does csend wait until the message has been delivered? isend and irecv never do.
#pragma once

#include "base/result.hpp"
#include "messaging/binding.hpp"

namespace parley::messaging {

// One csend on the full way, as an Interaction sees it.
class Csend {
public:
    // Before its messages are put: they shall be counted, so that await_deliveries() can be called. A message
    // to oneself is not waited for, since nobody else could receive it; its bytes are taken at once instead.
    // Errors: no_ids.
    virtual Result<void> count_deliveries() = 0;
    // Until all of them have been delivered, or a handler of the caller's is due. Errors: killed.
    virtual Result<void> await_deliveries() = 0;

protected:
    ~Csend() = default;
};

class Interaction {
public:
    // Narrows the short ways of every process. Once, when a system is made.
    virtual void bind(Binding& binding) const = 0;
    // Around the putting of a csend's messages, on the full way, by the process that sends; no lock is held.
    // Errors end the call; after before_put nothing has been sent then, after after_put everything.
    virtual Result<void> before_put(Csend& csend) = 0;
    virtual Result<void> after_put(Csend& csend) = 0;

protected:
    ~Interaction() = default;
};

} // namespace parley::messaging
