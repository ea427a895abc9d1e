// SPDX-License-Identifier: MIT
#include "messaging/port/reserve.hpp"
#include "testing/catch.hpp"
#include "testing/fatal.hpp"
#include "testing/lone_taker.hpp"

#include <vector>

using namespace parley;
using namespace parley::messaging;

TEST_CASE("a reserve gives each of its messages once, and none when there is none")
{
    Reserve<SlotsInPort<5>> reserve;
    std::vector<Message*> taken;
    while (reserve.spare() != 0) {
        taken.push_back(&reserve.take(testing::lone_taker));
        CHECK(taken.back()->is_held());
        for (std::size_t before = 0; before + 1 < taken.size(); ++before)
            CHECK(taken[before] != taken.back());
    }
    CHECK(taken.size() == reserve.slots().count());
    CHECK(testing::tripped_by([&] { reserve.take(testing::lone_taker); }) ==
          "messaging/port/reserve.hpp: spare() != 0");
    reserve.give_back(*taken[3]);
    CHECK(reserve.spare() == 1);
    CHECK(&reserve.take(testing::lone_taker) == taken[3]);
}

TEST_CASE("a reserve gets back what it has given, once")
{
    Reserve<SlotsInPort<2>> reserve;
    const Message& message = reserve.take(testing::lone_taker);
    (void)reserve.take(testing::lone_taker);
    reserve.give_back(message);
    CHECK(testing::tripped_by([&] { reserve.give_back(message); }) ==
          "messaging/port/reserve.hpp: (before & mine) != 0");
}
