// SPDX-License-Identifier: MIT
// What every Synchronization leaf does, with real threads, seen through its interface, and what it does for a
// process that is killed.
#include "testing/catch.hpp"
#include "testing/synchronization_faults.hpp"

#include "messaging/leaves.hpp"

#include <string>

using namespace parley;
using namespace parley::messaging;

TEST_CASE("every lock admits one at a time")
{
    testing::for_each_synchronization<SynchronizationLeaves>([](const testing::SynchronizationLeaf& leaf) {
        INFO("synchronization=" + std::string(leaf.name));
        CHECK(testing::fault_in_excluding(leaf) == "");
    });
}

TEST_CASE("every event wakes its waiter each time")
{
    testing::for_each_synchronization<SynchronizationLeaves>([](const testing::SynchronizationLeaf& leaf) {
        INFO("synchronization=" + std::string(leaf.name));
        CHECK(testing::fault_in_waking(leaf) == "");
    });
}

TEST_CASE("every wait ends when its process is killed, and nothing stays held")
{
    testing::for_each_synchronization<SynchronizationLeaves>([](const testing::SynchronizationLeaf& leaf) {
        INFO("synchronization=" + std::string(leaf.name));
        CHECK(testing::fault_in_ending_a_wait(leaf) == "");
        CHECK(testing::fault_after_a_kill(leaf) == "");
    });
}
