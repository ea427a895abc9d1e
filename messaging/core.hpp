// SPDX-License-Identifier: MIT
// The parts of one job's message system, and the two things every path needs: fresh messages and waiting.
// `Types` names the factor classes: the abstract ones for virtual dispatch, leaves for static dispatch; the
// layout is the same.
#pragma once

#include "messaging/endpoint.hpp"
#include "messaging/interaction.hpp"
#include "messaging/message_system.hpp"
#include "messaging/synchronization.hpp"
#include "messaging/trace_points.hpp"
#include "messaging/transfer.hpp"
#include "messaging/transfer_parts.hpp"
#include "messaging/transport.hpp"

#include "platform.hpp"

namespace parley::messaging {

template <class L = Location, class I = Interaction, class P = Port, class T = Transport,
          class S = Synchronization, class X = Transfer>
struct Factors {
    using Location = L;
    using Interaction = I;
    using Port = P;
    using Transport = T;
    using Synchronization = S;
    using Transfer = X;
};

// What the leaves ask of programs, as data.
struct Traits {
    bool lends;
    bool needs_shared;
    bool hands_over;
    bool awaits_delivery;
    bool negotiates;
    bool spins;

    bool follows_sends = lends || awaits_delivery || negotiates;
    bool minds_receives = needs_shared || hands_over || negotiates;
};

template <class F>
struct Parts {
    typename F::Location& location;
    typename F::Synchronization& synchronization;
    typename F::Transfer& transfer;
    BuddyHeap& buffers;
    Blocks& blocks;
    Traits traits;
    std::span<WaitRecord> records;
    std::span<Endpoint<typename F::Port>> endpoints; // the job's processes, then the carriers
    unsigned processes;                              // on the nodes, and then the host's
    unsigned on_nodes;
    unsigned nodes;
};

// One chain of classes from the interface down, so that every step has the same `this`.
template <class F>
class Core : public MessageSystem {
public:
    using EndpointType = Endpoint<typename F::Port>;

    explicit Core(const Parts<F>& parts) : parts_(parts) { }

protected:
    ~Core() = default;

    EndpointType& endpoint(unsigned index) { return parts_.endpoints[index]; }

    // Errors: no_memory.
    [[gnu::always_inline]] Result<Message*> new_message(EndpointType& self)
    {
        if (Message* const spare = self.pool.take()) [[likely]]
            return spare;
        return message_from_heap(self);
    }

    // The message has been accepted or dropped: tell a sender who wants to know, and return it to its pool.
    [[gnu::always_inline]] void retire(Message& message)
    {
        EndpointType& owner = endpoint(message.source);
        if (Request* const completion = message.completion) [[unlikely]]
            count_delivery(owner, *completion);
        const bool pooled = message.pool_bit != 0;
        if (pooled) [[likely]]
            owner.pool.give_back(message);
        if (!pooled || owner.state() != EndpointState::live) [[unlikely]]
            free_surplus(owner, pooled ? nullptr : &message);
        // Pairs with wait_for_budget(): the heap's lock orders this load after the waiter's increment, or the
        // waiter's next try after our release.
        if (budget_waiters_.load(std::memory_order_acquire) != 0) [[unlikely]]
            wake_budget_waiters();
    }

    [[gnu::noinline]] void count_delivery(EndpointType& owner, Request& completion)
    {
        completion.remaining.fetch_sub(1, std::memory_order_acq_rel); // pairs with Request::delivered()
        parts_.synchronization.signal(owner.event());
        if (owner.watch.load(std::memory_order_acquire) == WatchState::armed) [[unlikely]]
            alert_sender(owner, &completion);
    }

    void free_message(Message& message) { parts_.buffers.release(reinterpret_cast<std::byte*>(&message)); }

    void free_pool(EndpointType& owner)
    {
        owner.pool.empty([this](Message& message) { free_message(message); });
    }

