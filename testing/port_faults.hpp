// SPDX-License-Identifier: MIT
// What is wrong with a Port, found through its interface alone: each function returns "" or a sentence. The
// quick ones come first, and find what they can in one thread.
#pragma once

#include "messaging/message/message.hpp"
#include "messaging/port.hpp"
#include "testing/lone_taker.hpp"
#include "testing/made_port.hpp"
#include "testing/processes.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace parley::testing {

inline messaging::Envelope numbered(std::uint32_t number, std::uint8_t sender = 0)
{
    return messaging::Envelope({}, sender).addressed(number, 0, 0, 0);
}

// Puts what the sender has not put yet; the port may be full.
inline bool put(messaging::Port& port, messaging::Message& message, std::uint32_t number,
                std::uint8_t sender = 0)
{
    return port.put(sender, numbered(number, sender), &message);
}

// Takes all that is there, which should be `count` messages from number `first` on.
inline std::string fault_in_batch(messaging::Port& port, std::vector<messaging::Message>& messages,
                                  std::uint32_t first, std::uint32_t count)
{
    std::vector<const messaging::MessageMemory*> taken, expected;
    bool has_envelopes = true;
    for (messaging::Taken found = port.take(testing::lone_taker, 0); found && taken.size() <= count;
         found = port.take(testing::lone_taker, 0)) {
        const auto number = static_cast<std::uint32_t>(first + taken.size());
        has_envelopes = has_envelopes && found.envelope().type() == number;
        taken.push_back(found.memory());
    }
    for (std::uint32_t number = first; number < first + count; ++number)
        expected.push_back(&messages[number % messages.size()]);
    if (taken.size() < count)
        return "it loses a message: not all that were put can be taken";
    if (taken.size() > count)
        return "it gives out a message twice, or one that nobody has put";
    if (taken != expected)
        return "it gives messages out in another order than they were put";
    return has_envelopes ? "" : "it gives a message out with the envelope of another";
}

// One sender and one taker in turn, with 0 to 7 messages in the port.
inline std::string fault_in_order(const PortLeaf& leaf)
{
    MadePort made(leaf);
    messaging::Port* const port = &*made;
    std::vector<messaging::Message> messages(8);
    std::uint32_t put_last = 0, taken_last = 0;
    for (std::uint32_t round = 0; round < 4000; ++round) {
        for (std::uint32_t more = round % 8; more > 0; --more)
            if (!put(*port, messages[put_last % 8], put_last))
                return "it refuses a message although it is nearly empty";
            else
                ++put_last;
        const std::string fault = fault_in_batch(*port, messages, taken_last, put_last - taken_last);
        if (!fault.empty())
            return fault;
        taken_last = put_last;
    }
    return "";
}

// Ports without a limit are taken as full here.
constexpr std::uint32_t enough_to_fill = 1000;

// Full, emptied, full again, through every wrap-around.
inline std::string fault_when_full(const PortLeaf& leaf)
{
    MadePort made(leaf);
    messaging::Port* const port = &*made;
    std::vector<messaging::Message> messages(enough_to_fill);
    for (unsigned round = 0; round < 5; ++round) {
        std::uint32_t inside = 0;
        while (inside < enough_to_fill && put(*port, messages[inside], inside))
            ++inside;
        if (inside == 0)
            return "it refuses messages although it has been emptied";
        if (inside < enough_to_fill && messages[inside].type() != inside)
            return "full, it does not write its envelope on the message that it refuses";
        if (const std::string fault = fault_in_batch(*port, messages, 0, inside); !fault.empty())
            return fault;
    }
    return "";
}

