// SPDX-License-Identifier: MIT
// The message calls of processes that look themselves into the interface which joins their multiprocessor
// with others (Leaf::processes_look). A look takes time (Binding::look), so a Polling says which polls look.
// Each call that looks for messages is a poll. What is near is found by each: a message that its sender has
// put into the process's mailbox, and all Active Messages that come straight into its queues. A far message,
// which the interface has brought, is found only when a look has come after it: a look brings in some for
// each poll since the last one, and later polls find those as well. A call that waits polls until one of its
// polls looks; then it waits as any other does, and sees all that comes meanwhile.
//
// A poll for Active Messages that does not look and sees by words that nothing near has come needs no call
// (parley_calls: passable): the next call counts those that have passed.
//
// A call that names a near sender is no poll, and neither is the receive of what a probe has found, which is
// known to be here. What has come is not to be seen without a look, so the process cannot see it by itself.
#pragma once

#include "interface/message_calls.h"
#include "messaging/design/design.hpp"
#include "messaging/message/envelope.hpp"
#include "messaging/polling.hpp"
#include "messaging/receive.hpp"
#include "messaging/reply.hpp"
#include "messaging/requests.hpp"

#include "platform.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace parley::messaging {

// How pollings are made, of any class, in room of so many bytes.
struct PollingKind {
    std::size_t bytes = 0;
    Polling* (*make)(std::byte* room, const LeafChoice& choice) = nullptr;
};

// The choice that a program has written down for set_polling, in so many bytes. Errors: bad_argument,
// bad_buffer.
template <class L>
Result<LeafChoice> read_polling(L& location, UserAddress word, long length)
{
    constexpr std::string_view factor = "polling=";
    std::array<char, 64> text;
    if (length < 0 || static_cast<std::size_t>(length) > text.size())
        return std::unexpected(Error::bad_argument);
    const std::string_view choice(text.data(), static_cast<std::size_t>(length));
    TRY_VOID(location.copy_in(reinterpret_cast<std::byte*>(text.data()), word, choice.size()));
    FixedString words;
    words << factor << choice;
    Design design;
    if (std::ranges::count(choice, ',') != 0 || !parse_design(words.text(), design).empty())
        return std::unexpected(Error::bad_argument);
    return design.polling;
}

// E is the endpoint whose calls these are, and lets this class see its parts.
template <class E>
class PolledCalls {
public:
    // Called once. `price`: of a look, in nanoseconds. `room`: for a polling of that kind.
    void poll_by(std::uint64_t price, const PollingKind& kind, std::byte* room, const LeafChoice& usual)
    {
        price_ = price;
        kind_ = kind;
        room_ = room;
        usual_ = usual;
        reset();
    }
    // Another program begins.
    void reset()
    {
        if (kind_.make == nullptr)
            return;
        polling_ = kind_.make(room_, usual_);
        looks_ = 0;
        near_ = 0;
        here_ = active_here_ = 0;
        has_all_ = false;
        has_found_ = false;
        show_passable();
    }

    // Puts its entries in front of those of a table that look.
    void guard(parley_calls& calls)
    {
        if (polling_ == nullptr)
            return;
        unpolled_ = calls;
        calls.arrivals = nullptr;
        calls.passable = calls.watched != nullptr ? &passable_ : nullptr;
        calls.receive = &receive;
        calls.receive_block = &receive_block;
        calls.done = &done;
        calls.wait = &wait;
        calls.probe = &probe;
        calls.take_active = &take_active;
        calls.await_active = &await_active;
    }

    // set_polling.
    template <class L>
    Outcome choose(L& location, UserAddress word, long length)
    {
        LeafChoice chosen;
        if (length != 0)
            chosen = TRY(read_polling(location, word, length));
        if (polling_ == nullptr)
            return std::unexpected(Error::no_such_call);
        if (length != 0) {
            polling_ = kind_.make(room_, chosen);
            show_passable();
        }
        return static_cast<long>(looks_);
    }

private:
    using Found = parley_receive_status;

    static constexpr std::uint64_t accepted = 4; // far messages that a look brings in, for each poll
    static constexpr std::uint64_t one_sender =
        PARLEY_SENDER_NODE | PARLEY_SENDER_CONTEXT | PARLEY_SENDER_PID;

    static PolledCalls& of(void* self) { return E::of(self).polled_; }
    static Found failed(Error error) { return ReceiveStatus(std::unexpected(error)).words(); }
    static Envelope envelope_of(const Found& found)
    {
        return Envelope::of_words(static_cast<std::uint64_t>(found.contents), found.sender);
    }

