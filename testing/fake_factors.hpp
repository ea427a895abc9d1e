// SPDX-License-Identifier: MIT
// Fakes of the factors that a message system's parts call through: each does the least that its contract
// says, notes what it is asked, and fails where a test says so.
#pragma once

#include "messaging/interaction.hpp"
#include "messaging/location.hpp"
#include "messaging/message/message.hpp"
#include "messaging/port.hpp"
#include "messaging/protocol.hpp"
#include "messaging/transfer.hpp"
#include "testing/catch.hpp"

#include "platform.hpp"

#include <cstring>
#include <deque>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <vector>

namespace parley::testing {

// Notes words, and answers all that it has noted since it was asked last.
class Notebook {
public:
    void note(const std::string& word) { all_ += (all_.empty() ? "" : ", ") + word; }
    std::string read() { return std::exchange(all_, {}); }

private:
    std::string all_;
};

// A list of entries. It has room for bytes where a test says so.
class FakePort final : public messaging::Port {
public:
    struct Entry {
        messaging::Envelope envelope;
        alignas(8) std::byte bytes[messaging::Message::short_bytes];
        messaging::MessageMemory* memory;
        unsigned caller;
    };
    static_assert(offsetof(Entry, bytes) == sizeof(messaging::Envelope), "where Taken looks for them");

    std::uint32_t bytes_in_entry = 0;
    std::size_t capacity = 100;
    bool admits_without_memory = true;
    std::function<void()> when_full = [] { }; // what others do when a put is refused
    unsigned released = 0;                    // entries and held memory
    std::vector<unsigned> left{};             // whose callers' processes are no more

    const std::list<Entry>& entries() const { return entries_; }

    std::uint32_t room() const override { return bytes_in_entry; }
    bool put(unsigned caller, messaging::Envelope envelope, messaging::MessageMemory* memory) override
    {
        if (memory != nullptr)
            memory->open(envelope);
        if (entries_.size() == capacity || (memory == nullptr && !admits_without_memory)) {
            when_full();
            return false;
        }
        entries_.push_back({envelope, {}, memory, caller});
        return true;
    }
    Result<bool> put_bytes(unsigned caller, messaging::Envelope envelope,
                           const messaging::Source& source) override
    {
        if (entries_.size() == capacity || !admits_without_memory)
            return false;
        Entry entry{envelope, {}, nullptr, caller};
        TRY_VOID(source.fill(entry.bytes));
        entries_.push_back(entry);
        return true;
    }
    messaging::Taken take(unsigned) override
    {
        if (entries_.empty())
            return {};
        taken_.clear();
        taken_.splice(taken_.begin(), entries_, entries_.begin());
        return {taken_.front().envelope, taken_.front().memory};
    }
    messaging::Message* hold(const messaging::Taken& taken) override
    {
        messaging::Message& message = held_.emplace_back();
        message.open(taken.envelope());
        message.set_held();
        message.set_place(static_cast<std::uint8_t>(taken.envelope().home()));
        std::memcpy(message.space, taken.bytes(), taken.envelope().length());
        message.data = message.space;
        return &message;
    }
    void release(const messaging::Taken&) override { ++released; }
    bool leave(unsigned caller) override
    {
        left.push_back(caller);
        return false;
    }

private:
    std::list<Entry> entries_;
    std::list<Entry> taken_; // the last that was taken
    std::deque<messaging::Message> held_;
};

// Copies bytes at once; its answers are what a test says.
class FakeTransfer final : public messaging::Transfer {
public:
    messaging::Custody custody = messaging::Custody::taken;
    std::function<std::optional<Error>()> offer_error = [] { return std::nullopt; };
    std::function<std::optional<Error>()> accept_error = [] { return std::nullopt; };
    std::optional<Error> check_error;
    messaging::Protocol* protocol = nullptr; // of the messages that it lets follow one
    messaging::Offer last_offer{};
    bool dropped_inside = false; // the bytes of the message that it dropped last lay in the message

    std::string asked() { return notes_.read(); }

