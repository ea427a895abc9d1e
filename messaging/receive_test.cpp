// SPDX-License-Identifier: MIT
#include "messaging/message/message.hpp"
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
    CHECK(testing::is_fatal([&] { posted.remove_after(nullptr, receive); })); // it is not there yet
    posted.push_back(receive);
    CHECK(testing::is_fatal([&] { posted.push_back(receive); }));
    Message message;
    CHECK_FALSE(testing::is_fatal([&] {
        posted.remove(receive);
        receive.state.move(ReceiveState::matched, std::memory_order_relaxed);
        receive.message = &message;
        matched.push_back(receive);
    }));
}

TEST_CASE("a receive has its message exactly when it is posted no longer")
{
    ReceiveList<ReceiveState::posted> posted;
    ReceiveList<ReceiveState::matched> matched;
    Message message;
    Receive receive;
    receive.state.move(ReceiveState::posted, std::memory_order_relaxed);
    receive.message = &message;
    CHECK(testing::is_fatal([&] { posted.push_back(receive); }));
    receive.message = nullptr;
    receive.state.move(ReceiveState::matched, std::memory_order_relaxed);
    CHECK(testing::is_fatal([&] { matched.push_back(receive); }));
}
