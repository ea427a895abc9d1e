// SPDX-License-Identifier: MIT
// What the queues of packets and blocks have alone, in every order of steps: queues so short that senders
// want the same packet, processes that end anywhere, long messages, and which order they keep.
#include "messaging/port/fifo.hpp"
#include "messaging/port/lock_free.hpp"
#include "messaging/port/ticket_claim.hpp"
#include "testing/catch.hpp"
#include "testing/claim_plays.hpp"

#include <memory>
#include <optional>

using namespace parley;
using namespace parley::messaging;
using namespace parley::testing;

namespace {

enum class Order { block_first, packet_first };

// Two senders put a long message each in a queue that has one block, and wait with what they have claimed;
// the receiver takes both.
explorer::Play long_messages(Order order)
{
    auto scene = std::make_shared<ClaimScene>(tight<LockFreePort, 4, 1>);
    auto& port = static_cast<LockFreePort&>(scene->port);
    auto freed = std::make_shared<Atomic<unsigned>>(0); // how many messages have been taken
    const auto claim = [=](const auto& step) {
        unsigned seen = freed->load();
        std::optional<std::uint64_t> number = step();
        while (!number) {
            while (freed->load() == seen)
                explorer::spin();
            seen = freed->load();
            number = step();
        }
        return *number;
    };
    const auto send = [=, &port](unsigned caller) {
        std::uint64_t block = 0, packet = 0;
        const auto claim_block = [&] { block = claim([&] { return port.claim().claim_block(caller); }); };
        if (order == Order::block_first)
            claim_block();
        packet = claim([&] { return port.claim().claim_packet(caller); });
        if (order == Order::packet_first)
            claim_block();
        const Envelope envelope = Envelope({}, 0).addressed(caller, long_bytes, 0, 0);
        (void)port.publish(caller, {packet, block}, envelope, &scene->memory[caller]);
    };
    explorer::Play play;
    for (const unsigned caller : {0, 1})
        play.parties.push_back([=] { send(caller); });
    play.parties.push_back([=] {
        while (scene->taken.size() < 2) {
            const unsigned count = scene->take_all();
            if (count != 0)
                freed->fetch_add(count);
            else
                explorer::spin();
        }
    });
    play.check = [=] { return scene->taken.size() == 2 ? "" : "a message was lost"; };
    return play;
}

// The queue has two packets and is full, and the receiver takes both. A sender finds the first one free and
// sets the limit, which says that the second is free, too; another sender fills that without a look at it.
explorer::Play a_packet_within_the_limit(const PortLeaf& leaf)
{
    auto scene = std::make_shared<ClaimScene>(leaf);
    auto sent = std::make_shared<explorer::Noted<unsigned>>(0);
    const auto put = [=](unsigned caller, std::uint32_t number) {
        *sent += scene->put(caller, number, whole_bytes) ? 1 : 0;
    };
    put(0, 0), put(0, 1);
    explorer::Play play;
    play.parties.push_back([=] { scene->take_all(2); });
    play.parties.push_back([=] { put(0, 2); });
    play.parties.push_back([=] { put(1, 3); });
    play.check = [=]() -> std::string {
        scene->take_all();
        return scene->taken.size() == *sent && scene->times(1000) == 0 ? "" : "a message was lost or doubled";
    };
    return play;
}

} // namespace

TEST_CASE("senders that want the same packet lose and double nothing in any order of steps")
{
    for (const std::uint32_t length : {0u, whole_bytes, long_bytes}) {
        INFO(length << " bytes");
        const unsigned preemptions = length == long_bytes ? 1 : 2;
        CHECK(fault_in_orders(preemptions,
                              [=] { return a_queue_of_two(tight<FifoPort, 2, 1>, length, true); }) == "");
        CHECK(fault_in_orders(preemptions, [=] {
                  return a_queue_of_two(tight<LockFreePort, 2, 1>, length, false);
              }) == "");
        // The other locks are claims of the same queue (messaging/port/lock_claim.hpp).
        CHECK(fault_in_orders(
                  1, [=] { return a_queue_of_two(tight<TicketClaimPort, 2, 1>, length, true); }) == "");
    }
    CHECK(fault_in_orders(1, [=] { return a_queue_of_two(tight<FifoPort, 1, 1, 0, 1>, 0, true); }) == "");
    CHECK(fault_in_orders(1, [=] { return a_queue_of_two(tight<LockFreePort, 1, 1, 0, 1>, 0, false); }) ==
          "");
}

TEST_CASE("a packet that is free by the limit has been read, whatever its sender has seen of it")
{
    for (const PortLeaf& leaf : {tight<FifoPort, 2, 1>, tight<TicketClaimPort, 2, 1>}) {
        INFO(std::string(leaf.name));
        CHECK(fault_in_orders(2, [=] { return a_packet_within_the_limit(leaf); }) == "");
    }
}

TEST_CASE("whoever ends in a queue that is full holds nobody up, at any step")
{
    for (const std::uint32_t length : {0u, whole_bytes, long_bytes}) {
        INFO(length << " bytes");
        for (const PortLeaf& leaf : {tight<FifoPort, 2, 1>, tight<FifoPort, 1, 1>, tight<LockFreePort, 2, 1>,
                                     tight<LockFreePort, 1, 1>})
            CHECK(fault_in_orders(2, [=] { return a_sender_that_ends(leaf, length); }) == "");
        for (const PortLeaf& leaf : {tight<FifoPort, 2, 2>, tight<LockFreePort, 2, 2>})
            CHECK(fault_in_orders(2, [=] { return a_taker_that_ends(leaf, length); }) == "");
    }
}

TEST_CASE("the explorer finds that a message overtakes another in a lock-free queue that is full")
{
    const explorer::ExplorationOutcome outcome =
        explorer::explore({}, [] { return a_queue_of_two(tight<LockFreePort, 2, 1>, 0, true); });
    CHECK(outcome.failure.starts_with("a message overtook the one before it"));
}

TEST_CASE("senders of long messages go on if each claims its block first, and deadlock if its packet first")
{
    CHECK(fault_in_orders(1, [] { return long_messages(Order::block_first); }) == "");
    const explorer::ExplorationOutcome outcome =
        explorer::explore({.preemptions = 2}, [] { return long_messages(Order::packet_first); });
    CHECK(outcome.failure.starts_with("a party waits for ever"));
}
