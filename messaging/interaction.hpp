// SPDX-License-Identifier: MIT
// Factor "interaction": does csend wait until the message has been delivered? isend and irecv never do.
#pragma once

namespace parley::messaging {

class Interaction {
public:
    // Asked once, when a system is made.
    virtual bool awaits_delivery() const = 0;

protected:
    ~Interaction() = default;
};

} // namespace parley::messaging
