// SPDX-License-Identifier: MIT
// Where a process's messages come to rest, and which receive each of them is for. Messages come in by the
// port; whoever looks into the port (its owner, or a sender for whom it is full) matches each with the first
// posted receive that wants it, else it is unexpected.
//
// Invariant, whenever the lock is free: no message in `unexpected` is wanted by a receive in `posted`; both
// are in the order of arrival; a receive in `matched` or `engaged` has its message, which is in no list.
#pragma once

#include "messaging/message/message_list.hpp"
#include "messaging/port.hpp"
#include "messaging/protocol.hpp"
#include "messaging/receive.hpp"
#include "messaging/sources.hpp"
#include "messaging/waiter.hpp"
#include "sched/synchronization/states.hpp"

#include "assertion.hpp"

#include <algorithm>

namespace parley::messaging {

template <class P = Port, class S = Synchronization>
class CAPABILITY("mailbox") Mailbox {
public:
    Mailbox(P& port, Waiter<S>& owner) : port_(port), draws_(port), owner_(owner) { }
    // The process that takes from it.
    Waiter<S>& owner() { return owner_; }
    // What a monitor looks into when nothing moves any more.
    const MessageList* shown_to_monitor() const { return &unexpected_; }
    // Called before its first use. Of a message of `carried_below` bytes or more, the port carries a
    // reference and no bytes. A message without bytes refers to nothing.
    void bind(std::uint64_t carried_below) { carried_below_ = std::max(carried_below, std::uint64_t{1}); }
    // Called before its first use: gives the lock what the Synchronization keeps beside the lock of that
    // number.
    void equip(const sched::States& states, unsigned number) { states.equip(lock_, number); }

    // Senders put a message, as Port::put() and put_bytes() say. When the message is in, the sender tells the
    // owner (Peer::tell(), Waiter::announce(), ActiveEndpoint::announce()).
    bool put(unsigned caller, Envelope envelope, MessageMemory* memory)
    {
        return port_.put(caller, envelope, memory);
    }
    template <class Source>
    [[nodiscard]] Put put_bytes(unsigned caller, Envelope envelope, const Source& source)
    {
        return port_.put_bytes(caller, envelope, source);
    }
    // The short ways put a message without memory first by put_at_once(), then an envelope by put_further().
    template <class Source>
    [[nodiscard]] Put put_at_once(unsigned caller, Envelope envelope, const Source& source)
    {
        return ShortWays::put(port_, caller, envelope, source);
    }
    [[nodiscard]] bool put_further(unsigned caller, Envelope envelope)
    {
        return ShortWays::put_further(port_, caller, envelope);
    }
    // Port::sight(): of messages that are kept here it tells nothing.
    Sight sight() const { return port_.sight(); }
    bool draws_are_shown() const { return draws_.by(port_); }
    bool is_under_way() const { return draws_are_shown() && port_.is_under_way(); }
    // Owner. Waits until the oldest entry that is under way is published, or void. Errors: killed.
    [[gnu::noinline]] Result<void> await_publication()
    {
        platform::SpinWait spin;
        while (port_.sight() == Sight::nothing && port_.is_under_way())
            if (!spin.once())
                return std::unexpected(Error::killed);
        return {};
    }
    // The process of the endpoint `caller` is no more. True: the owner is told to look again; if the owner is
    // no more either, whoever called this empties the mailbox. The signal pairs with that of
    // JobMessages::close().
    [[nodiscard]] bool leave(unsigned caller)
    {
        const bool has_left_something = port_.leave(caller);
        if (has_left_something)
            owner_.signal();
        return has_left_something;
    }

    // A sender that has found the port full calls this: the port's messages come to rest, so that nobody
    // waits for the owner. An entry that is drawn and not yet published may keep the sender trying for a
    // moment. Errors: killed.
    [[gnu::noinline]] Result<void> make_room(Party& caller)
    {
        TRY_VOID(drain(caller));
        platform::SpinWait spin;
        if (!spin.once())
            return std::unexpected(Error::killed);
        return {};
    }