// One look that lasts until the message comes: more turns than the test could take.
inline std::string fault_in_looking(const PortLeaf& leaf)
{
    MadePort made(leaf);
    messaging::Port* const port = &*made;
    std::vector<messaging::Message> messages(1);
    for (std::uint32_t round = 0; round < 60; ++round) {
        for (unsigned before = 0; before < 10; ++before) // so that every entry is used more than once
            if (!put(*port, messages[0], round) || !port->take(testing::lone_taker, 0))
                return "it loses a message, or refuses one although it is empty";
        if (port->take(testing::lone_taker, 3))
            return "it gives out a message that nobody has put";
        std::jthread sender([&] { (void)put(*port, messages[0], round); });
        const messaging::Taken found = port->take(testing::lone_taker, ~0u);
        sender.join();
        if (!found)
            return "its take() does not see what comes while it looks";
        if (found.memory() != &messages[0] || found.envelope().type() != round)
            return "its take() finds another message than was put";
    }
    return "";
}

// When no message has come for so long, although the host let all parties run, none will.
inline constexpr std::chrono::seconds port_limit{10};

// Which of one sender's messages have come: each once, and in their order if that is promised.
class Arrivals {
public:
    Arrivals(std::uint32_t messages, bool in_order) : has_come_(messages), in_order_(in_order) { }

    // False: this one should not have come now.
    bool take(std::uint32_t number)
    {
        if (number >= has_come_.size() || has_come_[number] || (in_order_ && number != count_))
            return false;
        has_come_[number] = true;
        ++count_;
        return true;
    }
    bool are_all() const { return count_ == has_come_.size(); }

private:
    std::vector<bool> has_come_;
    std::uint32_t count_ = 0;
    const bool in_order_;
};

// Three senders at once and a taker. Each message says who sent it and its number there.
inline std::string fault_with_several_senders(const PortLeaf& leaf)
{
    static constexpr unsigned senders = 3;
    static constexpr std::uint32_t messages_each = 4000;
    MadePort made(leaf);
    messaging::Port* const port = &*made;
    std::vector<std::vector<messaging::Message>> messages(senders,
                                                          std::vector<messaging::Message>(messages_each));
    std::string fault;
    std::atomic<unsigned> still_sending{senders};
    const auto send_all = [&](std::uint8_t sender) {
        for (std::uint32_t number = 0; number < messages_each; ++number)
            while (!put(*port, messages[sender][number], number, sender) && !must_end())
                std::this_thread::yield();
        --still_sending;
    };
    const auto take_all = [&] {
        std::vector<Arrivals> arrivals(senders, Arrivals(messages_each, leaf.keeps_order));
        while (fault.empty() && !must_end()) {
            const bool last_look = still_sending == 0;
            const messaging::Taken found = port->take(testing::lone_taker, 0);
            if (!found && last_look)
                break;
            if (!found) {
                std::this_thread::yield();
                continue;
            }
            get_on();
            const messaging::Envelope envelope = found.envelope();
            if (envelope.source() >= senders)
                fault = "it damages an envelope while several send at once";
            else if (!arrivals[envelope.source()].take(envelope.type()))
                fault = "it loses, doubles or reorders one sender's messages while several send at once";
            else if (found.memory() != &messages[envelope.source()][envelope.type()])
                fault = "it gives a message out with the envelope of another while several send at once";
        }
        while (still_sending != 0 && !must_end()) // what is left need not be right
            (void)port->take(testing::lone_taker, 0);
        for (const Arrivals& of_one : arrivals)
            if (fault.empty() && !must_end() && !of_one.are_all())
                fault = "it loses a message while several send at once";
    };
    if (!all_end(senders + 1, port_limit, [&](unsigned party) {
            party == senders ? take_all() : send_all(static_cast<std::uint8_t>(party));
        }))
        return fault.empty() ? "it refuses messages for ever while it is being emptied" : fault;
    return fault;
}

// Bytes that say their message's number, and perhaps an error afterwards.
class NumberedBytes final : public messaging::Source {
public:
    NumberedBytes(std::uint32_t number, std::uint32_t length, bool fails = false)
        : number_(number), length_(length), fails_(fails)
    {
    }
    Result<void> fill(std::byte* room) const override
    {
        for (std::uint32_t index = 0; index < length_; ++index)
            room[index] = byte(number_, index);
        return fails_ ? Result<void>(std::unexpected(Error::bad_buffer)) : Result<void>();
    }
    static std::byte byte(std::uint32_t number, std::uint32_t index)
    {
        return static_cast<std::byte>(number + 7 * index);
    }

private:
    const std::uint32_t number_, length_;
    const bool fails_;
};

