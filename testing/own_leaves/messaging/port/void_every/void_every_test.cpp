// SPDX-License-Identifier: MIT
// Jobs whose ports are full of void entries are jobs like others, whichever port with room it is.
#include "testing/made_port.hpp"
#include "testing/own_leaves/try_design.hpp"

#include "messaging/leaves.hpp"

#include <string>

using namespace parley;

TEST_CASE("designs whose ports have void entries have all behaviours")
{
    testing::for_each_port_with_room<messaging::TreePortLeaves>([](const testing::PortLeaf& leaf) {
        const std::string inner = ":" + std::to_string(messaging::number_of_port(leaf.name));
        for (const char* const design :
             {"native,void-every:2", "native,void-every:3", "exp6,void-every:2", "exp4,void-every:2",
              "native,synchronous,void-every:2", "exp1,void-every:2", "exp2,void-every:2", "nx2,void-every:2",
              "exp6,transfer=adaptive,void-every:2", "exp6,transfer=broadcast-copy,void-every:2",
              "exp3,void-every:2"})
            testing::try_design(design + inner);
    });
}