    // Brings all that is in the port to rest, and tells the owner of receives that have ended or been
    // matched, and of messages whose senders need not have told it: its last look before a wait finds them
    // in the port no more (Progress::listen()). Any process of the job may call this. Errors: killed.
    Result<void> drain(Party& caller)
    {
        if (TRY(bring_to_rest(caller)))
            owner_.signal();
        return {};
    }

    // Does the same for whoever cleans up after a process, and may have to end itself.
    [[gnu::noinline]] void drain_always(Party& caller)
    {
        lock_always(caller);
        const bool must_tell = rest_all();
        unlock(caller);
        if (must_tell)
            owner_.signal();
    }

    // Takes the lock, for callers that take more than one step; `caller` is the calling process. False: it
    // must end, and does not hold the lock.
    [[nodiscard]] bool lock(Party& caller) TRY_ACQUIRE(true)
    {
        return lock_.acquire(owner_.synchronization(), caller);
    }
    void unlock(Party& caller) RELEASE()
    {
        assert_invariant();
        if (unlocks_in_steps())
            unlock_in_steps(caller);
        else
            lock_.set_free();
    }
    // Whether unlock() is more than the plain store that unlock_at_once() is.
    bool unlocks_in_steps() const { return lock_.template leaves_in_steps<S>(); }
    void unlock_at_once() RELEASE()
    {
        assert_invariant();
        lock_.set_free();
    }
    // Takes the lock always, for cleaning up, which a process that must end still has to do.
    void lock_always(Party& caller) ACQUIRE()
    {
        if (lock(caller))
            return;
        platform::SpinWait spin;
        while (!lock(caller))
            (void)spin.once();
    }
    // The caller has been passed this mailbox's lock, and holds it from now on.
    void take_over(PassedLock) ACQUIRE() { assert_held(); }
    void assert_held() const ASSERT_CAPABILITY(this)
    {
        assert_that([&] { return lock_.is_held(); });
    }

    // The short way of the owner's receives, in steps. enter() takes the lock if that is free. Then take()
    // may be called, if nothing is older than what lies in the port (nothing_older()).
    bool enter() TRY_ACQUIRE(true) { return lock_.take_free_by_owner(); }
    bool nothing_older() const REQUIRES(this)
    {
        assert_held();
        // All three in one test, because they are nearly always empty.
        return (reinterpret_cast<std::uintptr_t>(unexpected_.first()) |
                reinterpret_cast<std::uintptr_t>(posted_.first()) |
                reinterpret_cast<std::uintptr_t>(matched_.first())) == 0;
    }
    Taken take(unsigned spin_limit) REQUIRES(this) { return port_.take(MailboxHeld(*this), spin_limit); }
    // Port::watched(), where nothing is older than what lies in the port; and of what is kept here, too.
    Port::Watched watched_port() const REQUIRES(this) { return port_.watched(MailboxHeld(*this)); }
    Port::Watched watched() const REQUIRES(this)
    {
        return nothing_older() ? watched_port() : Port::Watched{};
    }
    // The short ways take first by this, and then by take() if looks_further() says so. `spin_limit` is 0
    // where messages come one at a time.
    Taken take_at_once(unsigned spin_limit, bool in_stream) REQUIRES(this)
    {
        return ShortWays::take(port_, MailboxHeld(*this), spin_limit, in_stream);
    }
    static bool looks_further(const Taken& taken) { return ShortWays::looks_further(taken); }
    // Takes the oldest message of all, kept or in the port; null: there is none.
    Message* take_oldest() REQUIRES(this)
    {
        assert_held();
        Message* const message = unexpected_.pop_front();
        return message != nullptr ? message : take_opened();
    }
    // Makes what take() has taken last a message with memory, for whoever cannot use it at once.
    Message& keep(const Taken& taken) REQUIRES(this)
    {
        if (taken.memory() == nullptr)
            return hold(taken);
        return taken.memory()->open(taken.envelope());
    }
    // Does what Port::release() says.
    void release(const Taken& taken) { port_.release(taken); }

