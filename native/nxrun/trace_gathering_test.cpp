// SPDX-License-Identifier: MIT
#include "native/nxrun/trace_gathering.hpp"
#include "testing/catch.hpp"

using namespace parley::native;

TEST_CASE("pieces are asked for one after the other, of each machine")
{
    TraceGathering gathering(3, 2);
    CHECK(gathering.add(1, 0, 5, "abc") == 3);
    CHECK_FALSE(gathering.add(1, 0, 5, "abc"));  // a second time
    CHECK_FALSE(gathering.add(1, 3, 5, "defg")); // more than there is
    CHECK_FALSE(gathering.add(1, 3, 5, "de"));
    CHECK_FALSE(gathering.is_over());
    CHECK(gathering.take(2).empty());
    CHECK_FALSE(gathering.add(2, 0, 1, "x"));
    CHECK(gathering.is_over());
    CHECK(gathering.take(1).size() == 5);
    CHECK(gathering.take(2).size() == 1);
}

TEST_CASE("who does not answer is not waited for, and half of a part is none")
{
    TraceGathering gathering(2, 2);
    CHECK_FALSE(gathering.look());
    CHECK(gathering.add(1, 0, 5, "abc") == 3);
    CHECK_FALSE(gathering.look());
    CHECK(gathering.look());
    CHECK(gathering.is_over());
    CHECK_FALSE(gathering.add(1, 3, 5, "de")); // too late
    CHECK(gathering.take(1).empty());
}
