// SPDX-License-Identifier: MIT
#include "tools/machine_model/occupancy.hpp"

#include "testing/catch.hpp"

using namespace parley::machine_model;

namespace {

Picoseconds taken(Occupancy& bus, Picoseconds at, Picoseconds span)
{
    const Picoseconds start = bus.first_free(at, span);
    bus.take(start, span);
    return start;
}

} // namespace

TEST_CASE("who finds it taken waits, one after the other")
{
    Occupancy bus;
    CHECK(taken(bus, 100, 80) == 100);
    CHECK(taken(bus, 100, 80) == 180);
    CHECK(taken(bus, 150, 80) == 260);
    CHECK(taken(bus, 1000, 80) == 1000);
}

TEST_CASE("who asks for an earlier time than others have taken gets it, if it is free for long enough")
{
    Occupancy bus;
    taken(bus, 1000, 80);
    CHECK(taken(bus, 100, 80) == 100);
    CHECK(taken(bus, 900, 80) == 900);
    CHECK(taken(bus, 905, 80) == 1080); // the 20 from 980 on are too few
    CHECK(taken(bus, 905, 20) == 980);
    CHECK(taken(bus, 900, 1) == 1160); // all of it is one now
}

TEST_CASE("of very much that is taken the newest counts")
{
    Occupancy bus;
    for (Picoseconds at = 0; at < 100'000; at += 10)
        taken(bus, at, 5);
    CHECK(bus.first_free(99'990, 5) == 99'995);
    CHECK(bus.first_free(99'990, 6) == 99'995);
    CHECK(bus.first_free(99'980, 6) == 99'995);
}
