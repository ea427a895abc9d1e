// SPDX-License-Identifier: MIT
// What a CarryingPort has alone: how its messages without memory lie in its entries, and its reserve.
#include "messaging/port/carrying/carrying.hpp"
#include "messaging/sources.hpp"
#include "testing/catch.hpp"
#include "testing/lone_taker.hpp"

#include <cstring>
#include <memory>
#include <vector>

using namespace parley;
using namespace parley::messaging;

namespace {

struct Box {
    CarryingPort port;

    // A message whose bytes say its type.
    bool send(std::uint32_t type, std::uint32_t length)
    {
        const Envelope envelope = Envelope({0, 0}, 3).addressed(type, length, 0, 0);
        if (length == 0)
            return port.put(3, envelope, nullptr);
        std::byte bytes[sizeof(Message::space)];
        std::memset(bytes, static_cast<int>(type), length);
        const SystemBytes source(bytes, length);
        return port.put_at_once(3, envelope, source) == Put::in ||
               port.put_bytes(3, envelope, source) == Put::in;
    }
    Message* hold()
    {
        Taken taken = port.take_at_once(testing::lone_taker, false);
        if (!taken)
            taken = port.take(testing::lone_taker, 0);
        return taken ? port.hold(testing::lone_taker, taken) : nullptr;
    }
};

bool is_whole(const Envelope& envelope, const std::byte* bytes, std::uint32_t type, std::uint32_t length)
{
    bool right = envelope.type() == type && envelope.length() == length && envelope.source() == 3;
    for (std::uint32_t index = 0; index < length; ++index)
        right = right && bytes[index] == static_cast<std::byte>(type);
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

TEST_CASE("messages with memory and without stay in the order in which they were put")
{
    const auto box = std::make_unique<Box>();
    Message own{};
    for (std::uint32_t round = 0; round < 200; ++round) {
        REQUIRE(box->send(1, 8));
        REQUIRE(box->port.put(3, Envelope({0, 0}, 3).addressed(2, 0, 0, 0), &own));
        REQUIRE(box->send(3, 0));
        CHECK(box->port.take(testing::lone_taker, 0).memory() == nullptr);
        const Taken second = box->port.take(testing::lone_taker, 0);
        CHECK(second.envelope().type() == 2);
        CHECK(second.memory() == &own);
        CHECK(box->port.take(testing::lone_taker, 0).envelope().type() == 3);
    }
}

TEST_CASE("messages that are held for later are whole, whatever comes into the port meanwhile")
{
    const auto box = std::make_unique<Box>();
    std::vector<const Message*> held;
    REQUIRE(box->hold() == nullptr); // nothing has come
    // The messages fill one to four lines.
    const std::uint32_t room = box->port.room();
    const auto length_of = [&](std::uint32_t type) { return 1 + type * (room - 1) / 59; };
    for (std::uint32_t type = 0; type < 60; ++type) {
        REQUIRE(box->send(type, length_of(type)));
        held.push_back(box->hold());
        REQUIRE(held.back() != nullptr);
        REQUIRE(held.back()->is_held());
    }
    for (std::uint32_t other = 0; other < 500; ++other) {
        REQUIRE(box->send(200, room));
        REQUIRE(box->port.take(testing::lone_taker, 0));
    }
    for (std::uint32_t type = 0; type < 60; ++type)
        CHECK(is_whole(*held[type], held[type]->data, type, length_of(type)));
}

TEST_CASE("what is held remembers the slot that stands for it, and not on its envelope")
{
    const auto box = std::make_unique<Box>();
    REQUIRE(box->port.put(3, Envelope({0, 0}, 3).addressed(1, 0, 0, Envelope::home_bits(7)), nullptr));
    const Message* const held = box->hold();
    REQUIRE(held != nullptr);
    CHECK(held->slot() == 7);
    CHECK(held->home() == 0);
}

TEST_CASE("only as many messages without memory are under way as could be held")
{
    const auto box = std::make_unique<Box>();
    constexpr std::uint32_t most = CarryingPort::capacity - 1;
    std::vector<Message*> held;
    for (std::uint32_t round = 0; round < 8; ++round) {
        const std::uint32_t inside = fill(*box);
        // The last one taken is counted as if it were still to be held.
        CHECK(inside + held.size() <= most);
        CHECK(inside + held.size() + 1 >= most);
        for (std::uint32_t index = 0; index < inside; ++index)
            if (index < 8)
                held.push_back(box->hold());
            else
                REQUIRE(box->port.take(testing::lone_taker, 0));
    }
    REQUIRE(held.size() >= 63);
    CHECK_FALSE(box->send(1, 0));
    CHECK_FALSE(box->send(1, 8));
    Message own{};
    CHECK(box->port.put(3, Envelope({0, 0}, 3).addressed(1, 0, 0, 0), &own)); // with its own memory
    REQUIRE(box->port.take(testing::lone_taker, 0));
    for (Message* const message : held)
        box->port.release({*message, message});
    CHECK(fill(*box) == most);
}
