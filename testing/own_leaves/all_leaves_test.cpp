// SPDX-License-Identifier: MIT
// A design whose class for every factor the rest of the tree has never seen. Linked twice: with virtual and
// with static dispatch.
#include "testing/own_leaves/try_design.hpp"

using namespace parley;

TEST_CASE("a design of nothing but classes that the tree has never seen has all behaviours")
{
    testing::try_design("piecewise,paired,paced,stacked,divided,patient,wiped");
}

TEST_CASE("a design of such classes is written out with all that they are told")
{
    messaging::Design design;
    REQUIRE(
        messaging::parse_design("piecewise:64,paired,paced,stacked,divided,patient:9,wiped", design).empty());
    CHECK(std::string(messaging::canonical(design).text()) ==
          "piecewise:64,paired,paced:3,stacked,divided,patient:9,wiped");
    CHECK(messaging::helpers_of(design) == 2);
}
