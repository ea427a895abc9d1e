// SPDX-License-Identifier: MIT
#include "messaging/port/carrying/reserve.hpp"
#include "testing/catch.hpp"
#include "testing/fatal.hpp"

#include <vector>

using namespace parley;
using namespace parley::messaging;

TEST_CASE("a reserve gives each of its messages once, and none when there is none")
{
    Reserve reserve;
    std::vector<Message*> taken;
    while (reserve.spare() != 0) {
        taken.push_back(&reserve.take());
        CHECK(taken.back()->is_held());
        for (std::size_t before = 0; before + 1 < taken.size(); ++before)
            CHECK(taken[before] != taken.back());
    }
    CHECK(taken.size() == Reserve::places);
    CHECK(testing::is_fatal([&] { reserve.take(); }));
    reserve.give_back(*taken[5]);
    CHECK(reserve.spare() == 1);
    CHECK(&reserve.take() == taken[5]);
}
