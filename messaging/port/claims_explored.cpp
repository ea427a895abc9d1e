// SPDX-License-Identifier: MIT
// What the queues of packets and blocks have alone, in every order of steps: queues so short that senders
// want the same packet, processes that end anywhere, long messages, and which order they keep.
#include "messaging/port/fifo.hpp"
#include "messaging/port/lock_free.hpp"
#include "messaging/port/ticket_claim.hpp"
#include "sched/synchronization/spinning.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"
#include "testing/made_port.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace parley;
using namespace parley::messaging;

namespace {

// A port of so many packets and blocks, which no design can ask for.
template <class P, std::uint64_t packets, std::uint64_t blocks, std::uint64_t increment = 0>
constexpr testing::PortLeaf tight{P::name, [](const PortParts& parts) {
                                      const LeafValues values{packets, blocks, 0, increment};
                                      return std::shared_ptr<Port>(std::make_shared<P>(parts, values));
                                  }};

constexpr std::uint32_t long_bytes = Message::short_bytes + 1;

struct Scene {
    explicit Scene(const testing::PortLeaf& leaf) : made(leaf) { }

    testing::MadePort made;
    Port& port = *made;
    sched::ShortLock lock; // the mailbox's
    std::array<Message, 8> memory{};
    std::vector<std::uint32_t> taken;

