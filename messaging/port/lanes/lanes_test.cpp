// SPDX-License-Identifier: MIT
// What a LanesPort has alone: whose turn it is, what its lanes take of the job's memory and when that comes
// back, and who shares.
#include "messaging/port/lanes/lanes.hpp"
#include "messaging/sources.hpp"
#include "testing/catch.hpp"
#include "testing/lone_taker.hpp"
#include "testing/made_port.hpp"

#include <memory>
#include <vector>

using namespace parley;
using namespace parley::messaging;

namespace {

using Box = testing::MadePort;
constexpr testing::PortLeaf lanes = testing::port_leaf<LanesPort>;

Envelope numbered(std::uint32_t type, std::uint32_t length = 0)
{
    return Envelope({}, 0).addressed(type, length, 0, 0);
}

bool send(Box& box, unsigned caller, std::uint32_t type) { return box->put(caller, numbered(type), nullptr); }

bool send_bytes(Box& box, unsigned caller, std::uint32_t type)
{
    const std::byte bytes[8] = {static_cast<std::byte>(type)};
    return box->put_bytes(caller, numbered(type, 8), SystemBytes(bytes, 8)) == Put::in;
}

constexpr long nothing = -1;

long take(Box& box)
{
    const Taken taken = box->take(testing::lone_taker, 0);
    return taken ? static_cast<long>(taken.envelope().type()) : nothing;
}

// Its sender ends where it would fill its entry.
struct CutSource final : Source {
    Result<void> fill(std::byte*) const override { throw 0; }
};

std::size_t lanes_in(Box& box)
{
    constexpr std::size_t units = std::bit_ceil(sizeof(Lane)) / BuddyHeap::unit_bytes;
    return box.heap().used_units() / units;
}

} // namespace

TEST_CASE("a lane is made for a sender's first message and for nobody else")
{
    const auto box = std::make_unique<Box>(lanes);
    CHECK(lanes_in(*box) == 0);
    for (unsigned round = 0; round < 3; ++round)
        for (const unsigned caller : {2, 5}) {
            REQUIRE(send(*box, caller, caller));
            REQUIRE(take(*box) == caller);
        }
    CHECK(lanes_in(*box) == 2);
}

TEST_CASE("a sender that sends all the time does not keep the others' messages back")
{
    const auto box = std::make_unique<Box>(lanes);
    while (send(*box, 1, 1)) { }
    for (const unsigned quiet : {2, 3})
        REQUIRE(send(*box, quiet, quiet));
    unsigned taken = 0;
    for (unsigned others = 0; others < 2; ++taken) {
        REQUIRE(taken < 4 * Lane::capacity);
        const long type = take(*box);
        REQUIRE(type != nothing);
        others += type != 1 ? 1 : 0;
        (void)send(*box, 1, 1);
    }
    CHECK(taken <= 2 * Lane::capacity + 2);
}

TEST_CASE("senders for whom half of the memory has no lane share, in order and with memory of their own")
{
    const auto box = std::make_unique<Box>(lanes);
    unsigned with_lanes = 0;
    while (send(*box, with_lanes, with_lanes)) {
        REQUIRE(take(*box) == with_lanes);
        ++with_lanes;
    }
    CHECK(box->heap().used_units() == box->heap().units() / 2);
    CHECK_FALSE(send_bytes(*box, with_lanes, 1));
    std::vector<Message> own(3);
    for (std::uint32_t type = 0; type < 3; ++type)
        REQUIRE((*box)->put(with_lanes, numbered(type), &own[type]));
    REQUIRE(send(*box, 0, 100));
    std::vector<long> found;
    for (long type = take(*box); type != nothing; type = take(*box))
        if (type != 100)
            found.push_back(type);
    CHECK(found == std::vector<long>{0, 1, 2});
}

TEST_CASE("more senders than there are slots share, and who meets another in its slot finds its own")
{
    const auto box = std::make_unique<Box>(lanes);
    std::vector<Message> own(200);
    for (unsigned round = 0; round < 2; ++round)
        for (unsigned caller = 0; caller < own.size(); ++caller) {
            REQUIRE((*box)->put(caller, numbered(caller), &own[caller]));
            REQUIRE(take(*box) == caller);
        }
    CHECK(box->heap().used_units() <= box->heap().units() / 2);
}

