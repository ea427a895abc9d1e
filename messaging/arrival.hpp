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
    // nobody waits for the owner. Errors: killed, and then the message is still the caller's.
    [[gnu::always_inline]] Result<void> put(EndpointType& to, Message& message)
    {
        while (!to.port->put(message)) [[unlikely]]
            TRY_VOID(make_room(to));
        parts_.synchronization.signal(to.event());
        // Pairs with close(): if its signal came before ours we see the new state here; otherwise it empties
        // the port after our put.
        if (to.state() != EndpointState::live) [[unlikely]]
            discard_all(to);
        // Pairs with Watching::arm(): if its signal came before ours we see the watch here; otherwise the
        // owner looks into its port after our put.
        if (to.watch.load(std::memory_order_acquire) == WatchState::armed) [[unlikely]]
            settle_for(to);
        return {};
    }

    // Empties the port. Errors: killed.
    [[gnu::noinline]] Result<void> drain(EndpointType& at)
    {
        const std::uint32_t seen = sequence(at);
        TRY_VOID(parts_.synchronization.acquire(at.lock));
        bool matched = false;
        while (Message* const message = at.port->take())
            matched = settle(at, *message) || matched;
        at.drained.store(seen, std::memory_order_relaxed);
        parts_.synchronization.release(at.lock);
        if (matched)
            parts_.synchronization.signal(at.event());
        return {};
    }

    [[gnu::always_inline]] static bool matches(const Selector& selector, const Message& message)
    {
        return selector.context == message.context && selector.takes_type(message.type) &&
               (selector.node == -1 || selector.node == message.from.node) &&
               (selector.pid == -1 || selector.pid == message.from.pid);
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
            if (!matches(request->selector, message)) {
                previous = request;
                request = next;
                continue;
            }
            at.posted.remove_after(previous, *request);
            if (message.length <= request->maximum) {
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
            if (matches(selector, *message))
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
        if (message.length > 0)
            parts_.transfer.drop(message);
        retire(message);
    }

    // The endpoint's process has ended: discard what has reached it. Also called by senders who came too
    // late.
    [[gnu::noinline]] void discard_all(EndpointType& at)
    {
        acquire_always(at);
        MessageList rest = at.unexpected;
        at.unexpected = {};
        while (Message* const message = at.port->take())
            rest.push_back(*message);
        parts_.synchronization.release(at.lock);
        while (Message* const message = rest.pop_front())
            discard(*message);
    }

    // For cleaning up, which a process that must end itself still has to do.
    void acquire_always(EndpointType& at)
    {
        if (parts_.synchronization.acquire(at.lock))
            return;
        platform::SpinWait spin;
        while (!parts_.synchronization.acquire(at.lock))
            (void)spin.once();
    }

private:
    // Lock held. A crecv that waits counts as posted, after all others. What it would take but cannot be
    // granted to it, it finds itself: the signal of that message wakes it.
    [[gnu::always_inline]] bool grant_receiving(EndpointType& at, Message& message)
    {
        if (!parts_.traits.negotiates) [[likely]]
            return false;
        Request& request = at.receiving;
        if (request.state.load(std::memory_order_relaxed) != RequestState::posted ||
            !matches(request.selector, message))
            return false;
        const bool fits = message.length <= request.maximum;
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
    [[gnu::noinline]] void settle_for(EndpointType& to) { (void)drain(to); }

    // Drain for the owner. An entry that is claimed and not yet published may keep us here for a moment.
    [[gnu::noinline]] Result<void> make_room(EndpointType& to)
    {
        TRY_VOID(drain(to));
        platform::SpinWait spin;
        if (!spin.once())
            return std::unexpected(Error::killed);
        return {};
    }
};

} // namespace parley::messaging
