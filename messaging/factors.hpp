// SPDX-License-Identifier: MIT
// The eight factors of a design, in the order in which a design is written out.
// PARLEY_FACTORS(X) expands X(identifier, "name as written", list of leaves).
#pragma once

#define PARLEY_FACTORS(X)                                        \
    X(location, "location", LocationLeaves)                      \
    X(context_switch, "context-switch", ContextSwitchLeaves)     \
    X(interaction, "interaction", InteractionLeaves)             \
    X(port, "port", PortLeaves)                                  \
    X(transport, "transport", TransportLeaves)                   \
    X(synchronization, "synchronization", SynchronizationLeaves) \
    X(transfer, "transfer", TransferLeaves<>)                    \
    X(polling, "polling", PollingLeaves)
