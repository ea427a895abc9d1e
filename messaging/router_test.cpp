// SPDX-License-Identifier: MIT
#include "messaging/router.hpp"

#include "testing/fake_job.hpp"

using namespace parley;
using namespace parley::messaging;
using testing::FakeJob;
using Types = std::vector<std::uint32_t>;

namespace {

// Process 1 puts and receives, 0 is put to, and 2 sends.
struct Job : FakeJob {
    using FakeJob::FakeJob;

    Party& caller() { return peer(1).waiter.party(); }
    // An irecv of process 0.
    void post(Receive& receive, std::int32_t type)
    {
        FakeJob::post(0, receive, type);
        signals(0);
    }
};

} // namespace

TEST_CASE("a message is put into the port of its destination, by its caller, and the destination is told")
{
    Job job;
    Message& message = job.message(1, 7);
    CHECK(job.router.put(job.caller(), job.peer(0), message).number() == 0);
    REQUIRE(job.ports[0].entries().size() == 1);
    CHECK(job.ports[0].entries().front().memory == &message);
    CHECK(job.ports[0].entries().front().caller == 1);
    CHECK(job.signals(0) == 1);
}

TEST_CASE("who finds a port full brings its messages to rest, and puts then")
{
    Job job;
    job.ports[0].capacity = 2;
    Receive receive;
    job.post(receive, 2);
    job.send(2, 0, 1);
    job.send(2, 0, 2);
    job.signals(0);
    CHECK(job.router.put(job.caller(), job.peer(0), job.message(1, 3)).number() == 0);
    CHECK(job.unexpected(0) == Types{1});
    CHECK(receive.state.is(ReceiveState::matched));
    CHECK(job.in_port(0) == Types{3});
    CHECK(job.signals(0) == 2); // the receive has its message, and the new one is there
}

TEST_CASE("who must end while a port is full still has its message")
{
    Job job;
    job.ports[0].capacity = 0;
    REQUIRE(job.peer(0).mailbox.enter()); // somebody else is in it
    job.synchronization.kills = true;
    Message& message = job.message(1, 3);
    const Outcome put = job.router.put(job.caller(), job.peer(0), message);
    CHECK(put.error() == Error::killed);
    CHECK_FALSE(job.has_come_back(message));
    CHECK(job.transfer.asked() == "");
    job.peer(0).mailbox.unlock_at_once();
}

TEST_CASE("what is put to a process that was killed is dropped, and what was put to one that ended as well")
{
    const EndpointState how = GENERATE(EndpointState::killed, EndpointState::ended);
    Job job;
    job.peer(0).waiter.set_state(how);
    Message& message = job.message(1, 3, "bytes");
    const Outcome put = job.router.put(job.caller(), job.peer(0), message);
    CHECK(put.number() == (how == EndpointState::killed ? -static_cast<long>(Error::closed) : 0));
    CHECK(job.transfer.asked() == "drop");
    CHECK(job.has_come_back(message));
    CHECK(job.in_port(0).empty());
    CHECK(job.records[0].unreceived.empty() == (how == EndpointState::killed));
}

TEST_CASE("a process that wants to be interrupted is, as soon as what it wants has been put")
{
    Job job;
    Receive receive;
    job.post(receive, 3);
    receive.notifies = true;
    StatusWord& status = job.peer(0).waiter.status();
    status.set_notification(Notification::armed);
    CHECK(job.router.put(job.caller(), job.peer(0), job.message(1, 2)).number() == 0);
    CHECK(status.notification() == Notification::armed); // nobody asked for that one
    CHECK(job.unexpected(0) == Types{2});
    CHECK(job.router.put(job.caller(), job.peer(0), job.message(1, 3)).number() == 0);
    CHECK(status.notification() == Notification::pending);
    CHECK(receive.state.is(ReceiveState::matched));
}

