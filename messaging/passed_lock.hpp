// SPDX-License-Identifier: MIT
// A mailbox's lock on its way to the function that a function ends with. Who has made this holds the lock no
// longer; the called one does when it has taken this over (Mailbox::take_over()), and releases the lock. The
// two name the mailbox by different paths, so the analysis of locks follows each alone. It is empty, so
// nothing is passed at run time.
#pragma once

#include "base/thread_safety.hpp"

namespace parley::messaging {

class [[nodiscard]] PassedLock {
public:
    template <class M>
    explicit PassedLock(const M& mailbox) RELEASE(mailbox)
    {
        mailbox.assert_held();
    }
};

} // namespace parley::messaging