    static bool is_far(const E& endpoint, const Envelope& envelope)
    {
        return !endpoint.reaches(envelope.source());
    }
    // Whether senders are asked for of which each is near.
    static bool names_near(const E& endpoint, std::uint64_t from, std::uint64_t mask)
    {
        const std::uint64_t node = from & PARLEY_SENDER_NODE;
        return (mask & PARLEY_SENDER_NODE) == PARLEY_SENDER_NODE && node < endpoint.directory_.nodes() &&
               endpoint.reaches(static_cast<unsigned>(node));
    }

    // Polls that have passed unseen are counted before anything else: a program may write any number for
    // them.
    void count_passed()
    {
        polling_->pass(shown_ - std::min(shown_, passable_));
        shown_ = passable_ = 0;
    }
    // A poll begins. True: it looks.
    bool begins_look()
    {
        count_passed();
        return polling_->looks_far();
    }
    // A poll ends that has brought nothing from afar.
    void end_poll()
    {
        polling_->note(std::exchange(near_, 0), 0);
        show_passable();
    }
    // A poll has taken a near Active Message. It is over if it does not look; else the call that looks tells
    // it.
    void end_poll_that_took()
    {
        count_passed();
        ++near_;
        if (polling_->passable() != 0) {
            polling_->pass(1);
            end_poll();
        }
    }
    // Polls may pass as long as nothing is here that they would find or tell.
    void show_passable() { shown_ = passable_ = active_here_ == 0 ? polling_->passable() : 0; }
    // The price of a look is paid; whoever must end is told so by the call that follows.
    void pay()
    {
        ++looks_;
        platform::SpinWait wait;
        const std::uint64_t since = platform::nanoseconds();
        for (std::uint64_t now = since; now != 0 && now - since < price_; now = platform::nanoseconds())
            if (!wait.once())
                break;
    }
    // A call that waits polls until a poll finds what it wants here, by `finds`, or looks. True: it has found
    // that, and the poll is still to be ended. False: it has looked, or the process must end.
    template <class Find>
    Result<bool> finds_before_look(Find finds)
    {
        for (platform::SpinWait wait; !begins_look();) {
            if (TRY(finds()))
                return true;
            end_poll();
            if (!wait.once())
                return false;
        }
        pay();
        return false;
    }
    // A poll that looks ends: what has come is here from now on. `took_far`: it has taken a far message.
    void end_look(E& endpoint, bool took_far)
    {
        const std::uint64_t taken = took_far ? 1 : 0;
        if (!took_far && brings_nothing(endpoint)) {
            end_poll();
            return;
        }
        signals_ = endpoint.peer_.waiter.sequence();
        (void)endpoint.peer_.mailbox.settle(); // a process that must end hears of that from its next call
        const std::uint64_t most = std::max(here_, accepted * polling_->period()) - taken;
        const FarMessages far = count_far(endpoint, most);
        const std::uint64_t here = std::min(far.all, most);
        polling_->note(std::exchange(near_, 0),
                       static_cast<unsigned>(taken + here > here_ ? taken + here - here_ : 0));
        here_ = here;
        has_all_ = here == far.all;
        active_here_ = far.active;
        show_passable();
    }
    // Whether a look would bring nothing that the last one has not: whoever brings a far message signals
    // then.
    bool brings_nothing(const E& endpoint) const
    {
        return has_all_ && signals_ == endpoint.peer_.waiter.sequence();
    }
    struct FarMessages {
        std::uint64_t all = 0, active = 0;
    };
    // Counts the unexpected far messages, and the Active Messages among the oldest `most` of them.
    static FarMessages count_far(E& endpoint, std::uint64_t most)
    {
        FarMessages far;
        (void)endpoint.peer_.mailbox.visit_unexpected([&](const Envelope& message) {
            if (is_far(endpoint, message)) {
                far.active += far.all < most && message.context() == PARLEY_CONTEXT_ACTIVE ? 1 : 0;
                ++far.all;
            }
            return false;
        });
        return far;
    }

    // The process has taken a near message. The next poll tells that, so it does not pass.
    void note_near()
    {
        count_passed();
        ++near_;
    }
    // The process has taken what was found, if anything was, after a poll that has looked, or has not. True:
    // that was a far message.
    bool note_taken(const E& endpoint, const Found& found, bool has_looked)
    {
        if (found.contents < 0 || found.contents == PARLEY_FOUND_NO_MESSAGE)
            return false;
        const Envelope envelope = envelope_of(found);
        const bool was_far = is_far(endpoint, envelope);
        if (!was_far)
            note_near();
        if (was_far && !has_looked && here_ != 0) {
            --here_;
            active_here_ -= active_here_ != 0 && envelope.context() == PARLEY_CONTEXT_ACTIVE ? 1 : 0;
            show_passable();
        }
        return was_far;
    }

