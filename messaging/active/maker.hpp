// SPDX-License-Identifier: MIT
// Makes a process's queues for Active Messages, in the job's budget, when the first of these messages goes
// there: a job that has none pays nothing for them. They stay as long as the job's message system.
#pragma once

#include "base/address.hpp"
#include "base/leaf_argument.hpp"
#include "messaging/peer.hpp"
#include "messaging/port_memory.hpp"

#include <bit>
#include <new>

#include "platform.hpp"

namespace parley::messaging {

// How a design's ports are made.
template <class P>
struct PortKind {
    // Errors: no_memory.
    Result<P*> (*make)(std::byte* address, const LeafValues& values, const PortParts& parts);
    LeafValues values;
    std::size_t bytes; // of the object
};

template <class F>
class ActiveMaker {
public:
    using PeerType = Peer<F>;
    using PortType = typename F::ActivePort;
    using Queues = ActiveQueues<PortType, typename F::Synchronization>;

    // `budget_units`: what a port takes besides its object. `first_lock`: from that one on, the states have
    // two locks for each endpoint.
    ActiveMaker(const PortKind<PortType>& kind, std::size_t budget_units, const PortParts& parts,
                const sched::States& states, unsigned first_lock)
        : kind_(kind), budget_units_(budget_units), parts_(parts), states_(states), first_lock_(first_lock)
    {
    }

    // Any process of the job calls this. Errors: no_memory, now and for ever; killed.
    Result<Queues*> queues_of(PeerType& owner)
    {
        if (Queues* const queues = owner.active.load(std::memory_order_acquire))
            return queues;
        if (owner.active_state.exchange(begun, std::memory_order_acq_rel) == none)
            make(owner);
        return await(owner);
    }

    // What all of them have of the budget.
    std::size_t budget_units() const { return made_.load(std::memory_order_acquire) * units_each(); }

private:
    // The values of Peer::active_state.
    enum State : std::uint32_t { none, begun };

    static constexpr std::size_t queues_bytes = round_up(sizeof(Queues), 128);

    std::size_t bytes() const { return queues_bytes + 2 * kind_.bytes; }
    std::size_t units_each() const
    {
        return std::bit_ceil(round_up(bytes(), BuddyHeap::unit_bytes) / BuddyHeap::unit_bytes) +
               2 * budget_units_;
    }

    void make(PeerType& owner)
    {
        const Result<Queues*> queues = make_in_budget(owner);
        if (queues) {
            made_.fetch_add(1, std::memory_order_acq_rel);
            owner.active.store(*queues, std::memory_order_release);
        } else {
            owner.active_failed.store(1, std::memory_order_release);
        }
    }
    // What has been taken goes back if it does not suffice.
    Result<Queues*> make_in_budget(PeerType& owner)
    {
        PortMemory taken(parts_.memory);
        const PortParts parts{parts_.endpoints, parts_.memory, &taken};
        std::byte* const memory = TRY(parts.allocate(bytes()));
        PortType* const requests = TRY(kind_.make(memory + queues_bytes, kind_.values, parts));
        PortType* const replies = TRY(kind_.make(memory + queues_bytes + kind_.bytes, kind_.values, parts));
        taken.keep();
        return new (memory)
            Queues(*requests, *replies, owner.waiter, states_, first_lock_ + 2 * owner.index());
    }
    // Another process may be making them.
    Result<Queues*> await(PeerType& owner)
    {
        platform::SpinWait spin;
        for (;;) {
            if (Queues* const queues = owner.active.load(std::memory_order_acquire))
                return queues;
            if (owner.active_failed.load(std::memory_order_acquire) != 0)
                return std::unexpected(Error::no_memory);
            if (!spin.once())
                return std::unexpected(Error::killed);
        }
    }

    const PortKind<PortType> kind_;
    const std::size_t budget_units_;
    const PortParts parts_;
    const sched::States states_;
    const unsigned first_lock_;
    Atomic<std::size_t> made_{0};
};

} // namespace parley::messaging