    // The message goes to the first posted receive that wants it, else to the unexpected ones. The owner
    // calls this, or whoever brings the message here. True: a receive has ended or been matched, and the
    // caller must tell the owner.
    bool assign(Message& message) REQUIRES(this)
    {
        assert_held();
        bool ended = false;
        if (!posted_.empty() && match_posted(message, ended))
            return true;
        keep_unexpected(message);
        return ended;
    }

    // Owner; the lock is free afterwards. Answers the first message here that the receive wants, for the
    // caller to accept: then the receive is idle, as it may be before. Or answers null: then the receive is
    // idle, or posted if `post` says so; or its message is not whole, and the receive has it as any other; or
    // the receive has ended.
    Message* search(Receive& receive, bool post) RELEASE()
    {
        assert_held();
        Message* const message = search_locked(receive, post);
        unlock(own());
        return message;
    }

    // Owner. The receive, idle before, gets the first message that it wants, of those that have arrived or
    // else will. Errors: killed; then the receive still is idle.
    Result<void> post(Receive& receive)
    {
        if (!lock(own()))
            return std::unexpected(Error::killed);
        if (Message* const message = search_locked(receive, true)) {
            receive.state.move(ReceiveState::posted, std::memory_order_relaxed);
            receive.message = message;
            match(receive, *message);
        }
        unlock(own());
        return {};
    }

    // Owner. A receive is posted no longer, unless it has ended; a message that it has goes to the next
    // receive that wants the message. Afterwards the receive is idle or has ended.
    void withdraw(Receive& receive)
    {
        lock_always(own());
        if (!receive.has_ended()) {
            withdraw_locked(receive);
            receive.message = nullptr;
            receive.rest();
        }
        unlock(own());
    }

    // Owner. From now on the end of this receive notifies, if it has not ended yet. Errors: killed.
    Result<void> watch(Receive& receive)
    {
        if (!lock(own()))
            return std::unexpected(Error::killed);
        receive.notifies = true;
        unlock(own());
        return {};
    }

    // Owner. Brings to rest what has come since the port was last seen empty. Errors: killed.
    Result<void> look_into_port()
    {
        if (owner_.sequence() != drained_.load(std::memory_order_relaxed) || is_under_way())
            TRY(bring_to_rest(own()));
        return {};
    }
    // Owner. Brings to rest what has come, whether its sender has told of it or not. Errors: killed.
    Result<void> empty_port()
    {
        TRY(bring_to_rest(own()));
        return {};
    }
    // Owner. Brings to rest all that was under way when this was called. Errors: killed.
    Result<void> settle()
    {
        TRY_VOID(look_into_port());
        for (unsigned left = Port::most_shown; left > 0 && is_under_way(); --left) {
            TRY_VOID(await_publication()); // each turn takes the oldest at least
            TRY(bring_to_rest(own()));
        }
        return {};
    }

    // Owner. Whether receives have their messages, which the owner is to accept. This is a hint, which
    // next_matched() looks into.
    bool has_matched() const { return has_matched_.load(std::memory_order_acquire) != 0; }
    // Owner. Takes the next such receive out, which then is the owner's alone; null: there is none. Errors:
    // killed.
    Result<Receive*> next_matched()
    {
        if (!lock(own()))
            return std::unexpected(Error::killed);
        Receive* const receive = matched_.pop_front();
        if (matched_.empty())
            has_matched_.store(0, std::memory_order_relaxed);
        unlock(own());
        return receive;
    }
    // Owner. Not all bytes of the receive's message are there yet: next_matched() answers the receive again.
    void match_again(Receive& receive)
    {
        lock_always(own());
        matched_.push_back(receive);
        has_matched_.store(1, std::memory_order_release);
        unlock(own());
    }

    // Owner. The envelope of the first unexpected message that a selector wants. Errors: killed, not_found.
    Result<Envelope> look(const Selector& selector)
    {
        if (!lock(own()))
            return std::unexpected(Error::killed);
        Message* previous = nullptr;
        const Message* const message = find_unexpected(selector, previous);
        const Result<Envelope> found =
            message != nullptr ? Result<Envelope>(*message) : std::unexpected(Error::not_found);
        unlock(own());
        return found;
    }