inline bool are_bytes(const std::byte* bytes, std::uint32_t number, std::uint32_t length)
{
    for (std::uint32_t index = 0; index < length; ++index)
        if (bytes[index] != NumberedBytes::byte(number, index))
            return false;
    return true;
}

// Tries a port with room: messages of every length that it carries, some of which it holds for their taker;
// those whose bytes cannot be brought; and nothing but such ones.
inline std::string fault_with_room(const PortLeaf& leaf)
{
    MadePort made(leaf);
    messaging::Port* const port = &*made;
    const std::uint32_t room = port->room();
    if (room == 0)
        return "";
    std::uint32_t number = 0;
    const auto envelope_of = [](std::uint32_t number, std::uint32_t length) {
        return messaging::Envelope({}, 0).addressed(number, length, 0, 0);
    };
    for (std::uint32_t length = 0; length <= room; ++length, ++number) {
        const messaging::Envelope envelope = envelope_of(number, length);
        const auto put_bytes = [&](bool fails) {
            return leaf.put_bytes(*port, 1, envelope, NumberedBytes(number, length, fails), length);
        };
        if (put_bytes(true) != messaging::Put::unreadable)
            return "it does not say that a message's bytes cannot be brought";
        const bool is_in =
            length == 0 ? port->put(1, envelope, nullptr) : put_bytes(false) == messaging::Put::in;
        const messaging::Taken taken = port->take(testing::lone_taker, 0);
        if (!is_in || !taken)
            return "it refuses or loses a message that it has room for";
        if (taken.envelope().type() != number || taken.memory() != nullptr)
            return "it gives out a message whose bytes could not be brought";
        if (!are_bytes(taken.bytes(), number, length))
            return "it damages the bytes that it carries";
        if (number % 2 == 0) {
            port->release(taken);
            continue;
        }
        messaging::Message* const held = port->hold(testing::lone_taker, taken);
        if (held->type() != number || !are_bytes(held->data, number, length))
            return "it damages a message that it holds";
        port->release({*held, held});
    }
    // A few bytes may stand for those of a longer message.
    if (port->put_bytes(1, envelope_of(number, 1 << 20), NumberedBytes(number, 8)) != messaging::Put::in)
        return "it refuses bytes that stand for more";
    messaging::Message* const held = port->hold(testing::lone_taker, port->take(testing::lone_taker, 0));
    if (held->length() != 1 << 20 || !are_bytes(held->data, number, 8))
        return "it damages bytes that stand for more";
    port->release({*held, held});
    for (unsigned round = 0; round < 3; ++round)
        for (std::uint32_t voids = 0; voids < enough_to_fill; ++voids)
            if (leaf.put_bytes(*port, 1, envelope_of(0, 8), NumberedBytes(0, 8, true), 8) ==
                messaging::Put::full)
                break;
    if (port->take(testing::lone_taker, 0))
        return "it gives out a message whose bytes could not be brought";
    for (const unsigned sender : {2, 1}) {
        if (!port->put(sender, envelope_of(++number, 0), nullptr))
            return "full of what nobody can take, it refuses messages although it has been looked into";
        if (port->take(testing::lone_taker, 0).envelope().type() != number)
            return "it loses a message behind what is void";
    }
    return "";
}

