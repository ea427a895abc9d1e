// SPDX-License-Identifier: MIT
// How messages come to rest: into a destination's port, and from there to a posted receive or the list of
// unexpected ones.
#pragma once

#include "messaging/granting.hpp"

namespace parley::messaging {

template <class F>
class Arrival : public Granting<F> {
public:
    using typename Granting<F>::EndpointType;
    using Granting<F>::Granting;

protected:
    using Granting<F>::alert;
    using Granting<F>::endpoint;
    using Granting<F>::grant;
    using Granting<F>::keep_unexpected;
    using Granting<F>::lacks_bytes;
    using Granting<F>::parts_;
    using Granting<F>::retire;
    using Granting<F>::sequence;

    ~Arrival() = default;

    // Puts a message into an endpoint's port. A full port is emptied into its owner's lists first, so that
    // nobody waits for the owner. Errors: killed, and then the message is still the caller's; closed, and
    // then it is nobody's: the endpoint's process has been killed.
    Outcome put(EndpointType& self, EndpointType& to, Message& message, const Envelope& envelope)
    {
        while (to.port->put(message, envelope) != nullptr) [[unlikely]]
            TRY_VOID(make_room(self, to));
        tell(self, to);
        if (to.state() == EndpointState::killed) [[unlikely]]
            return std::unexpected(Error::closed);
        return 0;
    }

    // A message has been put.
    [[gnu::always_inline]] static void tell(EndpointType& self, EndpointType& to)
    {
        Event& event = to.event();
        event.sequence.fetch_add(1, std::memory_order_seq_cst);
        if ((event.sleeping() | to.attention.all()) != 0) [[unlikely]]
            mind(self, to);
    }

    // The oldest message of the port, unpacked, or null. Lock held.
    [[gnu::noinline]] static Message* take(EndpointType& at)
    {
        const Found found = at.port->take(0);
        if (!found)
            return nullptr;
        Message& message = at.port->taken();
        message.unpack(found.envelope());
        return &message;
    }

    // Empties the port. Errors: killed.
    [[gnu::noinline]] Result<void> drain(EndpointType& self, EndpointType& at)
    {
        const std::uint32_t seen = sequence(at);
        TRY_VOID(this->lock(self, at));
        bool matched = false;
        while (Message* const message = take(at))
            matched = settle(at, *message) || matched;
        at.drained.store(seen, std::memory_order_relaxed);
        this->unlock(self, at);
        if (matched)
            this->signal(at.event());
        return {};
    }

    // Lock held. To the first posted receive that wants it, else to the unexpected. True: a receive was
    // matched or failed.
    bool settle(EndpointType& at, Message& message)
    {
        bool failed = false;
        if (!at.posted.empty() && match_posted(at, message, failed))
            return true;
        if (!grant_receiving(at, message))
            keep_unexpected(at, message);
        return failed;
    }

    // Lock held. A receive of this endpoint, posted or further, is forgotten; a message that it has goes to
    // the next who wants it.
    [[gnu::noinline]] void take_back(EndpointType& at, Request& request)
    {
        if (at.posted.remove(request))
            return;
        if (at.matched.remove(request))
            return put_back(at, *request.message);
        if (!at.granted.remove(request))
            return;
        // The sender sees it before its next piece.
        negotiation_of(*request.message).state.store(NegotiationState::queued, std::memory_order_release);
        put_back(at, *request.message);
    }

    // Lock held. A receive whose buffer is too small fails, and the message stays for another.
    [[gnu::noinline]] bool match_posted(EndpointType& at, Message& message, bool& failed)
    {
        Request* previous = nullptr;
        for (Request* request = at.posted.first(); request != nullptr;) {
            Request* const next = request->next;
            if (!request->selector.takes(message)) {
                previous = request;
                request = next;
                continue;
            }
            at.posted.remove_after(previous, *request);
            if (message.length() <= request->maximum) {
                if (lacks_bytes(message) && grant(at, message, *request))
                    return true;
                request->message = &message;
                request->state.store(RequestState::matched, std::memory_order_release);
                trace::matched(message);
                at.matched.push_back(*request);
                at.has_matched.store(1, std::memory_order_release);
                if (request->watched)
                    alert(at);
                return true;
            }
            request->error = Error::message_too_long;
            request->state.store(RequestState::failed, std::memory_order_release);
            failed = true;
            if (request->watched)
                alert(at);
            request = next;
        }
        return false;
    }

