// SPDX-License-Identifier: MIT
// What every Transfer leaf does with the bytes of a message, seen through its interface, and where every
// Transport leaf puts messages.
#include "testing/catch.hpp"
#include "testing/selection.hpp"
#include "testing/transfer_faults.hpp"

#include "messaging/leaves.hpp"

#include <string>

using namespace parley;
using namespace parley::messaging;

TEST_CASE("every transfer brings every byte of a message, whatever its length, and leaves nothing behind")
{
    testing::for_each_leaf<TransferLeaves<>>([]<class X>() {
        INFO("transfer=" + std::string(X::name));
        CHECK(testing::fault_in_any_length<X>() == "");
    });
}

TEST_CASE("every transfer serves a broadcast, also when a receiver is gone")
{
    testing::for_each_leaf<TransferLeaves<>>([]<class X>() {
        INFO("transfer=" + std::string(X::name));
        CHECK(testing::fault_in_broadcasts<X>() == "");
    });
}

TEST_CASE("every transfer lends no buffer that its sender will use again")
{
    testing::for_each_leaf<TransferLeaves<>>([]<class X>() {
        INFO("transfer=" + std::string(X::name));
        CHECK(testing::fault_in_not_lending<X>() == "");
    });
}

TEST_CASE("every transfer leaves a receive that is taken back at any step, and brings the bytes to the next")
{
    testing::for_each_leaf<TransferLeaves<>>([]<class X>() {
        INFO("transfer=" + std::string(X::name));
        CHECK(testing::fault_in_taking_back_at_any_step<X>() == "");
    });
}

TEST_CASE("every transfer refuses bad buffers and leaves nothing behind")
{
    testing::for_each_leaf<TransferLeaves<>>([]<class X>() {
        INFO("transfer=" + std::string(X::name));
        CHECK(testing::fault_with_a_bad_buffer<X>() == "");
        CHECK(testing::fault_with_an_unshared_buffer<X>() == "");
    });
}

TEST_CASE("every transfer takes in what a helper brings from elsewhere, and brings out what goes there")
{
    testing::for_each_leaf<TransferLeaves<>>([]<class X>() {
        INFO("transfer=" + std::string(X::name));
        CHECK(testing::fault_by_helpers<X>() == "");
    });
}

TEST_CASE("every transfer relays, gives out and drops what it lets ports carry")
{
    testing::for_each_leaf<TransferLeaves<>>([]<class X>() {
        INFO("transfer=" + std::string(X::name));
        CHECK(testing::fault_in_carried<X>() == "");
    });
}

TEST_CASE("every transport routes to the destination or to a helper of the job")
{
    testing::for_each_leaf<TransportLeaves>([]<class T>() {
        INFO(std::string(T::name));
        constexpr unsigned processes = 5;
        constexpr Layout layout{.nodes = processes};
        const T transport = testing::made<T>(TransportParts{layout, 0});
        for (unsigned sender = 0; sender < processes; ++sender) {
            const unsigned group = transport.group_of(sender, layout);
            CHECK(group < transport.groups());
            for (unsigned destination = 0; destination < processes; ++destination) {
                const unsigned route = transport.route(group, destination, layout);
                const bool is_helper = route >= processes && route < processes + T::helpers;
                CHECK((route == destination || is_helper));
            }
        }
    });
}
