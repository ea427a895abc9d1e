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

template <class F>
struct Parts {
    typename F::Location& location;
    typename F::Synchronization& synchronization;
    typename F::Transfer& transfer;
    BuddyHeap& buffers;
    Blocks& blocks;
    Traits traits;
    std::span<WaitRecord> records;
    std::span<BasicEndpoint<F>> endpoints; // the job's processes, then the carriers
    unsigned processes;                    // on the nodes, and then the host's
    unsigned on_nodes;
    unsigned nodes;
};

// One chain of classes from the interface down, so that every step has the same `this`.
template <class F>
class Core : public MessageSystem {
public:
    using EndpointType = BasicEndpoint<F>;

    explicit Core(const Parts<F>& parts) : parts_(parts) { }

protected:
    ~Core() = default;

    EndpointType& endpoint(unsigned index) { return parts_.endpoints[index]; }

    // `self` is the caller's endpoint, and its party takes the lock. Errors: killed.
    [[gnu::always_inline]] Result<void> lock(EndpointType& self, EndpointType& at)
    {
        return sched::acquire(parts_.synchronization, at.lock, self.party);
    }
    [[gnu::always_inline]] static void unlock(EndpointType& self, EndpointType& at)
    {
        if (marks_waiters(at)) [[unlikely]]
            leave_marked(self, at);
        else
            at.lock.set_free();
    }
    [[gnu::always_inline]] void signal(Event& event) { sched::signal(parts_.synchronization, event); }

    // Errors: no_memory.
    [[gnu::always_inline]] Result<Message*> new_message(EndpointType& self)
    {
        if (Message* const spare = self.pool.take()) [[likely]]
            return spare;
        return message_from_heap(self);
    }

    // A message with this envelope has been accepted, and what held its bytes is free: it returns to its
    // pool.
    [[gnu::always_inline]] void return_home(Message& message, const Envelope& envelope)
    {
        if (envelope.home() == 0) [[unlikely]]
            return retire(message);
        (void)return_to_pool(endpoint(envelope.source()), envelope);
    }

    // The same for one that has a place in a pool, and has been found like this.
    [[gnu::always_inline]] static Found return_to_pool(EndpointType& owner, const Found& found)
    {
        owner.pool.give_back(found.envelope().home());
        if (!owner.attention.none()) [[unlikely]]
            return return_minded(owner, found);
        return found;
    }

    // The message has been accepted or dropped: tell a sender who wants to know, and return it to its pool.
    [[gnu::noinline]] void retire(Message& message)
    {
        EndpointType& owner = endpoint(message.source());
        if (Request* const completion = message.completion)
            count_delivery(owner, *completion);
        if (message.place != 0)
            owner.pool.give_back(message.place);
        else
            free_message(message);
        if (!owner.attention.none()) [[unlikely]]
            after_return(owner);
        tell_of_budget();
    }

    // Something has been freed. Pairs with announce_budget_wait(): the heap's lock orders this load after the
    // waiter's increment, or the waiter's next try after our release.
    [[gnu::always_inline]] void tell_of_budget()
    {
        if (budget_waiters_.load(std::memory_order_acquire) != 0) [[unlikely]]
            wake_budget_waiters();
    }

    // With static dispatch it is known when this is compiled.
    static constexpr bool marks_waiters(const EndpointType& at)
    {
        if constexpr (requires { F::Synchronization::marks_waiters; })
            return F::Synchronization::marks_waiters;
        else
            return at.marks_waiters;
    }

    [[gnu::noinline]] static void leave_marked(EndpointType& self, EndpointType& at)
    {
        sched::release(static_cast<Core*>(at.system)->parts_.synchronization, at.lock, self.party, true);
    }

    [[gnu::noinline]] void count_delivery(EndpointType& owner, Request& completion)
    {
        completion.remaining.fetch_sub(1, std::memory_order_acq_rel); // pairs with Request::delivered()
        this->signal(owner.event());
        if (owner.attention.watch() == WatchState::armed) [[unlikely]]
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
        if (!owner.attention.fall_due())
            return;
        this->signal(owner.event());
        platform::notify(owner.index);
    }

    // Waits until something has changed since `seen`; a monitor sees what for. Errors: killed, interrupted.
    Result<void> wait(EndpointType& self, const WaitDetails& details, std::uint32_t seen)
    {
        if (details.restartable && self.attention.watch() == WatchState::due) [[unlikely]]
            return std::unexpected(Error::interrupted);
        trace::waiting(self.index, details);
        self.record->begin(details, seen);
        const Result<void> result = parts_.synchronization.wait(self.event(), seen);
        self.record->end();
        trace::resumed(self.index);
        return result;
    }

    // Looks for what may come at once: then no wait is begun, and its record, which the other's processor
    // would have to fetch, stays as it is.
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
        self.attention.set_wants_budget(true);
        budget_waiters_.fetch_add(1, std::memory_order_acq_rel);
    }
    void end_budget_wait(EndpointType& self)
    {
        budget_waiters_.fetch_sub(1, std::memory_order_acq_rel);
        self.attention.set_wants_budget(false);
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
        for (int more = 1; more < at_once && message->place != 0; ++more) {
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
        self.pool.adopt(*message);
        return message;
    }

    // A message has come back to its pool. Where the owner has ended: pairs with close(), of the return and
    // the final emptying the later one frees the message. Where it waits for budget, which may be a message
    // as well: pairs with announce_budget_wait(). Where it waits for a delivery, this may be that.
    [[gnu::noinline]] void after_return(EndpointType& owner)
    {
        if (owner.state() != EndpointState::live) {
            free_pool(owner);
            tell_of_budget();
        }
        if (owner.attention.wants_returns())
            this->signal(owner.event());
    }

    // Its result is what it was given, so the short way need not keep that through the call.
    [[gnu::noinline]] static Found return_minded(EndpointType& owner, Found found)
    {
        static_cast<Core*>(owner.system)->after_return(owner);
        return found;
    }

    [[gnu::noinline]] void wake_budget_waiters()
    {
        for (EndpointType& other : parts_.endpoints)
            if (other.attention.wants_budget())
                this->signal(other.event());
    }

    Atomic<std::uint32_t> budget_waiters_{0};
};

} // namespace parley::messaging