TEST_CASE("a message that is over goes back to where its memory is from")
{
    Job job;
    SECTION("its sender's pool")
    {
        Message& message = job.message(2, 1);
        job.router.complete(message);
        CHECK(job.has_come_back(message));
    }
    SECTION("the heap, where it has no slot in the pool")
    {
        const std::size_t used = job.heap.used_units();
        Message& message = *new (*job.heap.allocate(sizeof(Message))) Message;
        message.write(Envelope({2, 0}, 2));
        job.router.complete(message);
        CHECK(job.heap.used_units() == used);
    }
    SECTION("the port of its destination, which has held it")
    {
        Message& memory = job.message(2, 1);
        REQUIRE(job.peer(0).mailbox.put(2, memory, nullptr));
        Message& held = *job.peer(0).mailbox.next().value();
        REQUIRE(held.is_held());
        job.router.complete(held);
        CHECK(job.ports[0].released == 1);
        CHECK(job.has_come_back(memory)); // what stood for it
        CHECK_FALSE(job.heap.used_units() == 0);
    }
}

TEST_CASE("a message that is over is counted where it counts, and tells who waits")
{
    Job job;
    Message& message = job.message(2, 1);
    Completion completion;
    completion.expect(1);
    message.count_on(completion);
    SECTION("its sender, by the completion")
    {
        job.router.complete(message);
        CHECK(job.signals(2) == 1);
    }
    SECTION("its sender, which waits for returns")
    {
        job.peer(2).waiter.status().set_wants_delivery(true);
        job.router.complete(message);
        CHECK(job.signals(2) == 2);
    }
    SECTION("any process that waits for budget")
    {
        job.budget.announce(job.peer(1).waiter);
        job.router.complete(message);
        CHECK(job.signals(1) == 1);
    }
    CHECK(completion.is_reached());
    CHECK(message.completion() == nullptr);
    CHECK(job.signals(0) == 0);
}

TEST_CASE("what comes back to a sender that has ended is freed")
{
    Job job;
    Message& message = job.message(2, 1);
    job.peer(2).waiter.set_state(EndpointState::ended);
    job.router.complete(message);
    CHECK(job.heap.used_units() == 0);
}

TEST_CASE("what comes back to a sender that has ended is told to who waits for budget when it is free")
{
    Job job;
    Message& message = job.message(2, 1);
    const Envelope found = message;
    job.peer(2).waiter.set_state(EndpointState::ended);
    job.peer(2).delivery.pool().give_back(message.slot());
    job.budget.announce(job.peer(1).waiter);
    job.signals(1);
    (void)job.router.come_back(job.peer(2), found);
    CHECK(job.signals(1) == 1);
}

TEST_CASE("a receive that has given a message back ends with what it has received")
{
    Job job;
    const Envelope found = job.message(2, 9);
    job.peer(2).waiter.status().set_wants_delivery(true);
    CHECK(job.router.come_back(job.peer(2), found).envelope().type() == 9);
    CHECK(job.signals(2) == 1);
}

TEST_CASE("of a message that nobody will receive its protocol decides whose it is")
{
    Job job;
    Message& message = job.message(2, 1, "bytes");
    message.follow(job.protocol);
    job.protocol.sender_completes = GENERATE(false, true);
    job.router.discard(message);
    CHECK(job.protocol.asked() == "refused");
    CHECK(job.transfer.asked() == (job.protocol.sender_completes ? "" : "drop"));
    CHECK(job.has_come_back(message) != job.protocol.sender_completes);
}

TEST_CASE(
    "a message that nobody else knows of is dropped without its protocol, and one without bytes at once")
{
    Job job;
    Message& message = job.message(2, 1, "bytes");
    message.follow(job.protocol);
    job.router.drop(message);
    CHECK(job.protocol.asked() == "");
    CHECK(job.transfer.asked() == "drop");
    job.router.drop(job.message(2, 2));
    CHECK(job.transfer.asked() == "");
}

TEST_CASE("all that has reached a process is discarded, unexpected or still in its port")
{
    Job job;
    Message& unexpected = job.send(2, 0, 1);
    REQUIRE(job.peer(0).mailbox.look_into_port());
    Message& in_port = job.send(2, 0, 2);
    job.router.discard_all(job.caller(), job.peer(0));
    CHECK(job.has_come_back(unexpected));
    CHECK(job.has_come_back(in_port));
    CHECK((job.unexpected(0).empty() && job.in_port(0).empty()));
}
