// SPDX-License-Identifier: MIT
#include "messaging/message/message_pool.hpp"

#include "testing/catch.hpp"
#include "testing/fatal.hpp"

#include <array>
#include <set>
#include <vector>

using namespace parley;
using namespace parley::messaging;

namespace {

constexpr unsigned slots = (1u << Envelope::slot_bits) - 1; // that numbered 0 is nobody's

// Messages that have all been adopted and are on their way.
struct Busy {
    explicit Busy(unsigned count) : messages(count)
    {
        for (Message& message : messages)
            pool.adopt(message);
    }

    MessagePool pool;
    std::vector<Message> messages;
};

std::set<const MessageMemory*> all_of(MessagePool& pool)
{
    std::set<const MessageMemory*> taken;
    while (const MessageMemory* const message = pool.take())
        CHECK(taken.insert(message).second);
    return taken;
}

} // namespace

TEST_CASE("a pool gives out what has come back, each message once")
{
    Busy busy(3);
    CHECK(busy.pool.take() == nullptr);
    busy.pool.give_back(busy.messages[1].slot());
    CHECK(busy.pool.take() == &busy.messages[1]);
    CHECK(busy.pool.take() == nullptr);
    for (const Message& message : busy.messages)
        busy.pool.give_back(message.slot());
    CHECK(all_of(busy.pool).size() == 3);
}

TEST_CASE("each message of a pool has a slot of its own, until there are no more")
{
    Busy busy(slots);
    std::set<unsigned> used;
    for (const Message& message : busy.messages)
        used.insert(message.slot());
    CHECK(used.size() == slots);
    CHECK(used.count(0) == 0);

    Message one_more;
    CHECK_FALSE(busy.pool.has_room());
    busy.pool.adopt(one_more);
    CHECK(one_more.slot() == 0);
}

TEST_CASE("a full pool says so before a message is made that it could not keep")
{
    Busy busy(slots - 1);
    CHECK(busy.pool.has_room());
    Message last;
    busy.pool.adopt(last);
    CHECK_FALSE(busy.pool.has_room());
    busy.pool.give_back(last.slot());
    CHECK_FALSE(busy.pool.has_room()); // spare, but still the pool's
    REQUIRE(busy.pool.take() == &last);
    busy.pool.keep(last);
    REQUIRE(busy.pool.give_up() == &last);
    CHECK(busy.pool.has_room());
}

TEST_CASE("the next message is known beforehand, with its slot as in an envelope")
{
    Busy busy(2);
    busy.pool.fetch_returned();
    CHECK_FALSE(busy.pool.has_next());
    busy.pool.give_back(busy.messages[0].slot());
    busy.pool.give_back(busy.messages[1].slot());
    busy.pool.fetch_returned();
    REQUIRE(busy.pool.has_next());
    const MessageMemory* const first = &busy.pool.next();
    CHECK(busy.pool.next_home() == Envelope::home_bits(first->slot()));
    busy.pool.advance();
    REQUIRE(busy.pool.has_next());
    CHECK(&busy.pool.next() != first);
    CHECK(busy.pool.next_home() == Envelope::home_bits(busy.pool.next().slot()));
    busy.pool.advance();
    CHECK_FALSE(busy.pool.has_next());
}

TEST_CASE("the owner learns whether a message has come back, until it fetches that")
{
    Busy busy(2);
    const unsigned slot = busy.messages[0].slot();
    CHECK_FALSE(busy.pool.has_returned(slot));
    busy.pool.give_back(slot);
    CHECK(busy.pool.has_returned(slot));
    CHECK_FALSE(busy.pool.has_returned(busy.messages[1].slot()));
    busy.pool.fetch_returned();
    CHECK_FALSE(busy.pool.has_returned(slot));
}

TEST_CASE("a message that was taken and not used is there for the next who takes")
{
    Busy busy(2);
    busy.pool.give_back(busy.messages[0].slot());
    busy.pool.give_back(busy.messages[1].slot());
    MessageMemory* const taken = busy.pool.take();
    REQUIRE(taken != nullptr);
    busy.pool.keep(*taken);
    CHECK(all_of(busy.pool).size() == 2);

    Message from_heap; // without a slot
    busy.pool.keep(from_heap);
    CHECK(busy.pool.take() == &from_heap);
    CHECK(busy.pool.take() == nullptr);
}

