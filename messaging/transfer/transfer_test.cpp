// SPDX-License-Identifier: MIT
// What every Transfer leaf does with the bytes of a message, from offer to accept or drop.
#include "arch/hosted/hosted.hpp"
#include "kernel/interface/capabilities.h"
#include "tools/testing/catch.hpp"
#include "tools/testing/lone_exchange.hpp"
#include "tools/testing/made.hpp"
#include "tools/testing/mapped_memory.hpp"
#include "tools/testing/selection.hpp"

#include "messaging/leaves.hpp"

#include <string>

using namespace parley;
using namespace parley::messaging;

namespace {

constexpr std::size_t arena_bytes = 4 << 20;

// Heaps, a location and blocks, as a composed system has them.
struct Surroundings {
    testing::MappedMemory memory{arena_bytes};
    testing::MappedMemory table{BuddyHeap::table_bytes(arena_bytes)};
    testing::MappedMemory shared{arena_bytes};
    testing::MappedMemory shared_table{BuddyHeap::table_bytes(arena_bytes)};
    BuddyHeap buffers{memory.start(), arena_bytes, table.start()};
    Blocks blocks{shared.start(), arena_bytes, shared_table.start()};
    KernelLocation kernel{SharedRange{shared.address(), arena_bytes}};
    Location& location = kernel;
    testing::LoneExchange exchange;

    Surroundings()
    {
        REQUIRE(buffers.start());
        REQUIRE(blocks.start());
    }
    template <class X>
    X make()
    {
        return testing::made<X>(parts());
    }
    TransferParts<> parts() { return {location, buffers, blocks, exchange}; }
    UserAddress block(unsigned owner) { return {*blocks.allocate(owner, 70000, 8)}; }
};

// Never zero, and another at each place of a page.
unsigned char byte_at(int value, std::size_t index)
{
    return static_cast<unsigned char>(1 + (static_cast<std::size_t>(value) + index) % 251);
}

void fill(UserAddress buffer, int value, std::size_t bytes)
{
    auto* const at = reinterpret_cast<unsigned char*>(buffer.value);
    for (std::size_t index = 0; index < bytes; ++index)
        at[index] = byte_at(value, index);
}

bool holds(UserAddress buffer, int value, std::size_t bytes)
{
    const auto* at = reinterpret_cast<const unsigned char*>(buffer.value);
    for (std::size_t index = 0; index < bytes; ++index)
        if (at[index] != byte_at(value, index))
            return false;
    return true;
}

// As its sender does when no receive is posted.
void bring_queued(Message& message, const Offer& offer)
{
    if (Protocol* const protocol = message.protocol())
        REQUIRE(protocol->bring(message, offer, {WaitReason::delivery, 0, 0, -1}));
}

template <class X>
void brings_the_bytes(std::size_t length)
{
    Surroundings around;
    X transfer = around.make<X>();
    const UserAddress from = around.block(0);
    const UserAddress to = around.block(1);
    fill(from, 7, length);
    Message message{};
    message.write(Envelope().addressed(0, static_cast<std::uint32_t>(length), 0, 0));
    const Offer offer{.sender = 0, .buffer = from, .copies = 1};
    REQUIRE(transfer.offer(message, offer));
    transfer.relay(message);
    bring_queued(message, offer);
    const auto place = transfer.accept(message, 1, to);
    REQUIRE(place);
    CHECK(holds(*place, 7, length));
    CHECK((*place == to) == !(X::capabilities & PARLEY_BLOCKS_CHANGE_OWNER));
    CHECK(around.buffers.used_units() == 0);
    around.blocks.release_all(0);
    around.blocks.release_all(1);
    CHECK(around.blocks.used_units() == 0);
}

template <class X>
void reaches_several_and_drops_the_rest(std::size_t length)
{
    Surroundings around;
    X transfer = around.make<X>();
    const UserAddress from = around.block(0);
    fill(from, 9, length);
    Message messages[3]{};
    for (Message& message : messages)
        message.write(Envelope().addressed(0, static_cast<std::uint32_t>(length), 0, 0));
    const Offer offer{.sender = 0, .buffer = from, .copies = 3};
    REQUIRE(transfer.offer(messages[0], offer));
    REQUIRE(transfer.repeat(messages[1], offer));
    REQUIRE(transfer.repeat(messages[2], offer));
    for (Message& message : messages)
        bring_queued(message, offer);
    for (unsigned receiver = 1; receiver < 3; ++receiver) {
        const auto place = transfer.accept(messages[receiver], receiver, around.block(receiver));
        REQUIRE(place);
        CHECK(holds(*place, 9, length));
    }
    transfer.drop(messages[0]);
    for (unsigned owner = 0; owner < 3; ++owner)
        around.blocks.release_all(owner);
    CHECK(around.buffers.used_units() == 0);
    CHECK(around.blocks.used_units() == 0);
}

template <class X>
void refuses_bad_buffers()
{
    Surroundings around;
    X transfer = around.make<X>();
    const UserAddress from = around.block(0);
    Message message{};
    message.write(Envelope().addressed(0, 300, 0, 0));
    hosted::forbid(reinterpret_cast<void*>(from.value), 70000);
    if (const auto offered = transfer.offer(message, {.sender = 0, .buffer = from, .copies = 1}); offered) {
        const auto place = transfer.accept(message, 1, around.block(1));
        CHECK((place || place.error() == Error::bad_buffer)); // where no byte moves, none can be refused
    } else {
        CHECK(offered.error() == Error::bad_buffer);
    }
    hosted::forbid(nullptr, 0);
    CHECK(around.buffers.used_units() == 0);
    char own[300] = {};
    const UserAddress unshared{reinterpret_cast<std::uintptr_t>(own)};
    const auto refused = transfer.offer(message, {.sender = 0, .buffer = unshared, .copies = 1});
    CHECK(refused.has_value() == !(X::capabilities & PARLEY_BUFFERS_MUST_BE_SHARED));
    if (refused)
        transfer.drop(message);
    else
        CHECK(refused.error() == Error::not_shared);
    CHECK(around.buffers.used_units() == 0);
}

} // namespace