    // Owner. Calls `visit` with each unexpected message, the oldest first, until that answers true. Errors:
    // killed.
    template <class Visit>
    Result<void> visit_unexpected(Visit visit)
    {
        if (!lock(own()))
            return std::unexpected(Error::killed);
        for (const Message* message = unexpected_.first(); message != nullptr; message = message->next)
            if (visit(*message))
                break;
        unlock(own());
        return {};
    }

    // Takes the oldest message of all, unexpected or in the port; null: there is none. A delivery process
    // calls this for its own mailbox, which has no receives. Errors: killed.
    Result<Message*> next()
    {
        if (!lock(own()))
            return std::unexpected(Error::killed);
        Message* const message = take_oldest();
        unlock(own());
        return message;
    }

    // The message's sender takes it back from the unexpected ones. False: it is not there.
    bool take_back(const Message& message, Party& caller)
    {
        lock_always(caller);
        const bool was_there = unexpected_.remove(message);
        unlock(caller);
        return was_there;
    }

    // Called for a protocol: an engaged receive has ended. Its message is the protocol's.
    void end_engaged(Receive& receive, const Result<void>& brought) REQUIRES(this)
    {
        assert_held();
        engaged_.remove(receive);
        const bool notifies = receive.notifies; // its owner may use it again as soon as it has ended
        if (brought)
            receive.finish(*receive.message);
        else
            receive.fail(brought.error());
        if (notifies)
            owner_.notify();
    }
    // Called for a protocol: an engaged receive has its message, which its owner is to accept.
    void match_engaged(Receive& receive) REQUIRES(this)
    {
        assert_held();
        engaged_.remove(receive);
        match(receive, *receive.message);
    }

    // The process of this endpoint is no more, and may have ended anywhere in the user-level library, also
    // while it held this lock and looked into its port. This releases the lock if the process held it.
    void release_lock_of_ended_owner() { lock_.release_for_owner(); }
    // Forgets the receives of a process that is no more. Messages that they had are unexpected again, the
    // oldest first.
    void abandon_receives()
    {
        lock_always(own());
        while (posted_.pop_front() != nullptr) { }
        while (const Receive* const receive = engaged_.pop_front()) {
            const InAMailbox known(MailboxHeld(*this));
            receive->message->protocol()->abandoned(*receive->message);
        }
        MessageList matched;
        while (const Receive* const receive = matched_.pop_front())
            matched.push_back(*receive->message);
        unexpected_.push_front(matched);
        has_matched_.store(0, std::memory_order_relaxed);
        unlock(own());
    }
    // Takes out all messages that nobody has received; they are the caller's. If the owner has ended by
    // itself, this notes that it has left them.
    MessageList empty(Party& caller)
    {
        lock_always(caller);
        MessageList rest = unexpected_;
        unexpected_ = {};
        while (Message* const message = take_opened())
            rest.push_back(*message);
        const EndpointState state = owner_.state();
        if (state == EndpointState::ended)
            note_unreceived(rest);
        if (state != EndpointState::live)
            port_.clear(MailboxHeld(*this));
        unlock(caller);
        return rest;
    }

    // Notes what the owner leaves, or has asked twice.
    void note(const Unreceived::Item& left) REQUIRES(this) { owner_.record().unreceived.note(left); }

private:
    using ShortWays = typename P::ShortWays;

    Party& own() { return owner_.party(); }

    // What the head of this file says; the order of arrival alone is noted nowhere.
    void assert_invariant() const
    {
        assert_that([&] { return wants_nothing_unexpected(); });
        assert_that([&] { return has_what_was_matched(); });
    }
    bool wants_nothing_unexpected() const
    {
        assert_held();
        for (const Message* message = unexpected_.first(); message != nullptr; message = message->next)
            for (const Receive* receive = posted_.first(); receive != nullptr; receive = receive->next)
                if (receive->selector.takes(*message))
                    return false;
        return true;
    }
    bool has_what_was_matched() const
    {
        assert_held();
        return have_messages(matched_) && have_messages(engaged_);
    }
    // Whether each receive of a list has a message, which is in no list.
    template <ReceiveState state>
    static bool have_messages(const ReceiveList<state>& receives)
    {
        for (const Receive* receive = receives.first(); receive != nullptr; receive = receive->next)
            if (receive->message == nullptr || receive->message->next != unlinked<Message>())
                return false;
        return true;
    }