TEST_CASE("a buffer that was being filled for a spare message is found, once")
{
    Busy busy(2);
    Message from_heap; // without a slot
    const bool has_place = GENERATE(true, false);
    if (has_place)
        busy.pool.give_back(busy.messages[0].slot());
    else
        busy.pool.keep(from_heap);
    REQUIRE(busy.pool.has_spare());
    CHECK(busy.pool.take_buffer() == nullptr);
    Message& message = busy.pool.open_spare(Envelope());
    std::byte buffer[1];
    message.begin_filling(buffer);
    busy.pool.give_back(busy.messages[1].slot());
    CHECK(busy.pool.take_buffer() == buffer);
    CHECK(busy.pool.take_buffer() == nullptr);
    message.begin_filling(buffer);
    message.end_filling();
    CHECK(busy.pool.take_buffer() == nullptr);
    CHECK(all_of(busy.pool).size() == 2); // with the one that has come back
}

TEST_CASE("a pool that is given up gives all that it kept, and takes new messages in their slots")
{
    Busy busy(slots);
    for (unsigned index = 0; index < 3; ++index)
        busy.pool.give_back(busy.messages[index].slot());
    MessageMemory* const kept = busy.pool.take();
    REQUIRE(kept != nullptr);
    busy.pool.keep(*kept);
    std::set<const MessageMemory*> given;
    while (const MessageMemory* const message = busy.pool.give_up())
        CHECK(given.insert(message).second);
    CHECK(given.size() == 3);

    std::array<Message, 4> others;
    for (Message& message : others)
        busy.pool.adopt(message);
    CHECK((others[0].slot() != 0 && others[1].slot() != 0 && others[2].slot() != 0));
    CHECK(others[3].slot() == 0);
}

TEST_CASE("what comes back to an owner that has ended is freed once; what is on its way keeps its slot")
{
    Busy busy(3);
    busy.pool.give_back(busy.messages[0].slot());
    busy.pool.give_back(busy.messages[2].slot());
    std::set<const MessageMemory*> freed;
    const auto free = [&](const MessageMemory& message) { CHECK(freed.insert(&message).second); };
    busy.pool.empty(free);
    CHECK(freed == std::set<const MessageMemory*>{&busy.messages[0], &busy.messages[2]});
    busy.pool.empty(free);
    CHECK(freed.size() == 2);

    const unsigned under_way = busy.messages[1].slot();
    Message next_owners;
    busy.pool.adopt(next_owners);
    CHECK(next_owners.slot() != under_way);
    busy.pool.give_back(under_way); // to the next owner
    CHECK(busy.pool.take() == &busy.messages[1]);
}

TEST_CASE("a pool keeps each message once, and gives none that it does not have")
{
    Busy busy(2);
    CHECK(testing::tripped_by([&] { (void)busy.pool.next(); }) ==
          "messaging/message/message_pool.hpp: has_next()");
    CHECK(testing::tripped_by([&] { (void)busy.pool.open_next(Envelope()); }) ==
          "messaging/message/message_pool.hpp: has_next()");
    for (Message& message : busy.messages)
        busy.pool.keep(message); // the first is the next one, the second is kept
    for (Message& message : busy.messages)
        CHECK(testing::tripped_by([&] { busy.pool.keep(message); }) ==
              "messaging/message/message_pool.hpp: !has(message)");
    Message from_heap, another; // without slots
    busy.pool.keep(from_heap);
    CHECK(testing::tripped_by([&] { busy.pool.keep(another); }) ==
          "messaging/message/message_pool.hpp: !has(message)");
}

TEST_CASE("a message comes back to its pool once, and only to a slot")
{
    Busy busy(1);
    CHECK(testing::tripped_by([&] { busy.pool.give_back(0); }) ==
          "messaging/message/message_pool.hpp: slot != 0 && (before & bit(slot)) == 0");
    busy.pool.give_back(busy.messages[0].slot());
    CHECK(testing::tripped_by([&] { busy.pool.give_back(busy.messages[0].slot()); }) ==
          "messaging/message/message_pool.hpp: slot != 0 && (before & bit(slot)) == 0");
}