TEST_CASE("every transfer brings short and long messages and leaves nothing behind")
{
    testing::for_each_leaf<TransferLeaves<>>([]<class X>() {
        INFO(std::string(X::name));
        for (const std::size_t length : {1, 100, 104, 105, 65536})
            brings_the_bytes<X>(length);
    });
}

TEST_CASE("every transfer brings every byte of a message, whatever its length")
{
    testing::for_each_leaf<TransferLeaves<>>([]<class X>() {
        for (std::size_t length = 1; length <= 300; ++length) {
            INFO("transfer=" + std::string(X::name) << ", bytes: " << length);
            brings_the_bytes<X>(length);
        }
        for (const std::size_t edge : {page_bytes, 2 * page_bytes, 16 * page_bytes})
            for (std::size_t length = edge - 2; length <= edge + 2; ++length) {
                INFO("transfer=" + std::string(X::name) << ", bytes: " << length);
                brings_the_bytes<X>(length);
            }
    });
}

TEST_CASE("every transfer serves a broadcast, also when a receiver is gone")
{
    testing::for_each_leaf<TransferLeaves<>>([]<class X>() {
        INFO(std::string(X::name));
        reaches_several_and_drops_the_rest<X>(50);
        reaches_several_and_drops_the_rest<X>(5000);
    });
}

TEST_CASE("every transfer refuses bad buffers and leaves nothing behind")
{
    testing::for_each_leaf<TransferLeaves<>>([]<class X>() {
        INFO(std::string(X::name));
        refuses_bad_buffers<X>();
    });
}

TEST_CASE("every transport routes to the destination or to a helper of the job")
{
    testing::for_each_leaf<TransportLeaves>([]<class T>() {
        INFO(std::string(T::name));
        constexpr unsigned processes = 5;
        const T transport = testing::made<T>();
        for (unsigned destination = 0; destination < processes; ++destination) {
            const unsigned route = transport.route(destination, processes);
            const bool is_helper = route >= processes && route < processes + T::helpers;
            CHECK((route == destination || is_helper));
        }
    });
}
