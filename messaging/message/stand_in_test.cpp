// SPDX-License-Identifier: MIT
#include "messaging/message/stand_in.hpp"
#include "testing/catch.hpp"
#include "testing/fatal.hpp"

using namespace parley;
using namespace parley::messaging;

namespace {

const Envelope first = Envelope({1, 0}, 2).addressed(7, 5, 0, Envelope::home_bits(3));

} // namespace

TEST_CASE("a message that stands for another has its envelope, no memory, and what the port had of it")
{
    StandIn stand_in;
    const Message& whole = stand_in.for_bytes(first);
    CHECK((whole.contents() == first.contents() && whole.sender() == first.sender()));
    CHECK(whole.data_is_inside());
    CHECK_FALSE((whole.is_own() || whole.is_held() || whole.is_filling()));
    std::byte bytes[8];
    CHECK(stand_in.for_reference(first, bytes).data == bytes);
    stand_in.let_go();
    CHECK(whole.data_is_inside());
}

TEST_CASE("it has the slot of the memory that goes back to its sender once nobody will receive it")
{
    StandIn stand_in;
    const Message& message = stand_in.for_bytes(first);
    CHECK(message.slot() == 0);
    stand_in.note_home();
    CHECK(message.slot() == 3);
}

TEST_CASE("what a reference led to is let go before it stands for a message whose bytes lie in a port")
{
    StandIn stand_in;
    std::byte bytes[8];
    stand_in.for_reference(first, bytes);
    CHECK(testing::tripped_by([&] { stand_in.for_bytes(first); }) ==
          "messaging/message/stand_in.hpp: message_.data == message_.space");
    stand_in.let_go();
    CHECK_FALSE(testing::is_fatal([&] { stand_in.for_bytes(first); }));
}
