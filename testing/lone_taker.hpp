// SPDX-License-Identifier: MIT
// A test takes from a port that has no mailbox: it is the port's one taker at a time, or plays who holds the
// mailbox's lock.
#pragma once

#include "messaging/mailbox_held.hpp"

namespace parley::testing {

struct OneTaker {
    void assert_held() const { }
};
inline const messaging::MailboxHeld lone_taker{OneTaker()};

} // namespace parley::testing
