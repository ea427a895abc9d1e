// SPDX-License-Identifier: MIT
// What every Port leaf does, with real threads.
#include "messaging/message.hpp"
#include "tools/testing/catch.hpp"

#include "messaging/leaves.hpp"

#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

using namespace parley::messaging;

namespace {

template <class P>
bool send(P& port, Message& message)
{
    std::uint64_t place = 0;
    if (!port.claim(place))
        return false;
    port.publish(place, message, message);
    return true;
}

// Null as well when the message and its envelope have come apart.
template <class P>
Message* take(P& port)
{
    const Found found = port.take(0);
    if (!found)
        return nullptr;
    Message& message = port.taken();
    const Envelope envelope = found.envelope();
    const bool together = envelope.source() == message.source() && envelope.type() == message.type();
    return together ? &message : nullptr;
}

template <class P>
void takes_in_the_order_of_claims()
{
    const auto port = std::make_unique<P>();
    std::vector<Message> messages(P::capacity);
    for (std::uint32_t number = 0; number < P::capacity; ++number)
        messages[number].write(Envelope().addressed(number, 0, 0, 0));
    for (unsigned round = 0; round < 5; ++round) { // round and round, through the wrap-around
        for (Message& message : messages)
            REQUIRE(send(*port, message));
        std::uint64_t place = 0;
        CHECK_FALSE(port->claim(place));
        CHECK_FALSE(port->claim(place));
        for (Message& message : messages)
            REQUIRE(take(*port) == &message);
        CHECK(take(*port) == nullptr);
    }
}

template <class P>
void waits_for_a_claimed_place()
{
    const auto port = std::make_unique<P>();
    Message early, late;
    std::uint64_t first = 0, second = 0;
    REQUIRE(port->claim(first));
    REQUIRE(port->claim(second));
    port->publish(second, late, late);
    CHECK(take(*port) == nullptr);
    port->publish(first, early, early);
    CHECK(take(*port) == &early);
    CHECK(take(*port) == &late);
}

// One look that lasts until the message comes: more turns than the test could take.
template <class P>
void sees_what_comes_while_it_looks()
{
    const auto port = std::make_unique<P>();
    Message message;
    message.write(Envelope().addressed(7, 0, 0, 0));
    for (unsigned round = 0; round < 2 * P::capacity + 1; ++round) { // also where an entry was used before
        CHECK(port->take(0).error() == parley::Error::not_found);
        CHECK(port->take(3).error() == parley::Error::not_found);
        std::jthread sender([&] { (void)send(*port, message); });
        const Found found = port->take(~0u);
        REQUIRE(found);
        REQUIRE(found.envelope().type() == 7);
        REQUIRE(&port->taken() == &message);
    }
}

template <class P>
void lets_senders_in_again()
{
    const auto port = std::make_unique<P>();
    std::vector<Message> messages(P::capacity + 1);
    for (Message& message : std::span(messages).first(P::capacity))
        REQUIRE(send(*port, message));
    REQUIRE_FALSE(send(*port, messages.back()));
    for (Message& message : std::span(messages).first(P::capacity))
        REQUIRE(take(*port) == &message);
    CHECK_FALSE(port->take(3));
    CHECK(send(*port, messages.back()));
}

constexpr std::uint32_t messages_each = 4000;

template <class P>
void send_numbered(P& port, std::vector<Message>& own, std::uint8_t sender)
{
    for (std::uint32_t number = 0; number < messages_each; ++number) {
        own[number].write(Envelope({}, sender).addressed(number, 0, 0, 0));
        while (!send(port, own[number]))
            std::this_thread::yield();
    }
}

template <class P>
void keeps_senders_apart()
{
    constexpr unsigned senders = 3;
    const auto port = std::make_unique<P>();
    std::vector<std::vector<Message>> messages(senders, std::vector<Message>(messages_each));
    std::vector<std::jthread> threads;
    for (std::uint8_t sender = 0; sender < senders; ++sender)
        threads.emplace_back([&, sender] { send_numbered(*port, messages[sender], sender); });
    std::uint32_t next[senders] = {};
    bool in_order = true;
    for (std::uint32_t taken = 0; taken < senders * messages_each;) {
        Message* const message = take(*port);
        if (message == nullptr) {
            std::this_thread::yield();
            continue;
        }
        ++taken;
        in_order = in_order && message->type() == next[message->source()]++;
    }
    CHECK(in_order);
    CHECK(take(*port) == nullptr);
}

} // namespace

TEST_CASE("every port gives messages out in the order of claims and refuses when it is full")
{
    PortLeaves::for_each([]<class P>() {
        INFO(std::string(P::name));
        takes_in_the_order_of_claims<P>();
    });
}

TEST_CASE("every port waits for a place that is claimed and not yet published")
{
    PortLeaves::for_each([]<class P>() {
        INFO(std::string(P::name));
        waits_for_a_claimed_place<P>();
    });
}

TEST_CASE("every port sees a message that comes while it is looked at")
{
    PortLeaves::for_each([]<class P>() {
        INFO(std::string(P::name));
        sees_what_comes_while_it_looks<P>();
    });
}

TEST_CASE("every port that was full lets senders in again once it is empty")
{
    PortLeaves::for_each([]<class P>() {
        INFO(std::string(P::name));
        lets_senders_in_again<P>();
    });
}

TEST_CASE("every port keeps each sender's order while several send at once")
{
    PortLeaves::for_each([]<class P>() {
        INFO(std::string(P::name));
        keeps_senders_apart<P>();
    });
}
