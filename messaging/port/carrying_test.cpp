// SPDX-License-Identifier: MIT
// What a CarryingPort has alone: messages of which nothing is but what lies in the port.
#include "messaging/port/carrying.hpp"
#include "testing/catch.hpp"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

using namespace parley;
using namespace parley::messaging;

namespace {

struct Box {
    CarryingPort port;
    Message scratch{}; // the sender's only one

    // A message whose bytes say its type.
    bool send(std::uint32_t type, std::uint32_t length)
    {
        const Envelope envelope = Envelope({0, 0}, 3).addressed(type, length, 0, 0);
        if (length == 0)
            return port.put_copy(nullptr, envelope);
        Message& message = scratch.open(envelope);
        message.data = message.space;
        std::memset(message.space, static_cast<int>(type), length);
        const bool sent = port.put_copy(&message, envelope);
        std::memset(message.space, 0xff, length); // it is the sender's again
        return sent;
    }
    bool take() { return port.take(0) && port.carried() != nullptr && port.carried()->is_alone(); }
    Message* keep() { return take() ? &port.keep() : nullptr; }
};

bool is_whole(const Message& message, std::uint32_t type, std::uint32_t length)
{
    bool right = message.type() == type && message.length() == length && message.source() == 3;
    for (std::uint32_t index = 0; index < length; ++index)
        right = right && message.data[index] == static_cast<std::byte>(type);
    return right;
}

std::uint32_t fill(Box& box)
{
    std::uint32_t inside = 0;
    while (inside < 1000 && box.send(inside, 0))
        ++inside;
    return inside;
}

} // namespace

TEST_CASE("a copy in a port is all that there is of its message")
{
    const auto box = std::make_unique<Box>();
    for (const std::uint32_t length : {0U, 1U, 8U, 32U, 33U, 96U, 97U, 100U}) {
        REQUIRE(box->send(7, length));
        REQUIRE(box->take());
        Message copy{};
        box->port.carried()->unload(copy);
        CHECK(is_whole(copy, 7, length));
    }
}

TEST_CASE("copies and messages with memory of their own stay in the order in which they were put")
{
    const auto box = std::make_unique<Box>();
    Message own{};
    for (std::uint32_t round = 0; round < 200; ++round) {
        REQUIRE(box->send(1, 8));
        REQUIRE(box->port.put(own, Envelope({0, 0}, 3).addressed(2, 0, 0, 0)) == nullptr);
        REQUIRE(box->send(3, 0));
        CHECK(box->port.take(0).envelope().type() == 1);
        CHECK(box->port.carried()->is_alone());
        CHECK(box->port.take(0).envelope().type() == 2);
        CHECK(&box->port.taken() == &own);
        CHECK(box->port.take(0).envelope().type() == 3);
    }
}

TEST_CASE("copies that are kept for later are whole, whatever comes into the port meanwhile")
{
    const auto box = std::make_unique<Box>();
    std::vector<const Message*> kept;
    for (std::uint32_t type = 0; type < 60; ++type) {
        REQUIRE(box->send(type, 1 + type));
        kept.push_back(box->keep());
        REQUIRE(kept.back() != nullptr);
        REQUIRE(kept.back()->is_ports());
    }
    for (std::uint32_t other = 0; other < 500; ++other) {
        REQUIRE(box->send(200, 100));
        REQUIRE(box->take());
    }
    for (std::uint32_t type = 0; type < 60; ++type)
        CHECK(is_whole(*kept[type], type, 1 + type));
}

TEST_CASE("only as many copies are under way as could be kept")
{
    const auto box = std::make_unique<Box>();
    constexpr std::uint32_t most = CarryingPort::capacity - 1;
    std::vector<const Message*> kept;
    for (std::uint32_t round = 0; round < 8; ++round) {
        const std::uint32_t inside = fill(*box);
        // The last one taken is counted as if it were still to be kept.
        CHECK(inside + kept.size() <= most);
        CHECK(inside + kept.size() + 1 >= most);
        for (std::uint32_t index = 0; index < inside; ++index)
            if (index < 8)
                kept.push_back(box->keep());
            else
                REQUIRE(box->take());
    }
    REQUIRE(kept.size() >= 63);
    CHECK_FALSE(box->send(1, 0));
    Message own{};
    CHECK(box->port.put(own, Envelope({0, 0}, 3).addressed(1, 0, 0, 0)) == nullptr); // with its own memory
    REQUIRE(box->port.take(0));
    for (const Message* const message : kept)
        box->port.give_back(*message);
    CHECK(fill(*box) == most);
}
