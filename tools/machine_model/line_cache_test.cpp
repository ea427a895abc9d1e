// SPDX-License-Identifier: MIT
#include "tools/machine_model/line_cache.hpp"

#include "testing/catch.hpp"

using namespace parley::machine_model;

TEST_CASE("the least recently used line of a set gives way, and no other set's")
{
    LineCache cache{8, 2}; // four sets
    CHECK_FALSE(cache.put(0).has_value());
    CHECK_FALSE(cache.put(4).has_value());
    CHECK_FALSE(cache.put(1).has_value());
    CHECK(cache.use(0));
    CHECK(cache.put(8) == 4);
    CHECK(cache.use(0));
    CHECK_FALSE(cache.use(4));
    CHECK(cache.use(1));
}

TEST_CASE("a line that was removed leaves a place")
{
    LineCache cache{2, 2};
    cache.put(0);
    cache.put(1);
    cache.remove(0);
    cache.remove(7); // was never there
    CHECK_FALSE(cache.use(0));
    CHECK_FALSE(cache.put(2).has_value());
    CHECK(cache.use(1));
}
