// SPDX-License-Identifier: MIT
#include "messaging/receive.hpp"
#include "testing/catch.hpp"
#include "testing/fatal.hpp"

using namespace parley;
using namespace parley::messaging;

TEST_CASE("a list of receives takes only those of its state that are in no list")
{
    ReceiveList<ReceiveState::posted> posted;
    ReceiveList<ReceiveState::matched> matched;
    Receive receive;
    CHECK(testing::is_fatal([&] { posted.push_back(receive); })); // it is idle
    receive.state.move(ReceiveState::posted, std::memory_order_relaxed);
    CHECK(testing::is_fatal([&] { matched.push_back(receive); }));
    posted.push_back(receive);
    CHECK(testing::is_fatal([&] { posted.push_back(receive); }));
    CHECK_FALSE(testing::is_fatal([&] {
        posted.remove(receive);
        receive.state.move(ReceiveState::matched, std::memory_order_relaxed);
        matched.push_back(receive);
    }));
}
