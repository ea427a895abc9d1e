// SPDX-License-Identifier: MIT
#include "messaging/delivery.hpp"

#include "testing/fatal.hpp"
#include "testing/lone_process.hpp"

#include <set>

using namespace parley;
using namespace parley::messaging;

namespace {

struct SendingProcess : testing::LoneProcess {
    Delivery<> delivery{waiter};
};

constexpr auto none_to_free = [](const MessageMemory&) { FAIL("the sender lives and keeps its messages"); };

} // namespace

TEST_CASE("a completion is reached with the last of its deliveries, and each is told to the sender")
{
    SendingProcess sender;
    Completion& awaited = sender.delivery.awaited();
    awaited.expect(2);
    sender.delivery.count(awaited);
    CHECK_FALSE(awaited.is_reached());
    CHECK(sender.signals() == 1);
    sender.delivery.count(awaited);
    CHECK(awaited.is_reached());
    CHECK(sender.signals() == 1);
}

TEST_CASE("what is awaited and what is lent are counted apart")
{
    SendingProcess sender;
    sender.delivery.awaited().expect(1);
    sender.delivery.lent().expect(1);
    sender.delivery.count(sender.delivery.lent());
    CHECK(sender.delivery.lent().is_reached());
    CHECK_FALSE(sender.delivery.awaited().is_reached());
}

TEST_CASE("a delivery that notifies does so once for each arming, and others never do")
{
    SendingProcess sender;
    StatusWord& status = sender.waiter.status();
    Completion quiet, loud;
    quiet.begin(false);
    loud.begin(true);
    quiet.expect(1);
    loud.expect(4);

    sender.delivery.count(loud); // nothing is armed
    CHECK(status.notification() == Notification::off);
    CHECK(sender.signals() == 1);
    status.set_notification(Notification::armed);
    sender.delivery.count(quiet);
    CHECK(status.notification() == Notification::armed);
    CHECK(sender.signals() == 1);
    sender.delivery.count(loud);
    CHECK(status.notification() == Notification::pending);
    CHECK(sender.signals() == 2); // of the delivery, and of the notification
    sender.delivery.count(loud);
    CHECK(status.notification() == Notification::pending);
    CHECK(sender.signals() == 1);
    status.set_notification(Notification::armed);
    sender.delivery.count(loud);
    CHECK(status.notification() == Notification::pending);
}

TEST_CASE("a message that comes back is told to a sender that waits for it or for budget, and to no other")
{
    SendingProcess sender;
    StatusWord& status = sender.waiter.status();
    status.set_notification(Notification::armed); // out of the ordinary, and no reason
    CHECK_FALSE(sender.delivery.come_back(none_to_free));
    CHECK(sender.signals() == 0);
    status.set_wants_delivery(true);
    CHECK_FALSE(sender.delivery.come_back(none_to_free));
    CHECK(sender.signals() == 1);
    status.set_wants_delivery(false);
    status.set_wants_budget(true);
    CHECK_FALSE(sender.delivery.come_back(none_to_free));
    CHECK(sender.signals() == 1);
}

TEST_CASE("a message that comes back to a sender that has ended is freed, once")
{
    for (const EndpointState end : {EndpointState::ended, EndpointState::killed}) {
        SendingProcess sender;
        Message message;
        std::multiset<const MessageMemory*> freed;
        const auto free = [&](const MessageMemory& memory) { freed.insert(&memory); };
        sender.delivery.pool().adopt(message);
        sender.waiter.set_state(end);
        CHECK(sender.delivery.come_back(free));
        CHECK(freed.empty());
        sender.delivery.pool().give_back(message.slot());
        CHECK(sender.delivery.come_back(free));
        CHECK(sender.delivery.come_back(free));
        CHECK(freed == std::multiset<const MessageMemory*>{&message});
    }
}

TEST_CASE("who finds that it is delivered at once does not wait")
{
    SendingProcess sender;
    const auto await = [](const auto&) -> Result<void> {
        FAIL("it waits");
        return {};
    };
    unsigned looks = 0;
    CHECK(sender.delivery.wait_until([&] { return ++looks == 3; }, 3, await));
    CHECK(looks == 3);
    CHECK(sender.waiter.status().is_ordinary());
}

TEST_CASE("whoever waits for a delivery says so in its status, and only while it waits")
{
    SendingProcess sender;
    Message message;
    MessagePool& pool = sender.delivery.pool();
    pool.adopt(message);
    const auto delivered = [&] { return pool.has_returned(message.slot()); };
    const auto await = [&](const auto& condition) -> Result<void> {
        CHECK(sender.waiter.status().wants_returns());
        CHECK_FALSE(condition());
        pool.give_back(message.slot());
        CHECK_FALSE(sender.delivery.come_back(none_to_free));
        CHECK(sender.signals() == 1);
        CHECK(condition());
        return {};
    };
    CHECK(sender.delivery.wait_until(delivered, 5, await));
    CHECK(sender.waiter.status().is_ordinary());
}

TEST_CASE("a wait for a delivery that is cut short hands on why, and the status is ordinary again")
{
    for (const Error why : {Error::killed, Error::interrupted}) {
        SendingProcess sender;
        const auto await = [&](const auto&) -> Result<void> { return std::unexpected(why); };
        const Result<void> waited = sender.delivery.wait_until([] { return false; }, 0, await);
        REQUIRE_FALSE(waited);
        CHECK(waited.error() == why);
        CHECK(sender.waiter.status().is_ordinary());
    }
}

TEST_CASE("no more is delivered than was expected")
{
    Completion completion;
    completion.expect(1);
    completion.count();
    CHECK(testing::tripped_by([&] { completion.count(); }) == "messaging/completion.hpp: before != 0");
}