    // What libnx sends for itself is left out: no program could have received it.
    void note_unreceived(const MessageList& messages) REQUIRES(this)
    {
        for (const Message* message = messages.first(); message != nullptr; message = message->next)
            if (message->context() == PARLEY_CONTEXT_PROGRAM)
                note({.kind = Unreceived::Kind::message,
                      .type = message->type(),
                      .bytes = message->length(),
                      .node = message->node(),
                      .pid = message->pid()});
    }

    [[gnu::noinline]] void unlock_in_steps(Party& caller) RELEASE()
    {
        lock_.release_in_steps(owner_.synchronization(), caller);
    }

    // Notes the destination: when the message is over, its port must be found from the message alone.
    [[gnu::noinline]] Message& hold(const Taken& taken) REQUIRES(this)
    {
        Message& message = *port_.hold(MailboxHeld(*this), taken);
        message.destination = static_cast<std::uint16_t>(owner_.index());
        if (message.length() >= carried_below_)
            message.data = taken.reference();
        return message;
    }

    // Takes the oldest message out of the port; null: there is none.
    Message* take_opened() REQUIRES(this)
    {
        const Taken taken = port_.take(MailboxHeld(*this), 0);
        return taken ? &keep(taken) : nullptr;
    }

    // Brings all that is in the port to rest. True: whoever is not the owner must tell it of what was taken.
    // Errors: killed.
    Result<bool> bring_to_rest(Party& caller)
    {
        if (!lock(caller))
            return std::unexpected(Error::killed);
        const bool must_tell = rest_all();
        unlock(caller);
        return must_tell;
    }
    [[gnu::always_inline]] bool rest_all() REQUIRES(this)
    {
        const std::uint32_t seen = owner_.sequence();
        bool must_tell = false;
        while (Message* const message = take_opened())
            must_tell = assign(*message) || draws_are_shown() || must_tell;
        drained_.store(seen, std::memory_order_relaxed);
        return must_tell;
    }

    void keep_unexpected(Message& message) REQUIRES(this)
    {
        unexpected_.push_back(message);
        if (Protocol* const protocol = message.protocol()) {
            const InAMailbox known(MailboxHeld(*this));
            protocol->queued(message);
        }
    }

    Message* search_locked(Receive& receive, bool post) REQUIRES(this)
    {
        if (post && !take_down(receive))
            return nullptr;
        Message* previous = nullptr;
        if (Message* const message = find_unexpected(receive.selector, previous)) {
            if (message->length() > receive.maximum)
                return fail_for_length(receive);
            unexpected_.remove_after(previous);
            return whole(receive, *message);
        }
        const std::uint32_t seen = owner_.sequence();
        bool ended = false; // the owner looks at its requests without being told
        while (Message* const message = take_opened()) {
            if (!posted_.empty() && match_posted(*message, ended))
                continue;
            const bool is_wanted = receive.selector.takes(*message);
            if (is_wanted && message->length() <= receive.maximum)
                return whole(receive, *message);
            keep_unexpected(*message);
            if (is_wanted)
                return fail_for_length(receive);
        }
        drained_.store(seen, std::memory_order_relaxed);
        if (post) {
            receive.state.move(ReceiveState::posted, std::memory_order_relaxed);
            posted_.push_back(receive);
        }
        return nullptr;
    }

    // A posted receive becomes idle. False: the receive has a message, or has ended.
    bool take_down(Receive& receive) REQUIRES(this)
    {
        if (receive.state.is(ReceiveState::posted)) {
            posted_.remove(receive);
            receive.rest();
        }
        return receive.state.is(ReceiveState::idle);
    }

    [[gnu::noinline]] Message* fail_for_length(Receive& receive)
    {
        receive.fail(Error::message_too_long);
        return nullptr;
    }

