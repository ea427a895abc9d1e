// SPDX-License-Identifier: MIT
// Factor "synchronization": how does a party wait? All waiting of the message system passes through here; a
// wait ends with Error::killed when its process must end, and then nothing is held. Every signal() increments
// event.sequence with at least acquire and release, whatever else it does: ended endpoints rely on that (see
// BasicMessageSystem::put).
#pragma once

#include "kernel/base/result.hpp"
#include "messaging/event.hpp"

namespace parley::messaging {

class Synchronization {
public:
    virtual Result<void> acquire(Lock& lock) = 0;
    virtual void release(Lock& lock) = 0;
    // Returns when event.sequence is no longer `seen`; may return earlier without a cause.
    virtual Result<void> wait(Event& event, std::uint32_t seen) = 0;
    virtual void signal(Event& event) = 0;

protected:
    ~Synchronization() = default;
};

} // namespace parley::messaging
