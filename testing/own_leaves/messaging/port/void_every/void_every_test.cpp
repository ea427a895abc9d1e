// SPDX-License-Identifier: MIT
// Jobs whose ports are full of void entries are jobs like others.
#include "testing/own_leaves/messaging/port/void_every/void_every.hpp"
#include "testing/own_leaves/try_design.hpp"

using namespace parley;

TEST_CASE("designs whose ports have void entries have all behaviours")
{
    for (const char* const design :
         {"native,void-every:2", "native,void-every:3", "exp6,void-every:2", "exp4,void-every:2",
          "native,synchronous,void-every:2", "exp1,void-every:2", "exp2,void-every:2", "nx2,void-every:2",
          "exp6,transfer=adaptive,void-every:2", "exp6,transfer=broadcast-copy,void-every:2",
          "exp3,void-every:2"})
        testing::try_design(design);
}