TEST_CASE("who has found no slot in the table goes on to share when one is free again")
{
    const auto box = std::make_unique<Box>(lanes);
    constexpr unsigned senders = 65, last = senders - 1;
    std::vector<Message> own(senders + 1);
    for (unsigned caller = 0; caller < senders; ++caller)
        REQUIRE((*box)->put(caller, numbered(caller), &own[caller]));
    for (unsigned caller = 0; caller < last; ++caller)
        REQUIRE(take(*box) != last);
    CHECK((*box)->leave(0));
    (*box)->clear(testing::lone_taker);
    CHECK_FALSE(send(*box, last, 1));
    REQUIRE((*box)->put(last, numbered(last + 1), &own[last + 1]));
    CHECK(take(*box) == last);
    CHECK(take(*box) == last + 1);
}

TEST_CASE("a lane is given back after its sender and the owner, and not while a message is held in it")
{
    const auto box = std::make_unique<Box>(lanes);
    REQUIRE(send_bytes(*box, 1, 7));
    REQUIRE(send(*box, 2, 8));
    Taken taken = (*box)->take(testing::lone_taker, 0);
    Message* const held = (*box)->hold(testing::lone_taker, taken);
    REQUIRE(take(*box) == 8);
    CHECK((*box)->leave(1));
    CHECK(lanes_in(*box) == 2);
    (*box)->clear(testing::lone_taker);
    CHECK(lanes_in(*box) == 2);
    CHECK(held->type() == 7);
    (*box)->release({*held, held});
    CHECK(lanes_in(*box) == 1);
    REQUIRE(send(*box, 2, 9));
    REQUIRE(take(*box) == 9);
    CHECK((*box)->leave(2));
    (*box)->clear(testing::lone_taker);
    CHECK(lanes_in(*box) == 0);
    REQUIRE(send(*box, 2, 10));
    CHECK(take(*box) == 10);
}

TEST_CASE("whoever sends at the endpoint of a sender that has ended goes on in its lane")
{
    const auto box = std::make_unique<Box>(lanes);
    REQUIRE(send(*box, 1, 1));
    CHECK((*box)->leave(1));
    CHECK_FALSE((*box)->leave(1));
    REQUIRE(send(*box, 1, 2));
    CHECK(lanes_in(*box) == 1);
    CHECK(take(*box) == 1);
    CHECK(take(*box) == 2);
    (*box)->clear(testing::lone_taker);
    CHECK(lanes_in(*box) == 1);
    REQUIRE(send(*box, 1, 3));
    CHECK(take(*box) == 3);
    CHECK_THROWS((void)(*box)->put_bytes(1, numbered(4, 8), CutSource()));
    CHECK((*box)->leave(1));
    REQUIRE(send(*box, 1, 5));
    CHECK(take(*box) == 5);
}

TEST_CASE("a message that is put while the port is cleared is there for whoever looks next")
{
    const auto box = std::make_unique<Box>(lanes);
    REQUIRE(send(*box, 1, 1));
    REQUIRE(take(*box) == 1);
    REQUIRE(send(*box, 1, 2));
    CHECK((*box)->leave(1));
    (*box)->clear(testing::lone_taker);
    REQUIRE(send(*box, 1, 3)); // its successor's, which has another lane
    CHECK(lanes_in(*box) == 2);
    const std::vector<long> found = {take(*box), take(*box)};
    CHECK_THAT(found, Catch::Matchers::UnorderedEquals(std::vector<long>{2, 3}));
    CHECK(take(*box) == nothing);
    (*box)->clear(testing::lone_taker);
    CHECK(lanes_in(*box) == 1);
}

TEST_CASE("a slot whose lane has been given back is another sender's")
{
    const auto box = std::make_unique<Box>(lanes);
    constexpr unsigned more_than_slots = 100;
    for (unsigned round = 0; round < more_than_slots; ++round) {
        REQUIRE(send(*box, 1, round));
        REQUIRE(take(*box) == round);
        REQUIRE((*box)->leave(1));
        (*box)->clear(testing::lone_taker);
    }
    CHECK(lanes_in(*box) == 0);
}