    // Tries a message, which is the number of its memory.
    bool put(unsigned caller, std::uint32_t number, std::uint32_t length = 0)
    {
        return port.put(caller, Envelope({}, 0).addressed(number, length, 0, 0), &memory[number]);
    }
    // As a sender does: it takes what is there until the message is in.
    void send(unsigned caller, std::uint32_t number, std::uint32_t length = 0)
    {
        while (!put(caller, number, length))
            if (take_all() == 0)
                explorer::spin();
    }
    unsigned take_all(unsigned most = ~0u)
    {
        const sched::ShortGuard guard(lock);
        unsigned count = 0;
        for (; count < most; ++count) {
            const Taken found = port.take(0);
            if (!found)
                break;
            const std::uint32_t number = found.envelope().type();
            const bool is_right = found.memory() == &memory[number % memory.size()];
            const explorer::Aside aside;
            taken.push_back(is_right ? number : 1000);
        }
        return count;
    }
    long position(std::uint32_t number) const
    {
        const auto at = std::ranges::find(taken, number);
        return at == taken.end() ? -1 : at - taken.begin();
    }
    long times(std::uint32_t number) const { return std::ranges::count(taken, number); }
};

// Two senders want more packets than there are, and take what they find, as the owner does.
explorer::Play a_queue_of_two(const testing::PortLeaf& leaf, std::uint32_t length, bool keeps_order)
{
    auto scene = std::make_shared<Scene>(leaf);
    explorer::Play play;
    play.parties.push_back([=] { scene->send(0, 0, length); });
    play.parties.push_back([=] { scene->send(1, 1, length), scene->send(1, 2, length); });
    play.parties.push_back([=] { scene->take_all(1), scene->take_all(1); });
    play.check = [=]() -> std::string {
        scene->take_all();
        for (const std::uint32_t number : {0, 1, 2})
            if (scene->times(number) != 1)
                return "a message was lost or doubled";
        if (scene->taken.size() != 3)
            return "a message came with another's memory";
        return keeps_order && scene->position(1) > scene->position(2) ? "a message overtook the one before it"
                                                                      : "";
    };
    return play;
}

// The first sender ends at any step of its messages, of which the second finds the queue full. The other goes
// on.
explorer::Play a_sender_that_ends(const testing::PortLeaf& leaf, std::uint32_t length)
{
    auto scene = std::make_shared<Scene>(leaf);
    explorer::Play play;
    play.parties.push_back([=] {
        for (const std::uint32_t number : {1, 2})
            (void)scene->put(0, number, length);
    });
    play.parties.push_back([=] { scene->send(1, 3, length); });
    play.parties.push_back([=] {
        explorer::end(0);
        (void)scene->port.leave(0);
        explorer::changed();
    });
    play.check = [=]() -> std::string {
        if (scene->port.leave(0))
            return "it had something left to leave";
        for (const std::uint32_t number : {4, 5, 6})
            for (unsigned round = 0; !scene->put(1, number, length); ++round)
                if (scene->take_all() == 0 && round > 0)
                    return "another finds no room";
        scene->take_all();
        for (const std::uint32_t number : {3, 4, 5, 6})
            if (scene->times(number) != 1)
                return "another's message is held up, lost or doubled";
        if (scene->times(1000) != 0 || scene->times(1) > 1 || scene->times(2) > 1)
            return "the messages of the process that has ended came out wrong";
        return "";
    };
    return play;
}

// One party ends in its take(), at any step, and then another takes the messages that are left.
explorer::Play a_taker_that_ends(const testing::PortLeaf& leaf, std::uint32_t length)
{
    auto scene = std::make_shared<Scene>(leaf);
    scene->send(1, 1, length);
    (void)scene->put(1, 2, length);
    explorer::Play play;
    play.parties.push_back([=] { (void)scene->port.take(0), (void)scene->port.take(0); });
    play.parties.push_back([=] { (void)scene->put(1, 3, 0); });
    play.parties.push_back([=] {
        explorer::end(0);
        (void)scene->port.leave(0);
        scene->take_all();
    });
    play.check = [=]() -> std::string {
        for (const std::uint32_t number : {4, 5, 6})
            for (unsigned round = 0; !scene->put(1, number, length); ++round)
                if (scene->take_all() == 0 && round > 0)
                    return "there is no room behind it";
        scene->take_all();
        for (const std::uint32_t number : {1, 2, 3})
            if (scene->times(number) > 1)
                return "a message came out twice";
        for (const std::uint32_t number : {4, 5, 6})
            if (scene->times(number) != 1)
                return "a message behind it is held up, lost or doubled";
        return scene->times(1000) == 0 ? "" : "a message came with another's memory";
    };
    return play;
}

enum class Order { block_first, packet_first };

// Two senders put a long message each in a queue that has one block, and wait with what they have claimed;
// the receiver takes both.
explorer::Play long_messages(Order order)
{
    auto scene = std::make_shared<Scene>(tight<LockFreePort, 4, 1>);
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
        const auto claim_block = [&] { block = claim([&] { return port.claim_block(caller); }); };
        if (order == Order::block_first)
            claim_block();
        packet = claim([&] { return port.claim_packet(caller); });
        if (order == Order::packet_first)
            claim_block();
        const Envelope envelope = Envelope({}, 0).addressed(caller, long_bytes, 0, 0);
        port.publish(caller, packet, envelope, &scene->memory[caller], block);
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

std::string fault(unsigned preemptions, const std::function<explorer::Play()>& make_play)
{
    const explorer::Outcome outcome =
        explorer::explore({.preemptions = preemptions, .weak_executions = 1000}, make_play);
    return outcome.failure.empty() && outcome.executions < 10 ? "there is only one order" : outcome.failure;
}

} // namespace

TEST_CASE("senders that want the same packet lose and double nothing in any order of steps")
{
    for (const std::uint32_t length : {0u, long_bytes}) {
        INFO(length << " bytes");
        const unsigned preemptions = length == 0 ? 2 : 1;
        CHECK(fault(preemptions, [=] { return a_queue_of_two(tight<FifoPort, 2, 1>, length, true); }) == "");
        CHECK(fault(preemptions, [=] { return a_queue_of_two(tight<LockFreePort, 2, 1>, length, false); }) ==
              "");
        // The other locks are claims of the same queue (messaging/port/locked_queue.hpp).
        CHECK(fault(1, [=] { return a_queue_of_two(tight<TicketClaimPort, 2, 1>, length, true); }) == "");
    }
    CHECK(fault(1, [=] { return a_queue_of_two(tight<FifoPort, 1, 1, 1>, 0, true); }) == "");
    CHECK(fault(1, [=] { return a_queue_of_two(tight<LockFreePort, 1, 1, 1>, 0, false); }) == "");
}

TEST_CASE("whoever ends in a queue that is full holds nobody up, at any step")
{
    for (const std::uint32_t length : {0u, long_bytes}) {
        INFO(length << " bytes");
        for (const testing::PortLeaf& leaf : {tight<FifoPort, 2, 1>, tight<FifoPort, 1, 1>,
                                              tight<LockFreePort, 2, 1>, tight<LockFreePort, 1, 1>})
            CHECK(fault(2, [=] { return a_sender_that_ends(leaf, length); }) == "");
        for (const testing::PortLeaf& leaf : {tight<FifoPort, 2, 2>, tight<LockFreePort, 2, 2>})
            CHECK(fault(2, [=] { return a_taker_that_ends(leaf, length); }) == "");
    }
}

TEST_CASE("the explorer finds that a message overtakes another in a lock-free queue that is full")
{
    const explorer::Outcome outcome =
        explorer::explore({}, [] { return a_queue_of_two(tight<LockFreePort, 2, 1>, 0, true); });
    CHECK(outcome.failure.starts_with("a message overtook the one before it"));
}

TEST_CASE("senders of long messages go on if each claims its block first, and deadlock if its packet first")
{
    CHECK(fault(1, [] { return long_messages(Order::block_first); }) == "");
    const explorer::Outcome outcome =
        explorer::explore({.preemptions = 2}, [] { return long_messages(Order::packet_first); });
    CHECK(outcome.failure.starts_with("a party waits for ever"));
}