    // Whether no near message is what the selector wants: Active Messages from near come straight into their
    // queues, but for their bulk, whose types are above those of any mask for them.
    static bool wants_far_alone(const Selector& selector)
    {
        constexpr std::int32_t all_above = 1 << 30;
        return parley_address_context(selector.from & selector.mask) == PARLEY_CONTEXT_ACTIVE &&
               selector.types < 0 && (selector.types & all_above) == 0;
    }
    // Whether a message is here that the selector wants: `here` is the oldest. Errors: killed.
    Result<bool> finds(E& endpoint, const Selector& selector, Envelope& here)
    {
        if (active_here_ == 0 && wants_far_alone(selector))
            return false;
        TRY_VOID(endpoint.peer_.mailbox.settle());
        TRY_VOID(endpoint.progress_.advance());
        bool is_here = false;
        TRY_VOID(endpoint.peer_.mailbox.visit_unexpected([&](const Envelope& message) {
            if (!selector.takes(message) || (here_ == 0 && is_far(endpoint, message)))
                return false;
            here = message;
            return is_here = true;
        }));
        return is_here;
    }

    static Selector selector_of(long typesel, std::uint64_t from, std::uint64_t mask)
    {
        return {static_cast<std::int32_t>(typesel), from, mask};
    }

    // The oldest one of a sender and a type that an open selector takes is the first of them that it takes.
    static parley_receive naming(const parley_receive& call, const Envelope& found)
    {
        parley_receive exact = call;
        exact.typesel = static_cast<long>(found.type());
        exact.from = found.sender() & one_sender;
        exact.mask = one_sender;
        return exact;
    }

    using ReceiveEntry = decltype(parley_calls::receive);
    static Found receive(void* self, const parley_receive* call)
    {
        return receive_by(self, *call, of(self).unpolled_.receive);
    }
    static Found receive_block(void* self, const parley_receive* call)
    {
        return receive_by(self, *call, of(self).unpolled_.receive_block);
    }
    static Found receive_by(void* self, const parley_receive& call, ReceiveEntry receives)
    {
        E& endpoint = E::of(self);
        PolledCalls& calls = endpoint.polled_;
        const bool is_known = std::exchange(calls.has_found_, false);
        if (names_near(endpoint, call.from, call.mask)) {
            const Found found = receives(self, &call);
            calls.note_taken(endpoint, found, false);
            return found;
        }
        Envelope here;
        const auto finds = [&] {
            return calls.finds(endpoint, selector_of(call.typesel, call.from, call.mask), here);
        };
        Result<bool> has_found = false;
        if (is_known)
            has_found = finds();
        const bool polls = has_found && !*has_found;
        if (polls)
            has_found = calls.finds_before_look(finds);
        if (!has_found)
            return failed(has_found.error());
        if (*has_found) {
            const parley_receive exact = naming(call, here);
            const Found found = receives(self, &exact);
            calls.note_taken(endpoint, found, false);
            if (polls)
                calls.end_poll();
            return found;
        }
        const Found found = receives(self, &call);
        calls.end_look(endpoint, calls.note_taken(endpoint, found, true));
        return found;
    }

    static Found probe(void* self, long typesel, long how, unsigned long from, unsigned long mask)
    {
        E& endpoint = E::of(self);
        PolledCalls& calls = endpoint.polled_;
        const Found found = calls.probe_by(endpoint, typesel, how, from, mask);
        calls.has_found_ = found.contents >= 0;
        return found;
    }
    Found probe_by(E& endpoint, long typesel, long how, unsigned long from, unsigned long mask)
    {
        if (names_near(endpoint, from, mask))
            return unpolled_.probe(&endpoint, typesel, how, from, mask);
        Envelope here;
        bool is_here = false;
        const auto ends = finds_before_look([&]() -> Result<bool> {
            is_here = TRY(finds(endpoint, selector_of(typesel, from, mask), here));
            return is_here || how != parley_probe_waits;
        });
        if (!ends)
            return failed(ends.error());
        if (*ends) {
            end_poll();
            return is_here ? ReceiveStatus(here).words() : nothing(endpoint, how);
        }
        const bool is_nothing_new = active_here_ == 0 && how != parley_probe_waits &&
                                    wants_far_alone(selector_of(typesel, from, mask)) &&
                                    brings_nothing(endpoint);
        const Found found =
            is_nothing_new ? nothing(endpoint, how) : unpolled_.probe(&endpoint, typesel, how, from, mask);
        end_look(endpoint, false);
        return found;
    }
    static Found nothing(E& endpoint, long how)
    {
        return how == parley_probe_goes_on ? failed(Error::would_block) : endpoint.found_nothing().words();
    }

