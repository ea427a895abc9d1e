// SPDX-License-Identifier: MIT
// Michael and Scott's queue in every order of steps, with so few nodes that they are used again meanwhile,
// and with processes that end anywhere.
#include "messaging/port/michael_scott/michael_scott.hpp"
#include "testing/catch.hpp"
#include "testing/claim_plays.hpp"

using namespace parley;
using namespace parley::messaging;
using namespace parley::testing;

TEST_CASE("Michael and Scott's queue loses, doubles and reorders nothing in any order of steps")
{
    CHECK(fault_in_orders(2, [] { return a_queue_of_two(tight<MichaelScottPort, 2>, 0, true); }) == "");
    CHECK(fault_in_orders(3, [] { return nodes_that_are_used_again(tight<MichaelScottPort, 2>); }) == "");
}

TEST_CASE("whoever ends in Michael and Scott's queue holds nobody up, at any step")
{
    CHECK(fault_in_orders(2, [] { return a_sender_that_ends(tight<MichaelScottPort, 2>, 0); }) == "");
    CHECK(fault_in_orders(2, [] { return a_taker_that_ends(tight<MichaelScottPort, 2>, 0); }) == "");
}