    // A watched request of an endpoint has ended, or may have. Once for each time the owner has armed its
    // watch. The signal comes after the mark, so a wait that has not seen the mark has seen an old sequence
    // and ends.
    [[gnu::noinline]] void alert(EndpointType& owner)
    {
        WatchState expected = WatchState::armed;
        if (!owner.watch.compare_exchange_strong(expected, WatchState::due, std::memory_order_acq_rel))
            return;
        parts_.synchronization.signal(owner.event());
        platform::notify(owner.index);
    }

    // Waits until something has changed since `seen`; a monitor sees what for. Errors: killed, interrupted.
    Result<void> wait(EndpointType& self, const WaitDetails& details, std::uint32_t seen)
    {
        if (details.restartable && self.watch.load(std::memory_order_acquire) == WatchState::due) [[unlikely]]
            return std::unexpected(Error::interrupted);
        trace::waiting(self.index, details);
        self.record->begin(details, seen);
        const Result<void> result = parts_.synchronization.wait(self.event(), seen);
        self.record->end();
        trace::resumed(self.index);
        return result;
    }

    // How often to look for what may come at once: then no wait is begun, and its record, which the sender's
    // processor would have to fetch, stays as it is. 0 where waiting is not spinning.
    unsigned brief_turns() const { return parts_.traits.spins ? platform::brief_turns() : 0; }

    template <class Ready>
    [[gnu::always_inline]] static bool comes_at_once(unsigned turns, Ready ready)
    {
        for (; turns > 0; --turns)
            if (ready())
                return true;
        return false;
    }

    static std::uint32_t sequence(EndpointType& self)
    {
        return self.event().sequence.load(std::memory_order_acquire);
    }

    void announce_budget_wait(EndpointType& self)
    {
        self.wants_budget.store(1, std::memory_order_relaxed);
        budget_waiters_.fetch_add(1, std::memory_order_acq_rel);
    }
    void end_budget_wait(EndpointType& self)
    {
        budget_waiters_.fetch_sub(1, std::memory_order_acq_rel);
        self.wants_budget.store(0, std::memory_order_relaxed);
    }

    Parts<F> parts_;

private:
    // Which of its sends are watched, only the owner knows; those that csend itself waits for never are.
    [[gnu::noinline]] void alert_sender(EndpointType& owner, const Request* completion)
    {
        if (completion != &owner.blocking && completion != &owner.lent && !completion->quiet)
            alert(owner);
    }

    // A pool that is empty gets a few at once, so that it need not look for returned ones at every send.
    [[gnu::noinline]] Result<Message*> message_from_heap(EndpointType& self)
    {
        static constexpr int at_once = 8;
        Message* const message = TRY(one_from_heap(self));
        for (int more = 1; more < at_once && message->pool_bit != 0; ++more) {
            const Result<Message*> next = one_from_heap(self);
            if (!next)
                break;
            self.pool.keep(**next);
        }
        return message;
    }

    Result<Message*> one_from_heap(EndpointType& self)
    {
        std::byte* const memory = TRY(parts_.buffers.allocate(sizeof(Message)));
        auto* const message = new (memory) Message;
        message->source = self.index;
        self.pool.adopt(*message);
        return message;
    }

    // A message that is in no pool, or (null) a pool whose owner has ended. The latter pairs with close():
    // of the return and the final emptying the later one frees the message.
    [[gnu::noinline]] void free_surplus(EndpointType& owner, Message* message)
    {
        if (message != nullptr)
            free_message(*message);
        else
            free_pool(owner);
    }

    [[gnu::noinline]] void wake_budget_waiters()
    {
        for (EndpointType& other : parts_.endpoints)
            if (other.wants_budget.load(std::memory_order_relaxed) != 0)
                parts_.synchronization.signal(other.event());
    }

    Atomic<std::uint32_t> budget_waiters_{0};
};

} // namespace parley::messaging
