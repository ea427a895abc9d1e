// SPDX-License-Identifier: MIT
// What every Port leaf does, with real threads, seen through its interface.
#include "testing/catch.hpp"
#include "testing/port_faults.hpp"

#include "messaging/leaves.hpp"

#include <string>

using namespace parley;
using namespace parley::messaging;

TEST_CASE("every port gives messages out in the order in which they were put")
{
    testing::for_each_port<PortLeaves>([](const testing::PortLeaf& leaf) {
        INFO("port=" + std::string(leaf.name));
        CHECK(testing::fault_in_order(leaf) == "");
    });
}

TEST_CASE("every port that was full lets senders in again once it is empty")
{
    testing::for_each_port<PortLeaves>([](const testing::PortLeaf& leaf) {
        INFO("port=" + std::string(leaf.name));
        CHECK(testing::fault_when_full(leaf) == "");
    });
}

TEST_CASE("every port sees a message that comes while it is looked at")
{
    testing::for_each_port<PortLeaves>([](const testing::PortLeaf& leaf) {
        INFO("port=" + std::string(leaf.name));
        CHECK(testing::fault_in_looking(leaf) == "");
    });
}

TEST_CASE("every port with room carries bytes whole, and passes over what could not be brought")
{
    testing::for_each_way_of_port<PortLeaves>([](const testing::PortLeaf& leaf) {
        INFO("port=" + std::string(leaf.name));
        CHECK(testing::fault_with_room(leaf) == "");
    });
}

TEST_CASE("every port shows no message that it has not, and hides none that it has")
{
    testing::for_each_way_of_port<PortLeaves>([](const testing::PortLeaf& leaf) {
        INFO("port=" + std::string(leaf.name));
        CHECK(testing::fault_of_sight(leaf) == "");
    });
}

TEST_CASE("every port that has a word to watch changes it for good when something comes")
{
    testing::for_each_way_of_port<PortLeaves>([](const testing::PortLeaf& leaf) {
        INFO("port=" + std::string(leaf.name));
        CHECK(testing::fault_of_watched(leaf) == "");
    });
}

TEST_CASE("every port keeps each sender's messages and their order while several send at once")
{
    testing::for_each_port<PortLeaves>([](const testing::PortLeaf& leaf) {
        INFO("port=" + std::string(leaf.name));
        CHECK(testing::fault_with_several_senders(leaf) == "");
    });
}
