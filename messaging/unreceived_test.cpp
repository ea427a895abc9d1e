// SPDX-License-Identifier: MIT
#include "messaging/unreceived.hpp"

#include "messaging/behaviours/test_messages.hpp"
#include "testing/catch.hpp"
#include "testing/every_design.hpp"
#include "testing/hosted_job.hpp"

#include <string>
#include <thread>
#include <vector>

using namespace parley;
using behaviours::TestProcess;
using messaging::Unreceived;

namespace {

using Kind = Unreceived::Kind;

// "kind:type x count" of each.
std::string text_of(const Unreceived& left)
{
    std::string all;
    left.for_each([&](const Unreceived::Item& one) {
        all += (all.empty() ? "" : " ") + std::to_string(static_cast<unsigned>(one.kind)) + ":" +
               std::to_string(one.type) + "x" + std::to_string(one.count);
    });
    return all;
}

std::string left_by(testing::HostedJob& job, unsigned endpoint)
{
    return text_of(job.system().records()[endpoint].unreceived);
}

void until_ended(testing::HostedJob& job, unsigned endpoint)
{
    while (job.system().records()[endpoint].state.load() == messaging::EndpointState::live)
        std::this_thread::yield();
}

messaging::Design design_of(const std::string& text)
{
    messaging::Design design;
    REQUIRE(messaging::parse_design(text, design).empty());
    return design;
}

} // namespace

TEST_CASE("what is alike is counted, what has no place is only a number")
{
    Unreceived left;
    CHECK(left.empty());
    left.note({.kind = Kind::message, .type = 5, .bytes = 8, .node = 1});
    left.note({.kind = Kind::message, .type = 5, .bytes = 9, .node = 1});
    left.note({.kind = Kind::message, .type = 5, .bytes = 8, .node = 1});
    left.note({.kind = Kind::waited_again, .type = 1024});
    left.note({.kind = Kind::waited_again, .type = 1025});
    left.note({.kind = Kind::posted, .type = 5, .node = 1});
    CHECK(text_of(left) == "1:5x2 1:5x1 4:1024x2 2:5x1");
    for (std::int64_t type = 4; type < static_cast<std::int64_t>(Unreceived::most_items) + 2; ++type)
        left.note({.kind = Kind::message, .type = 100 + type});
    CHECK(left.others() == 2);
    left.note({.kind = Kind::posted, .type = 5, .node = 1});
    CHECK(left.others() == 2);
    CHECK_FALSE(left.empty());
}

TEST_CASE("what a process leaves that ends by itself is noted, whatever the design")
{
    for (const std::string text : {"exp5", "exp6", "native", "exp6,transport=process", "exp6,transfer=nx2",
                                   "exp6,transfer=adaptive", "exp6,synchronization=mcs"}) {
        INFO(text);
        testing::HostedJob job({.design = design_of(text)});
        CHECK(job.run([&](TestProcess& peer) {
            if (peer.node() == 0) {
                for (const long type : {5, 5, 6, 7})
                    behaviours::start_test_message(peer, type, 4, 1);
                return;
            }
            behaviours::take_test_message(peer, 7, 4); // the others have come as well
            const long id = peer.start_receive(6, peer.allocate(8), 8).value;
            behaviours::wait_for(peer, id);
            behaviours::wait_for(peer, id);
            peer.start_receive(9, peer.allocate(8), 8);
        }) == "");
        CHECK(left_by(job, 1) == "4:" + std::to_string(1024) + "x1 2:9x1 1:5x2");
        CHECK(left_by(job, 0).empty());
    }
}

TEST_CASE("a message that comes to a process that has ended is noted, too")
{
    testing::HostedJob job({.design = design_of("exp6")});
    CHECK(job.run([&](TestProcess& peer) {
        if (peer.node() == 1)
            return;
        until_ended(job, 1);
        behaviours::send_test_message(peer, 3, 0, 1);
        behaviours::send_test_message(peer, 3, 0, 1);
    }) == "");
    CHECK(left_by(job, 1) == "1:3x2");
}

TEST_CASE("who has been killed had no time to receive")
{
    testing::HostedJob job({.design = design_of("exp6")});
    job.run([&](TestProcess& peer) {
        if (peer.node() == 1) {
            peer.probe(8, true);
            return;
        }
        behaviours::send_test_message(peer, 3, 0, 1);
        job.kill(1);
    });
    CHECK(left_by(job, 1).empty());
}

// Either the receive has taken its message, or the message still lies there when its process ends.
TEST_CASE("a receive and its message count once, whichever of them is there first")
{
    testing::HostedJob job({.design = design_of("exp6")});
    CHECK(job.run([&](TestProcess& peer) {
        if (peer.node() == 0) {
            behaviours::send_test_message(peer, 3, 8, 1);
            behaviours::send_test_message(peer, 4, 8, 1);
            return;
        }
        peer.start_receive(3, peer.allocate(8), 8);
        behaviours::take_test_message(peer, 4, 8);
    }) == "");
    const std::string left = left_by(job, 1);
    CHECK((left == "3:3x1" || left == "1:3x1"));
}
