// SPDX-License-Identifier: MIT
// Which mailbox a message goes to on a machine among several.
#include "messaging/transport/network/network.hpp"

#include "testing/catch.hpp"

using namespace parley::messaging;

namespace {

// Five nodes with two processes each, and a host; one helper.
constexpr Layout layout{.nodes = 5, .pids = 2, .host = true};
constexpr unsigned helper = 11;

NetworkTransport transport_of(const Nearby& nearby) { return NetworkTransport({layout, nearby.word()}); }

} // namespace

TEST_CASE("all processes of the nodes of a machine have mailboxes there, those of others the helper's")
{
    const NetworkTransport transport = transport_of({.first_node = 2, .nodes = 2, .host = false});
    for (unsigned endpoint = 0; endpoint < layout.programs(); ++endpoint) {
        INFO(endpoint);
        const bool is_here = endpoint < 10 && (endpoint % 5 == 2 || endpoint % 5 == 3);
        CHECK(transport.route(0, endpoint, layout) == (is_here ? endpoint : helper));
        CHECK(transport.is_away(endpoint, layout) == !is_here);
    }
    CHECK(transport.route(0, helper, layout) == helper);
    CHECK_FALSE(transport.is_away(helper, layout));
}

TEST_CASE("the host is on the machine of which that is said")
{
    CHECK(transport_of({.first_node = 0, .nodes = 2, .host = true}).route(0, 10, layout) == 10);
    CHECK(transport_of({.first_node = 0, .nodes = 2, .host = false}).route(0, 10, layout) == helper);
}

TEST_CASE("where nothing is said all processes live on one machine")
{
    const NetworkTransport transport({layout, 0});
    for (unsigned endpoint = 0; endpoint <= helper; ++endpoint)
        CHECK(transport.route(0, endpoint, layout) == endpoint);
}
