// SPDX-License-Identifier: MIT
// The pull-based queue in every order of steps, with so few nodes that they are used again meanwhile, and
// what it relies on the contract of ports for.
#include "messaging/port/pull_based/pull_based.hpp"
#include "testing/catch.hpp"
#include "testing/claim_plays.hpp"

using namespace parley;
using namespace parley::messaging;
using namespace parley::testing;

TEST_CASE("a pull-based queue loses, doubles and reorders nothing in any order of steps")
{
    CHECK(fault_in_orders(2, [] { return a_queue_of_two(tight<PullBasedPort, 2>, 0, true); }) == "");
    CHECK(fault_in_orders(3, [] { return nodes_that_are_used_again(tight<PullBasedPort, 2>); }) == "");
}

TEST_CASE("whoever ends while it takes from a pull-based queue holds nobody up, at any step")
{
    CHECK(fault_in_orders(2, [] { return a_taker_that_ends(tight<PullBasedPort, 2>, 0); }) == "");
}

TEST_CASE("the explorer finds that a pull-based queue needs senders that do not end within a put")
{
    const explorer::ExplorationOutcome outcome =
        explorer::explore({.preemptions = 2}, [] { return a_sender_that_ends(tight<PullBasedPort, 2>, 0); });
    CHECK(outcome.failure.find("another") != std::string::npos);
}
