// SPDX-License-Identifier: MIT
// The types that a message system calls its factors through: the abstract classes for virtual dispatch,
// leaves for static dispatch. The code over them is the same, and so is the layout.
#pragma once

#include "messaging/interaction.hpp"
#include "messaging/location.hpp"
#include "messaging/polling.hpp"
#include "messaging/port.hpp"
#include "messaging/synchronization.hpp"
#include "messaging/transfer.hpp"
#include "messaging/transport.hpp"

namespace parley::messaging {

// `A`: the port of the queues for Active Messages, which may be another than that of mailboxes.
template <class L = Location, class I = Interaction, class P = Port, class T = Transport,
          class S = Synchronization, class X = Transfer, class A = P>
struct Factors {
    using Location = L;
    using Interaction = I;
    using Port = P;
    using ActivePort = A;
    using Transport = T;
    using Synchronization = S;
    using Transfer = X;
};

} // namespace parley::messaging
