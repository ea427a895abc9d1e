// SPDX-License-Identifier: MIT
// Says that a mailbox's lock is held. What takes from a port wants one of these, for a port does not know its
// mailbox. It is empty, so nothing is passed at run time.
#pragma once

#include "base/thread_safety.hpp"

namespace parley::messaging {

class MailboxHeld {
public:
    // The caller holds the lock of that mailbox, and keeps this no longer than the lock.
    template <class M>
    explicit MailboxHeld(const M& mailbox) REQUIRES(mailbox)
    {
        mailbox.assert_held();
    }
};

} // namespace parley::messaging
