// SPDX-License-Identifier: MIT
#include "native/nxrun/places.hpp"
#include "testing/catch.hpp"

using namespace parley::native;

namespace {

// Three nodes with two processes each and a host, on two machines: node 0 here, 1 and 2 on the other one.
Places places() { return Places({.nodes = 3, .pids = 2, .host = true, .machines = 2, .here = 0}, 1); }

std::vector<unsigned> endpoints(const std::vector<Place*>& places)
{
    std::vector<unsigned> numbers;
    for (const Place* const place : places)
        numbers.push_back(place->endpoint);
    return numbers;
}

} // namespace

TEST_CASE("a job has a row of nodes for each pid, then its host, then this machine's helpers")
{
    const Places all = places();
    REQUIRE(all.size() == 8);
    CHECK(name_of(all[2]) == "node 2");
    CHECK(name_of(all[4]) == "node 1, process 1");
    CHECK(all[6].role == Role::host);
    CHECK(all[7].role == Role::helper);
    CHECK(all.is_here(all[3]));
    CHECK_FALSE(all.is_here(all[4]));
    CHECK(all.is_here(all[6]));
    CHECK(all.is_here(all[7]));
    CHECK(all.number_here(all[6]) == 2);
}

TEST_CASE("a call means places by node and pid, -1 for all, and neither host nor helper")
{
    Places all = places();
    all[3].pid = 12;
    CHECK(endpoints(all.chosen({-1, -1})) == std::vector<unsigned>{0, 1, 2, 3, 4, 5});
    CHECK(endpoints(all.chosen({1, -1})) == std::vector<unsigned>{1, 4});
    CHECK(endpoints(all.chosen({-1, 1})) == std::vector<unsigned>{4, 5});
    CHECK(endpoints(all.chosen({0, 12})) == std::vector<unsigned>{3});
    CHECK(endpoints(all.chosen({-1, 0}, &all[1])) == std::vector<unsigned>{0, 2});
    all[1].process = 100;
    all[6].process = 101;
    CHECK_FALSE(all.none_runs({1, -1}, nullptr));
    CHECK(all.none_runs({1, -1}, &all[1]));
    CHECK(all.none_runs({-1, 1}, nullptr));
    all[4].process = elsewhere;
    CHECK_FALSE(all.none_runs({-1, 1}, nullptr));
}

TEST_CASE("a pid has the row that it was given, that of its number, or a free one")
{
    Places all = places();
    CHECK(all.row_of(1) == 1);
    CHECK(all.row_of(40) == 0);
    all.of_row(0, 2).front()->standing = Standing::running;
    CHECK(all.row_of(40) == 1);
    all.give_pid(1, 40);
    CHECK(all.row_of(40) == 1);
    CHECK(all.row_of(41) == -1);
    CHECK(endpoints(all.of_row(1, -1)) == std::vector<unsigned>{3, 4, 5});
    CHECK(endpoints(all.of_row(1, 2)) == std::vector<unsigned>{5});
}
