// SPDX-License-Identifier: MIT
#include "messaging/outbox.hpp"

#include "testing/fake_job.hpp"

#include <set>

using namespace parley;
using namespace parley::messaging;
using testing::FakeJob;

namespace {

struct Job : FakeJob {
    using FakeJob::FakeJob;

    Outbox<Factors> outbox{peer(0), budget};
    MessagePool& pool = peer(0).delivery.pool();

    Message& next()
    {
        Message& message = **outbox.open(1, 0, 0);
        outbox.draw(message);
        return message;
    }
};

constexpr int in_pool = 31; // messages that have a slot in it

} // namespace

TEST_CASE("a message has its sender's envelope, what it is, and where it comes back to")
{
    Job job;
    job.outbox.set_header(Envelope({5, 6}, 0));
    const std::uint64_t context = parley_address(0, PARLEY_CONTEXT_LIBRARY);
    const bool is_spare = GENERATE(false, true);
    if (is_spare) {
        job.pool.give_back(job.next().slot());
        REQUIRE(job.outbox.has_next());
    }
    const Message& message =
        is_spare ? job.outbox.open_next(7, 8, context) : **job.outbox.open(7, 8, context);
    CHECK((message.node() == 5 && message.pid() == 6 && message.source() == 0));
    CHECK((message.type() == 7 && message.length() == 8));
    CHECK(message.context() == PARLEY_CONTEXT_LIBRARY);
    CHECK(message.home() == message.slot());
    CHECK(message.slot() != 0);
}

TEST_CASE("a process's first message brings spare ones from the budget, which are used before any more")
{
    Job job;
    CHECK_FALSE(job.outbox.has_next());
    std::set<Message*> messages{&job.next()};
    const std::size_t used = job.heap.used_units();
    while (job.outbox.has_next()) {
        messages.insert(&job.outbox.open_next(1, 0, 0));
        job.outbox.advance();
    }
    CHECK(messages.size() == 8);
    CHECK(job.heap.used_units() == used);
    messages.insert(&job.next());
    CHECK(messages.size() == 9);
    CHECK(job.heap.used_units() > used);
}

TEST_CASE("the next spare message stays the pool's until it is used")
{
    Job job;
    (void)job.next();
    REQUIRE(job.outbox.has_next());
    Message& opened = job.outbox.open_next(1, 0, 0);
    CHECK(&job.outbox.open_next(2, 0, 0) == &opened);
    CHECK(opened.type() == 2);
    job.outbox.advance();
    CHECK(&job.next() != &opened);
}

TEST_CASE("a message that is opened stays the pool's until it is drawn, with a slot or without")
{
    Job job;
    const bool has_place = GENERATE(true, false);
    for (int i = 0; i < in_pool && !has_place; ++i)
        (void)job.next();
    Message& message = **job.outbox.open(1, 0, 0);
    CHECK((message.slot() != 0) == has_place);
    CHECK(*job.outbox.open(2, 0, 0) == &message);
    CHECK(message.type() == 2);
    if (!has_place)
        job.pool.give_back(1); // by its receiver, meanwhile
    job.outbox.draw(message);
    if (!has_place)
        CHECK(job.next().slot() == 1);
    CHECK(*job.outbox.open(3, 0, 0) != &message);
}

TEST_CASE("messages that have come back are used before the budget is")
{
    Job job;
    std::set<Message*> messages;
    for (int i = 0; i < 8; ++i)
        messages.insert(&job.next());
    REQUIRE_FALSE(job.outbox.has_next());
    for (Message* const message : messages)
        job.pool.give_back(message->slot());
    CHECK(job.outbox.has_next());
    const std::size_t used = job.heap.used_units();
    for (int i = 0; i < 8; ++i)
        CHECK(messages.erase(&job.next()) == 1);
    CHECK(job.heap.used_units() == used);
}

TEST_CASE("a message more than the pool has slots for comes from the heap, and says that it has no home")
{
    Job job;
    std::set<unsigned> slots;
    for (int i = 0; i < in_pool; ++i)
        slots.insert(job.next().slot());
    CHECK(slots.size() == in_pool);
    CHECK_FALSE(slots.contains(0));
    const std::size_t before = job.heap.used_units();
    Message& message = job.next();
    CHECK(message.slot() == 0);
    CHECK(message.home() == 0);
    const std::size_t used = job.heap.used_units();
    CHECK(used == before + sizeof(Message) / BuddyHeap::unit_bytes); // nobody would keep another
}

TEST_CASE("where the budget has less than is asked for at once, there is a message as long as it has one")
{
    Job job;
    std::byte* const last = job.use_up_budget();
    CHECK(job.outbox.open(1, 0, 0).error() == Error::no_memory);
    job.heap.release(last);
    Message& message = job.next();
    CHECK_FALSE(job.outbox.has_next());
    CHECK(job.outbox.open(1, 0, 0).error() == Error::no_memory);
    job.pool.give_back(message.slot());
    CHECK(&job.next() == &message);
}
