// SPDX-License-Identifier: MIT
// For the explorer: one job's senders and the process that they send to, which ends, as a router knows them.
// Each sender has one message without bytes, for the receiver; such messages never ask a Transfer.
#pragma once

#include "messaging/router.hpp"
#include "sched/synchronization/semaphore.hpp"

#include <array>
#include <utility>

namespace parley::testing {

// P is the class of their ports.
template <class P, unsigned senders>
struct ClosingPeers {
    using Sleeping = sched::SemaphoreSynchronization;
    struct NoTransfer {
        void drop(messaging::Message&) { }
    };
    using F = messaging::Factors<messaging::Location, messaging::Interaction, P, messaging::Transport,
                                 Sleeping, NoTransfer>;
    using PeerType = messaging::Peer<F>;
    static constexpr unsigned receiver = senders, processes = senders + 1;

    ClosingPeers()
    {
        for (unsigned index = 0; index < processes; ++index) {
            known[index] = &peers[index];
            waiters[index] = &peers[index].waiter;
        }
        for (std::uint16_t sender = 0; sender < senders; ++sender) {
            messaging::Message& message = messages[sender];
            peers[sender].delivery.pool().adopt(message);
            message.write(messaging::Envelope({0, 0}, sender)
                              .addressed(0, 0, receiver, messaging::Envelope::home_bits(message.slot())));
        }
    }

    PeerType& to() { return peers[receiver]; }
    // Whether the sender has its message again.
    bool has_back(unsigned sender) { return peers[sender].delivery.pool().take() == &messages[sender]; }

    alignas(64) std::array<std::byte, 4096> space{};
    std::size_t used = 0;
    sched::States states = *sched::place_states<Sleeping>(
        [this](std::size_t bytes, std::size_t alignment) -> Result<std::byte*> {
            used = round_up(used, alignment);
            used += bytes;
            return space.data() + used - bytes;
        },
        processes, processes);
    Sleeping synchronization;
    std::array<P, processes> ports;
    std::array<messaging::WaitRecord, processes> records;
    messaging::Meetings meetings; // nobody comes to any
    std::array<PeerType, processes> peers = each_of(std::make_index_sequence<processes>());
    std::array<PeerType*, processes> known{};
    std::array<messaging::Waiter<Sleeping>*, processes> waiters{};
    messaging::BuddyHeap heap{nullptr, 0, nullptr}; // messages have slots, and go back there
    messaging::Budget<Sleeping> budget{heap, waiters};
    NoTransfer transfer;
    messaging::Router<F> router{known.data(), transfer, budget};
    std::array<messaging::Message, senders> messages{};

private:
    template <std::size_t... index>
    std::array<PeerType, processes> each_of(std::index_sequence<index...>)
    {
        return {{PeerType(ports[index], synchronization, records[index], states, index, meetings)...}};
    }
};

} // namespace parley::testing