    // Lock held. The first unexpected message that a selector wants, and the one before it.
    [[gnu::noinline]] Message* find_unexpected(EndpointType& at, Selector selector, Message*& previous)
    {
        previous = nullptr;
        for (Message* message = at.unexpected.first(); message != nullptr; message = message->next) {
            if (selector.takes(*message))
                return message;
            previous = message;
        }
        return nullptr;
    }

    // Nobody will receive this message.
    [[gnu::noinline]] void discard(Message& message)
    {
        if (this->refuse(message))
            return; // its sender retires it
        drop_own(message);
    }

    // The same for a message that is nobody else's.
    void drop_own(Message& message)
    {
        if (message.length() > 0)
            parts_.transfer.drop(message);
        retire(message);
    }

    // The endpoint's process has ended: discard what has reached it. Also called by senders who came too
    // late.
    [[gnu::noinline]] void discard_all(EndpointType& self, EndpointType& at)
    {
        acquire_always(self, at);
        MessageList rest = at.unexpected;
        at.unexpected = {};
        while (Message* const message = take(at))
            rest.push_back(*message);
        this->unlock(self, at);
        while (Message* const message = rest.pop_front())
            discard(*message);
    }

    // For cleaning up, which a process that must end itself still has to do.
    void acquire_always(EndpointType& self, EndpointType& at)
    {
        if (this->lock(self, at))
            return;
        platform::SpinWait spin;
        while (!this->lock(self, at))
            (void)spin.once();
    }

private:
    // A message has been put where there is something to mind, and the event's sequence has moved.
    [[gnu::noinline]] static void mind(EndpointType& self, EndpointType& to)
    {
        to.system->Arrival::mind_now(self, to);
    }

    void mind_now(EndpointType& self, EndpointType& to)
    {
        if (to.event().sleeping() != 0)
            parts_.synchronization.wake(to.event());
        // Pairs with close(): if its signal came before ours we see the new state here; otherwise it empties
        // the port after our put.
        if (to.state() != EndpointState::live)
            discard_all(self, to);
        // Pairs with set_watch(): if its signal came before ours we see the watch here; otherwise the owner
        // looks into its port after our put.
        if (to.attention.watch() == WatchState::armed)
            settle_for(self, to);
    }

    // Lock held. A crecv that waits counts as posted, after all others. What it would take but cannot be
    // granted to it, it finds itself: the signal of that message wakes it.
    [[gnu::always_inline]] bool grant_receiving(EndpointType& at, Message& message)
    {
        if (!parts_.traits.negotiates) [[likely]]
            return false;
        Request& request = at.receiving;
        if (request.state.load(std::memory_order_relaxed) != RequestState::posted ||
            !request.selector.takes(message))
            return false;
        const bool fits = message.length() <= request.maximum;
        if (fits && lacks_bytes(message) && grant(at, message, request))
            return true;
        request.state.store(RequestState::free, std::memory_order_relaxed);
        return false;
    }

    // Lock held. The message is older than all that its sender has in the list of unexpected ones.
    void put_back(EndpointType& at, Message& message)
    {
        bool failed = false;
        if (!match_posted(at, message, failed))
            at.unexpected.push_front(message);
    }

    // The owner may be computing: see on its behalf whether this is a message that it wants to be interrupted
    // for. The message is out of the sender's hands, so a sender that must end has no error to tell.
    [[gnu::noinline]] void settle_for(EndpointType& self, EndpointType& to) { (void)drain(self, to); }

    // Drain for the owner. An entry that is claimed and not yet published may keep us here for a moment.
    [[gnu::noinline]] Result<void> make_room(EndpointType& self, EndpointType& to)
    {
        TRY_VOID(drain(self, to));
        platform::SpinWait spin;
        if (!spin.once())
            return std::unexpected(Error::killed);
        return {};
    }
};

} // namespace parley::messaging
