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
    CHECK(testing::tripped_by([&] { posted.push_back(receive); }) ==
          "messaging/receive.hpp: receive.state.is(state)"); // it is idle
    receive.state.move(ReceiveState::posted, std::memory_order_relaxed);
    CHECK(testing::tripped_by([&] { matched.push_back(receive); }) ==
          "messaging/receive.hpp: receive.state.is(state)");
    CHECK(testing::tripped_by([&] { posted.remove_after(nullptr, receive); }) ==
          "base/checked/links.hpp: next != unlinked<T>()"); // it is not there yet
    posted.push_back(receive);
    CHECK(testing::tripped_by([&] { posted.push_back(receive); }) ==
          "base/checked/links.hpp: next == unlinked<T>()");
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
    const std::string unlike =
        "messaging/receive.hpp: (receive.message == nullptr) == (state == ReceiveState::posted)";
    CHECK(testing::tripped_by([&] { posted.push_back(receive); }) == unlike);
    receive.message = nullptr;
    receive.state.move(ReceiveState::matched, std::memory_order_relaxed);
    CHECK(testing::tripped_by([&] { matched.push_back(receive); }) == unlike);
}

TEST_CASE("a receive ends, and rests, in no list")
{
    ReceiveList<ReceiveState::posted> posted;
    Receive receive;
    receive.state.move(ReceiveState::posted, std::memory_order_relaxed);
    posted.push_back(receive);
    const std::string listed = "messaging/receive.hpp: next == unlinked<Receive>()";
    CHECK(testing::tripped_by([&] { receive.rest(); }) == listed);
    CHECK(testing::tripped_by([&] { receive.fail(Error::killed); }) == listed);
    CHECK(testing::tripped_by([&] {
              receive.state.move(ReceiveState::matched, std::memory_order_relaxed);
              receive.finish(Envelope());
          }) == listed);
    posted.remove(receive);
    CHECK_FALSE(testing::is_fatal([&] {
        receive.fail(Error::killed);
        receive.rest();
    }));
}