    void bind(messaging::Binding&) const override { }
    Result<void> check(const messaging::ReceiveArguments&, messaging::Want want) const override
    {
        notes_.note(want == messaging::Want::block ? "check block" : "check");
        if (check_error)
            return std::unexpected(*check_error);
        return {};
    }
    Result<messaging::Custody> offer(messaging::Message& message, const messaging::Offer& offer) override
    {
        return take("offer", message, offer);
    }
    Result<messaging::Custody> repeat(messaging::Message& message, const messaging::Offer& offer) override
    {
        return take("repeat", message, offer);
    }
    void relay(messaging::Message&) override { notes_.note("relay"); }
    Result<UserAddress> accept(messaging::Message& message, unsigned receiver, UserAddress buffer) override
    {
        notes_.note("accept by " + std::to_string(receiver));
        if (const std::optional<Error> error = accept_error())
            return std::unexpected(*error);
        std::memcpy(reinterpret_cast<void*>(buffer.value), message.data, message.length());
        return buffer;
    }
    void drop(messaging::Message& message) override
    {
        notes_.note("drop");
        dropped_inside = message.data_is_inside();
    }

private:
    Result<messaging::Custody> take(const char* how, messaging::Message& message,
                                    const messaging::Offer& offer)
    {
        notes_.note(how);
        last_offer = offer;
        if (const std::optional<Error> error = offer_error())
            return std::unexpected(*error);
        if (custody == messaging::Custody::followed)
            message.follow(*protocol);
        message.data = message.space;
        const std::size_t inside = std::min<std::size_t>(message.length(), sizeof message.space);
        std::memcpy(message.space, reinterpret_cast<const void*>(offer.buffer.value), inside);
        return custody == messaging::Custody::lent && !offer.may_lend ? messaging::Custody::taken : custody;
    }

    mutable Notebook notes_;
};

// Thrown by a fake in the middle of a call: the process that made the call ended there.
struct Cut { };

// Every message is whole, unless a test says otherwise.
class FakeProtocol final : public messaging::Protocol {
public:
    Step answer = Step::whole;
    bool sender_completes = false; // what refused() answers
    std::optional<Error> bring_error;
    bool is_cut = false;                   // the process that sends ends in bring()
    messaging::Message* message = nullptr; // the last that it was asked about
    messaging::Receive* receive = nullptr; // the last that a message has met
    messaging::WaitDetails details{};      // those of bring()

    std::string asked() { return notes_.read(); }

    Step matched(messaging::Message& which, messaging::Receive& met) override
    {
        note("matched", which);
        receive = &met;
        return answer;
    }
    void queued(messaging::Message& which) override { note("queued", which); }
    void withdrawn(messaging::Message& which) override { note("withdrawn", which); }
    void abandoned(messaging::Message& which) override { note("abandoned", which); }
    bool refused(messaging::Message& which) override
    {
        note("refused", which);
        return sender_completes;
    }
    Result<void> bring(messaging::Message& which, const messaging::Offer&,
                       const messaging::WaitDetails& waited_for) override
    {
        note("bring", which);
        details = waited_for;
        if (is_cut)
            throw Cut{};
        if (bring_error)
            return std::unexpected(*bring_error);
        return {};
    }
    void abandoned_by_sender(messaging::Message& which, unsigned) override { note("left", which); }

private:
    void note(const char* what, messaging::Message& which)
    {
        notes_.note(what);
        message = &which;
    }

    Notebook notes_;
};

// csend waits for its deliveries, or does not; either step may fail.
class FakeInteraction final : public messaging::Interaction {
public:
    bool awaits = false;
    std::optional<Error> before_error, after_error;

    void bind(messaging::Binding&) const override { }
    Result<void> before_put(messaging::Csend& csend) override
    {
        if (before_error)
            return std::unexpected(*before_error);
        return awaits ? csend.count_deliveries() : Result<void>();
    }
    Result<void> after_put(messaging::Csend& csend) override
    {
        if (after_error)
            return std::unexpected(*after_error);
        return awaits ? csend.await_deliveries() : Result<void>();
    }
};

// Addresses of programs are the host's; a copy is the platform's, and fails where a test says so.
class FakeLocation final : public messaging::Location {
public:
    bool fails = false;

    Result<void> copy_in(std::byte* to, UserAddress from, std::size_t bytes) override
    {
        return copy(to, reinterpret_cast<const std::byte*>(from.value), bytes);
    }
    Result<void> copy_out(UserAddress to, const std::byte* from, std::size_t bytes) override
    {
        return copy(reinterpret_cast<std::byte*>(to.value), from, bytes);
    }
    Result<void> copy_across(UserAddress to, UserAddress from, std::size_t bytes) override
    {
        return copy_out(to, reinterpret_cast<const std::byte*>(from.value), bytes);
    }
    Result<void> copy_to(unsigned, UserAddress to, UserAddress from, std::size_t bytes) override
    {
        return copy_across(to, from, bytes);
    }
    const messaging::SharedRange& shared() const override { return shared_; }
    bool checks_addresses() const override { return true; }

private:
    Result<void> copy(std::byte* to, const std::byte* from, std::size_t bytes) const
    {
        if (fails)
            return std::unexpected(Error::bad_buffer);
        platform::copy(to, from, bytes);
        return {};
    }

    messaging::SharedRange shared_;
};

} // namespace parley::testing
