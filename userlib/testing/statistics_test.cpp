// SPDX-License-Identifier: MIT
#include "testing/catch.hpp"

extern "C" {
#include "userlib/nx/statistics.h"
}

TEST_CASE("quartiles lie between samples")
{
    double samples[] = {4, 1, 3, 2, 5};
    const nx_spread spread = nx_spread_of(samples, 5);
    CHECK(spread.minimum == 1);
    CHECK(spread.lower_quartile == 2);
    CHECK(spread.median == 3);
    CHECK(spread.upper_quartile == 4);
    CHECK(spread.maximum == 5);
}

TEST_CASE("an even number of samples has its median in the middle of two")
{
    double samples[] = {4, 1};
    CHECK(nx_spread_of(samples, 2).median == 2.5);
}

TEST_CASE("one sample is its own spread, and none has none")
{
    double sample = 7;
    CHECK(nx_spread_of(&sample, 1).upper_quartile == 7);
    CHECK(nx_spread_of(&sample, 0).maximum == 0);
}
