// SPDX-License-Identifier: MIT
#include "messaging/port/packet_queue.hpp"
#include "testing/catch.hpp"
#include "testing/fatal.hpp"
#include "testing/lone_taker.hpp"
#include "testing/mapped_memory.hpp"

#include <vector>

using namespace parley;
using namespace parley::messaging;

namespace {

struct Job {
    explicit Job(std::size_t bytes)
        : memory(bytes), table(BuddyHeap::table_bytes(bytes)), heap(memory.start(), bytes, table.start())
    {
        REQUIRE(heap.start());
    }
    PortParts parts(unsigned endpoints) { return {endpoints, heap}; }

    testing::MappedMemory memory, table;
    BuddyHeap heap;
};

constexpr auto nothing_is_lost = [](std::uint64_t) { return false; };

Envelope numbered(std::uint32_t type, std::uint32_t length = 0)
{
    return Envelope({}, 0).addressed(type, length, 0, 0);
}

} // namespace

TEST_CASE("a queue has the packets that it is told, and fewer where the budget is small")
{
    Job large(1 << 20), small(64 << 10);
    CHECK(PacketQueue(large.parts(2), {1024, 16}).packets().count() == 1024);
    CHECK(PacketQueue(small.parts(2), {1024, 16}).packets().count() == 64); // and memory for a sixteenth
    CHECK(PacketQueue(small.parts(16), {1024, 4}).packets().count() == 16);
}

TEST_CASE("a queue for which the budget has no memory is not made")
{
    Job job(8 << 10);
    CHECK(PacketQueue(job.parts(1), {16, 16}).is_made());
    CHECK_FALSE(PacketQueue(job.parts(1), {16, 64}).is_made());
}

TEST_CASE("packets and blocks are used again in their order, one visit after the other")
{
    Job job(64 << 10);
    PacketQueue queue(job.parts(1), {16, 2});
    std::vector<Message> memory(3);
    for (std::uint64_t number = 0; number < 100; ++number) {
        Message& message = memory[number % 3];
        CHECK_FALSE(queue.take(testing::lone_taker, 0, nothing_is_lost));
        queue.fill(0, {number, number}, numbered(number, 1000), &message);
        CHECK(queue.blocks().at(number).size == 1000);
        const Taken taken = queue.take(testing::lone_taker, 0, nothing_is_lost);
        CHECK(taken.memory() == &message);
        CHECK(taken.envelope().type() == number);
        CHECK(slot::visit(queue.packets().at(number).word.load()) == number / 16 + 1);
        CHECK(queue.blocks().at(number).word.load() == slot::word(number / 2 + 1, slot::free));
    }
}

TEST_CASE("a queue takes as many short messages without memory as it can hold, and others with memory")
{
    Job job(64 << 10);
    PacketQueue queue(job.parts(1), {64, 2});
    std::uint64_t number = 0;
    while (queue.fill(0, {number, {}}, numbered(number), nullptr) == Put::in)
        ++number;
    CHECK(number == 7); // of eight slots: the message that was taken last may still need one
    Message message{};
    CHECK(queue.fill(0, {number + 1, {}}, numbered(number), &message) == Put::in);
    std::vector<Message*> held;
    for (std::uint64_t next = 0; next < number; ++next) {
        held.push_back(queue.hold(testing::lone_taker, queue.take(testing::lone_taker, 0, nothing_is_lost)));
        CHECK(held.back()->type() == next);
    }
    CHECK(queue.take(testing::lone_taker, 0, nothing_is_lost).memory() == &message); // past the empty one
    number += 2;
    CHECK(queue.fill(0, {number, {}}, numbered(number), nullptr) == Put::full);
    CHECK_FALSE(queue.take(testing::lone_taker, 0, nothing_is_lost));
    for (Message* const message_held : held)
        queue.release({*message_held, message_held});
    CHECK(queue.fill(0, {number + 1, {}}, numbered(number), nullptr) == Put::in);
}

TEST_CASE("a message is long from where it does not fit a message's own memory")
{
    CHECK_FALSE(PacketQueue::is_long(numbered(0, Message::short_bytes)));
    CHECK(PacketQueue::is_long(numbered(0, Message::short_bytes + 1)));
}

TEST_CASE("a packet is filled by whoever has claimed it, in its visit")
{
    Job job(64 << 10);
    PacketQueue queue(job.parts(2), {16, 2});
    Message message{};
    constexpr auto condition = "messaging/port/packet_queue.hpp: "
                               "slot::may_fill(packet.word.load(std::memory_order_relaxed), visit, caller)";
    const auto tripped = [&](unsigned caller, std::uint64_t number) {
        return testing::tripped_by([&] { queue.fill(caller, {number, {}}, numbered(1), &message); });
    };
    CHECK(tripped(1, 16) == condition); // the visit has not come
    queue.packets().at(0).word.store(slot::word(0, slot::claimed, 0));
    CHECK(tripped(1, 0) == condition); // another's
    queue.fill(0, {0, {}}, numbered(1), &message);
    CHECK(tripped(0, 0) == condition); // ready already
}

TEST_CASE("of a sender that has ended a packet is emptied, unless it has filled it")
{
    Job job(64 << 10);
    PacketQueue queue(job.parts(1), {16, 2});
    Message message{};
    CHECK(queue.fill(0, {0, {}}, numbered(1), &message) == Put::in);
    CHECK_FALSE(queue.empty(0, 0));
    CHECK(queue.empty(0, 1));
    CHECK(queue.take(testing::lone_taker, 0, nothing_is_lost).memory() == &message);
    CHECK_FALSE(queue.take(testing::lone_taker, 0, nothing_is_lost));
    CHECK(queue.head() == 2);
    CHECK_FALSE(queue.empty(0, 0)); // it is free in its next visit
}

TEST_CASE("a sender whose slot is not free pauses in doublings up to its limit")
{
    const auto rounds = [](std::uint64_t limit) {
        BackOff back_off(limit);
        unsigned count = 0;
        while (back_off.once())
            ++count;
        return count;
    };
    CHECK(rounds(0) == 0);
    CHECK(rounds(1) == 1);
    CHECK(rounds(2) == 1);
    CHECK(rounds(255) == 8);
}
