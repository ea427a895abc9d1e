// SPDX-License-Identifier: MIT
#include "native/nxrun/places.hpp"
#include "testing/catch.hpp"

using namespace parley;
using namespace parley::native;

namespace {

// Three nodes with two processes each and a host, on two machines: node 0 here, 1 and 2 on the other one.
constexpr Spread layout{.nodes = 3, .pids = 2, .host = true, .machines = 2, .here = 0};

} // namespace

TEST_CASE("policy processes come behind all endpoints")
{
    const Places all({.nodes = 2}, 1, 2);
    REQUIRE((all.size() == 5 && all.endpoints() == 3));
    CHECK(all[2].role == Role::delivery);
    CHECK((all[3].role == Role::policy && all[4].role == Role::policy));
    CHECK(all.name_of(all[4]) == "policy process 1");
    CHECK(all.is_here(all[4]));
}

TEST_CASE("a job has a row of nodes for each pid, then its host, then this machine's helpers")
{
    const Places all(layout, 1);
    REQUIRE(all.size() == 8);
    CHECK(all.name_of(all[2]) == "node 2");
    CHECK(all.name_of(all[4]) == "node 1, process 1");
    CHECK(all[6].role == Role::host);
    CHECK(all[7].role == Role::network);
    CHECK(all.is_here(all[3]));
    CHECK_FALSE(all.is_here(all[4]));
    CHECK(all.is_here(all[6]));
    CHECK(all.is_here(all[7]));
    CHECK(all.number_here(all[6]) == 2);
}