    // Whether a request has ended, and not by a far message that has come after the last look.
    Result<bool> has_ended(E& endpoint, long id)
    {
        TRY_VOID(endpoint.progress_.advance());
        const Result<Request*> found = endpoint.requests_.find(id);
        if (!found || *found == nullptr)
            return true;
        const Request& request = **found;
        if (!request.is_complete())
            return false;
        return here_ != 0 || !request.state.is(RequestState::receiving) ||
               !request.receive.state.is(ReceiveState::finished) ||
               !is_far(endpoint, request.receive.received);
    }
    static Found done(void* self, long id)
    {
        E& endpoint = E::of(self);
        PolledCalls& calls = endpoint.polled_;
        if (!calls.begins_look()) {
            const Result<bool> has_ended = calls.has_ended(endpoint, id);
            const Found found = !has_ended   ? failed(has_ended.error())
                                : *has_ended ? calls.unpolled_.done(self, id)
                                             : endpoint.found_nothing().words();
            calls.note_taken(endpoint, found, false);
            calls.end_poll();
            return found;
        }
        calls.pay();
        const Found found = calls.unpolled_.done(self, id);
        calls.end_look(endpoint, calls.note_taken(endpoint, found, true));
        return found;
    }
    static Found wait(void* self, long id)
    {
        E& endpoint = E::of(self);
        PolledCalls& calls = endpoint.polled_;
        const Result<bool> ends = calls.finds_before_look([&] { return calls.has_ended(endpoint, id); });
        if (!ends)
            return failed(ends.error());
        if (*ends) {
            const Found found = calls.unpolled_.wait(self, id);
            calls.note_taken(endpoint, found, false);
            calls.end_poll();
            return found;
        }
        const Found found = calls.unpolled_.wait(self, id);
        calls.end_look(endpoint, calls.note_taken(endpoint, found, true));
        return found;
    }

    // Active Messages that come straight into the process's queues are near, and each poll takes them.
    static Found take_active(void* self, long how, unsigned long room)
    {
        PolledCalls& calls = of(self);
        const Found found = calls.unpolled_.take_active(self, how, room);
        if (found.contents >= 0)
            calls.end_poll_that_took();
        return found;
    }
    static long await_active(void* self, long types, unsigned long from, unsigned long mask)
    {
        E& endpoint = E::of(self);
        PolledCalls& calls = endpoint.polled_;
        const Result<bool> has_come =
            calls.finds_before_look([&]() -> Result<bool> { return endpoint.active_.may_have_come(); });
        if (has_come && *has_come) {
            calls.end_poll();
            return calls.unpolled_.await_active(self, types, from, mask);
        }
        const long answer = calls.unpolled_.await_active(self, types, from, mask);
        calls.end_look(endpoint, false);
        return answer;
    }

    std::uint64_t price_ = 0;
    Polling* polling_ = nullptr; // in `room_`; null: the process does not look
    PollingKind kind_;
    std::byte* room_ = nullptr;
    LeafChoice usual_;
    std::uint64_t looks_ = 0;
    unsigned near_ = 0;             // messages taken since the last poll has ended
    std::uint64_t here_ = 0;        // far messages that a look has brought in, and that are still to be taken
    std::uint64_t active_here_ = 0; // Active Messages among these
    bool has_all_ = false;          // these are all that there were at the last look, before so many signals
    std::uint32_t signals_ = 0;
    bool has_found_ = false;     // the last call was a probe that has found a message
    unsigned long passable_ = 0; // the caller's (parley_calls); of these so many were shown
    unsigned long shown_ = 0;
    parley_calls unpolled_{};
};

// For processes that look into no interface: their calls stay as they are. A Transport names this class
// (LookingCalls), so that static dispatch compiles no polls for it.
class UnpolledCalls {
public:
    static void poll_by(std::uint64_t, const PollingKind&, std::byte*, const LeafChoice&) { } // never called
    static void reset() { }
    static void guard(parley_calls&) { }

    template <class L>
    static Outcome choose(L& location, UserAddress word, long length)
    {
        if (length != 0)
            TRY_VOID(read_polling(location, word, length));
        return std::unexpected(Error::no_such_call);
    }
};

} // namespace parley::messaging