// What is to be seen of a port without the lock.
inline std::string fault_of_sight(const PortLeaf& leaf)
{
    MadePort made(leaf);
    messaging::Port* const port = &*made;
    std::vector<messaging::Message> messages(1);
    for (std::uint32_t round = 0; round < 300; ++round) {
        if (port->sight() == messaging::Sight::message || port->take(lone_taker, 0))
            return "empty, it shows or gives out a message";
        if (port->room() >= 8) {
            const messaging::Envelope envelope = messaging::Envelope({}, 0).addressed(round, 8, 0, 0);
            if (leaf.put_bytes(*port, 1, envelope, NumberedBytes(round, 8, true), 8) == messaging::Put::in)
                return "it takes a message whose bytes cannot be brought";
            if (port->sight() == messaging::Sight::message)
                return "it shows a message whose bytes could not be brought";
            if (leaf.put_bytes(*port, 1, envelope, NumberedBytes(round, 8), 8) != messaging::Put::in)
                return "it refuses a message that it has room for";
            if (port->sight() == messaging::Sight::nothing)
                return "it does not show a message that it carries";
            const messaging::Taken taken = port->take(lone_taker, 0);
            if (!taken || taken.envelope().type() != round || !are_bytes(taken.bytes(), round, 8))
                return "it damages or loses a message that it has shown";
            port->release(taken);
        }
        if (!put(*port, messages[0], round))
            return "it refuses a message although it is empty";
        if (port->sight() == messaging::Sight::nothing)
            return "it does not show a message that has memory";
        if (const messaging::Taken taken = port->take(lone_taker, 0); taken.memory() != &messages[0])
            return "what it gives out is another message than it has shown";
    }
    return "";
}

// What the owner sees by the word of a port that has one: nothing, until something has been put, made void or
// taken by another, and from then on that it is to look.
inline std::string fault_of_watched(const PortLeaf& leaf)
{
    MadePort made(leaf);
    messaging::Port* const port = &*made;
    std::vector<messaging::Message> messages(2);
    for (std::uint32_t round = 0; round < 3000; ++round) {
        if (port->take(lone_taker, 0))
            return "empty, it gives out a message";
        const messaging::Port::Watched watched = port->watched(lone_taker);
        if (watched.something == 0)
            return "";
        if (!watched.has_nothing())
            return "its word says that something has come, and nothing has";
        if (round % 2 != 0 && port->room() >= 8) {
            const messaging::Envelope envelope = messaging::Envelope({}, 0).addressed(round, 8, 0, 0);
            const auto put_bytes = [&](bool fails) {
                (void)leaf.put_bytes(*port, 0, envelope, NumberedBytes(round, 8, fails), 8);
            };
            put_bytes(round % 4 == 1);
            if (!leaf.fills_in_place) // then a message that cannot be brought may not have come to the port
                put_bytes(false);
        } else if (!put(*port, messages[0], round)) {
            return "it refuses a message although it is empty";
        }
        if (watched.has_nothing() || port->watched(lone_taker).has_nothing())
            return "its word says that nothing has come, and something has";
        for (messaging::Taken taken = port->take(lone_taker, 0); taken; taken = port->take(lone_taker, 0))
            if (taken.memory() == nullptr)
                port->release(taken);
        if (watched.has_nothing())
            return "another has taken what had come, and its word says as before that nothing has";
    }
    // A sender that was refused may keep its place, and what lies behind that is to be found all the same.
    std::vector<messaging::Message> filling(enough_to_fill);
    std::uint32_t inside = 0;
    while (inside < enough_to_fill && put(*port, filling[inside], inside, 1))
        ++inside;
    if (inside == enough_to_fill)
        return "";
    for (; inside > 0; --inside) // and no look further
        (void)port->take(lone_taker, 0);
    const messaging::Port::Watched before = port->watched(lone_taker);
    if (!put(*port, messages[1], 0, 2))
        return "it refuses a message although it is empty";
    return before.has_nothing() || port->watched(lone_taker).has_nothing()
               ? "its word says that nothing has come, and a message lies behind the place of one that was "
                 "refused"
               : "";
}

inline std::string fault_of_port(const PortLeaf& leaf)
{
    for (const auto fault_in : {fault_in_order, fault_when_full, fault_in_looking, fault_with_room,
                                fault_of_sight, fault_of_watched, fault_with_several_senders})
        for (const PortLeaf& way : leaf.ways())
            if (const std::string fault = fault_in(way); !fault.empty())
                return fault;
    return "";
}

} // namespace parley::testing
