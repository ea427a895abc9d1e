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
    void note(const std::string& word);
    std::string read();

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
    messaging::Sight shown = messaging::Sight::unknown;
    std::function<void()> when_full = [] { }; // what others do when a put is refused
    unsigned released = 0;                    // entries and held memory
    std::vector<unsigned> left{};             // whose callers' processes are no more

    const std::list<Entry>& entries() const { return entries_; }

    std::uint32_t room() const override { return bytes_in_entry; }
    bool put(unsigned caller, messaging::Envelope envelope, messaging::MessageMemory* memory) override;
    messaging::Put put_bytes(unsigned caller, messaging::Envelope envelope,
                             const messaging::Source& source) override;
    messaging::Taken take(messaging::MailboxHeld held, unsigned looks) override;
    messaging::Sight sight() const override { return shown; }
    messaging::Message* hold(messaging::MailboxHeld held, const messaging::Taken& taken) override;
    void release(const messaging::Taken&) override { ++released; }
    bool leave(unsigned caller) override;

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
    Result<void> check(const messaging::ReceiveArguments& arguments, messaging::Want want) const override;
    Result<messaging::Custody> offer(messaging::Message& message, const messaging::Offer& offer) override;
    Result<messaging::Custody> repeat(messaging::Message& message, const messaging::Offer& offer) override;
    void relay(messaging::Message& message) override;
    Result<UserAddress> accept(messaging::Message& message, unsigned receiver, UserAddress buffer) override;
    void drop(messaging::Message& message) override;

private:
    Result<messaging::Custody> take(const char* how, messaging::Message& message,
                                    const messaging::Offer& offer);

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

    Step matched(messaging::Message& which, messaging::Receive& met) override;
    void queued(messaging::Message& which) override;
    void withdrawn(messaging::Message& which) override;
    void abandoned(messaging::Message& which) override;
    bool refused(messaging::Message& which) override;
    Result<void> bring(messaging::Message& which, const messaging::Offer& offer,
                       const messaging::WaitDetails& waited_for) override;
    void abandoned_by_sender(messaging::Message& which, unsigned sender) override;

private:
    void note(const char* what, messaging::Message& which);

    Notebook notes_;
};

// csend waits for its deliveries, or does not; either step may fail.
class FakeInteraction final : public messaging::Interaction {
public:
    bool awaits = false;
    std::optional<Error> before_error, after_error;

    void bind(messaging::Binding&) const override { }
    Result<void> before_put(messaging::Csend& csend) override;
    Result<void> after_put(messaging::Csend& csend) override;
};

// Addresses of programs are the host's; a copy is the platform's, and fails where a test says so.
class FakeLocation final : public messaging::Location {
public:
    std::function<std::optional<Error>()> copy_error = [] { return std::nullopt; };
    bool is_kernel = true;

    Result<void> copy_in(std::byte* to, UserAddress from, std::size_t bytes) override;
    Result<void> copy_out(UserAddress to, const std::byte* from, std::size_t bytes) override;
    Result<void> copy_across(UserAddress to, UserAddress from, std::size_t bytes) override;
    Result<void> copy_to(unsigned receiver, UserAddress to, UserAddress from, std::size_t bytes) override;
    const messaging::SharedRange& shared() const override { return shared_; }
    bool checks_addresses() const override { return is_kernel; }

private:
    Result<void> copy(std::byte* to, const std::byte* from, std::size_t bytes) const;

    messaging::SharedRange shared_;
};

} // namespace parley::testing