    // The message is in no list, and the idle receive wants it. Null: the message is not whole, and its
    // protocol knows of the receive now.
    Message* whole(Receive& receive, Message& message) REQUIRES(this)
    {
        if (Protocol* const protocol = message.protocol()) {
            receive.state.move(ReceiveState::posted, std::memory_order_relaxed);
            receive.message = &message;
            if (engage(*protocol, message, receive))
                return nullptr;
            receive.message = nullptr;
            receive.rest();
        }
        trace::matched(message);
        return &message;
    }

    // Gives the message to the first posted receive that wants it. A receive whose buffer is too small fails
    // (`ended` says so), and the message stays for another. False: no receive has got it.
    bool match_posted(Message& message, bool& ended) REQUIRES(this)
    {
        Receive* previous = nullptr;
        for (Receive* receive = posted_.first(); receive != nullptr;) {
            Receive* const next = receive->next;
            if (!receive->selector.takes(message)) {
                previous = receive;
                receive = next;
                continue;
            }
            posted_.remove_after(previous, *receive);
            if (message.length() <= receive->maximum) {
                give(*receive, message);
                return true;
            }
            const bool notifies = receive->notifies; // its owner may use it again as soon as it has ended
            receive->fail(Error::message_too_long);
            ended = true;
            if (notifies)
                owner_.notify();
            receive = next;
        }
        return false;
    }

    // Gives the message to the receive that wants it. Both are in no list.
    void give(Receive& receive, Message& message) REQUIRES(this)
    {
        receive.message = &message;
        if (Protocol* const protocol = message.protocol())
            if (engage(*protocol, message, receive))
                return;
        match(receive, message);
    }

    // The receive goes into the list before the protocol is asked, which may end the receive as soon as it
    // knows of that. False: the message is whole, and the receive is in no list.
    bool engage(Protocol& protocol, Message& message, Receive& receive) REQUIRES(this)
    {
        receive.state.move(ReceiveState::engaged, std::memory_order_relaxed);
        engaged_.push_back(receive);
        trace::matched(message);
        const InAMailbox known(MailboxHeld(*this));
        if (protocol.matched(message, receive) == Protocol::Step::engaged)
            return true;
        engaged_.remove(receive);
        return false;
    }

    void match(Receive& receive, Message& message) REQUIRES(this)
    {
        trace::matched(message);
        receive.state.move(ReceiveState::matched, std::memory_order_release);
        matched_.push_back(receive);
        has_matched_.store(1, std::memory_order_release);
        if (receive.notifies)
            owner_.notify();
    }

    Message* find_unexpected(const Selector& selector, Message*& previous) REQUIRES(this)
    {
        previous = nullptr;
        for (Message* message = unexpected_.first(); message != nullptr; message = message->next) {
            if (selector.takes(*message))
                return message;
            previous = message;
        }
        return nullptr;
    }

    void withdraw_locked(Receive& receive) REQUIRES(this)
    {
        if (posted_.remove(receive))
            return;
        if (engaged_.remove(receive)) {
            const InAMailbox known(MailboxHeld(*this));
            receive.message->protocol()->withdrawn(*receive.message);
        } else if (!matched_.remove(receive))
            return;
        // The message is older than all that its sender has among the unexpected ones.
        Message& message = *receive.message;
        bool ended = false;
        if (posted_.empty() || !match_posted(message, ended))
            unexpected_.push_front(message);
    }

    P& port_;
    const DrawsShown<P> draws_;
    Waiter<S>& owner_;
    std::uint64_t carried_below_ = Envelope::longest + 1;

    // These are written all the time, above all by the owner.
    alignas(64) Lock lock_;
    Atomic<std::uint32_t> drained_{0};        // the event's sequence when the port was last seen empty
    Atomic<std::uint32_t> has_matched_{0};    // the matched list is not empty
    MessageList unexpected_ GUARDED_BY(this); // nobody has asked for them yet
    ReceiveList<ReceiveState::posted> posted_ GUARDED_BY(this); // without a message
    ReceiveList<ReceiveState::matched> matched_
        GUARDED_BY(this); // the owner has still to accept their messages
    ReceiveList<ReceiveState::engaged> engaged_
        GUARDED_BY(this); // their messages' protocol is bringing the bytes
};

} // namespace parley::messaging
