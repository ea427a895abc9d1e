// SPDX-License-Identifier: MIT
// Active Messages of one process, as those see it who send to it and whom it sends to, without threads.
#include "messaging/active/endpoint.hpp"
#include "messaging/behaviours/basics.hpp"
#include "testing/catch.hpp"
#include "testing/fake_job.hpp"

#include <cstring>
#include <deque>
#include <string>
#include <string_view>

using namespace parley;
using namespace parley::messaging;
using testing::answer;
using testing::FakeJob;
using testing::FakePort;

namespace {

constexpr std::uint64_t active = std::uint64_t{PARLEY_CONTEXT_ACTIVE} << PARLEY_CONTEXT_SHIFT;
constexpr long request = 4, reply = 5; // types
constexpr std::string_view packet = "a packet of forty bytes, to its last one";

std::uint32_t room_of_ports = 0;

// The ports that have been made, in their order: requests, replies of each process that was sent to.
std::deque<FakePort>& made_ports()
{
    static std::deque<FakePort> ports;
    return ports;
}
Result<Port*> make_fake_port(std::byte*, const LeafValues&, const PortParts&)
{
    made_ports().emplace_back().bytes_in_entry = room_of_ports;
    return &made_ports().back();
}

struct Job : FakeJob {
    ActiveMaker<Factors> maker{{make_fake_port, {}, 0}, 0, {nodes, heap}, {}, nodes};
    Progress<Factors> progress{peer(0), router, location, transfer, budget};
    Outbox<Factors> outbox{peer(0), budget};
    ActiveEndpoint<Factors> endpoint{peer(0), router, progress, outbox, directory, location, &maker};
    std::string room = std::string(PARLEY_ACTIVE_BYTES, '?');

    explicit Job(std::uint32_t bytes = 0)
    {
        made_ports().clear();
        room_of_ports = bytes;
        outbox.set_header(Envelope({0, 0}, 0));
        Binding binding(bytes);
        binding.limit_spin(2);
        endpoint.bind(binding, peers.data(), peers.data());
        endpoint.set_header(outbox.header());
    }

    long send(long type, long to, long length = packet.size())
    {
        const UserAddress from{reinterpret_cast<std::uintptr_t>(packet.data())};
        const long way = find(type, to);
        if (way < 0)
            return way;
        const auto contents = static_cast<std::uint64_t>(type) | static_cast<std::uint64_t>(length) << 32;
        const auto led = static_cast<std::uint64_t>(way);
        return endpoint.is_carried() ? endpoint.send_carried(led, contents, from)
                                     : endpoint.send(led, contents, from);
    }
    long find(long type, long to) { return endpoint.find(type, to, active).number(); }
    // The type of what has come, or minus an error.
    long take(long how = PARLEY_TAKES_ANY)
    {
        const ReceiveStatus found = endpoint.take(how, {reinterpret_cast<std::uintptr_t>(room.data())});
        return found ? static_cast<long>(found.envelope().type()) : answer(found.error());
    }
    bool has_packet() const { return std::string_view(room).substr(0, packet.size()) == packet; }
    FakePort& requests() { return made_ports()[0]; }
    FakePort& replies() { return made_ports()[1]; }
};

} // namespace

TEST_CASE("an Active Message goes straight into the queue of requests or of replies")
{
    const std::uint32_t bytes = GENERATE(0, Message::short_bytes);
    Job job(bytes);
    CHECK(job.take() == answer(Error::would_block));
    CHECK(job.send(request, 0) == 0);
    CHECK(job.send(reply, 0) == 0);
    CHECK(job.requests().entries().size() == 1);
    CHECK(job.replies().entries().size() == 1);
    CHECK((job.requests().entries().front().memory == nullptr) == (bytes != 0));
    CHECK(job.ports[0].entries().empty());

    CHECK(job.take(PARLEY_TAKES_REPLIES) == reply);
    CHECK(job.has_packet());
    CHECK(job.take(PARLEY_TAKES_REPLIES) == answer(Error::would_block));
    job.room.assign(PARLEY_ACTIVE_BYTES, '?');
    CHECK(job.take() == request);
    CHECK(job.has_packet());
    CHECK(job.room[packet.size()] == '?');
    CHECK(job.take() == answer(Error::would_block));
}

TEST_CASE("a take that goes on takes what one that does not would")
{
    Job job;
    CHECK(job.take(PARLEY_TAKES_AND_GOES_ON) == answer(Error::would_block));
    CHECK(job.send(request, 0) == 0);
    CHECK(job.take(PARLEY_TAKES_REPLIES | PARLEY_TAKES_AND_GOES_ON) == answer(Error::would_block));
    CHECK(job.send(reply, 0) == 0);
    CHECK(job.take(PARLEY_TAKES_REPLIES | PARLEY_TAKES_AND_GOES_ON) == reply);
    CHECK(job.take(PARLEY_TAKES_AND_GOES_ON) == request);
    CHECK(job.send(reply, 0) == 0);
    CHECK(job.take(PARLEY_TAKES_AND_GOES_ON) == reply);
}

TEST_CASE("the memory of an Active Message comes back to its sender")
{
    Job job;
    for (int i = 0; i < 1000; ++i) {
        REQUIRE(job.send(request, 0) == 0);
        REQUIRE(job.take() == request);
    }
    CHECK(job.heap.used_units() < 100);
}

TEST_CASE("the destination hears of an Active Message if it listens, and else looks by itself")
{
    Job job;
    Waiter<>& waiter = job.peer(1).waiter;
    const unsigned before = waiter.sequence();
    CHECK(job.send(request, 1) == 0);
    CHECK(waiter.sequence() == before);
    waiter.status().set_listens();
    CHECK(job.send(request, 1) == 0);
    CHECK(job.send(reply, 1) == 0);
    CHECK(waiter.sequence() == before + 2);
}

TEST_CASE("what finds the port full is kept, and taken in its turn")
{
    const std::uint32_t bytes = GENERATE(0, Message::short_bytes);
    Job job(bytes);
    REQUIRE(job.send(request, 0) == 0);
    job.requests().capacity = 1;
    for (int i = 1; i < 5; ++i)
        REQUIRE(job.send(request + 2 * i, 0) == 0);
    for (int i = 0; i < 5; ++i) {
        job.room.assign(PARLEY_ACTIVE_BYTES, '?');
        REQUIRE(job.take() == request + 2 * i);
        REQUIRE(job.has_packet());
    }
    CHECK(job.take() == answer(Error::would_block));
    CHECK(job.ports[0].entries().empty());
}

TEST_CASE("who is no destination of Active Messages is answered with the reason")
{
    Job job;
    CHECK(job.find(request, 1) > 0);
    CHECK(job.find(request, 1) != job.find(reply, 1));
    CHECK(job.send(request, 1, 0) == answer(Error::bad_length));
    CHECK(job.send(request, FakeJob::nodes) == answer(Error::bad_node));
    CHECK(job.send(request, -1) == answer(Error::bad_node));
    CHECK(job.send(-2, 1) == answer(Error::bad_type));
    CHECK(job.send(request, 1, PARLEY_ACTIVE_BYTES + 1) == answer(Error::bad_length));
    job.location.copy_error = [] { return Error::bad_buffer; };
    CHECK(job.send(request, 1) == answer(Error::bad_buffer));
    job.location.copy_error = [] { return std::nullopt; };
    const std::array routes{&job.peer(0), &job.peer(1), &job.peer(1)};
    job.endpoint.bind(Binding(0), routes.data(), job.peers.data());
    job.peer(1).waiter.status().set_routed();
    CHECK(job.send(request, 2) == answer(Error::would_block));
    job.peer(1).waiter.set_state(EndpointState::killed);
    CHECK(job.send(request, 1) == answer(Error::closed));
}

TEST_CASE("a way that no find has answered is refused, and so is another kind of message on it")
{
    Job job(GENERATE(0u, std::uint32_t{Message::short_bytes}));
    const long way = job.find(request, 1);
    REQUIRE(way > 0);
    const std::uint64_t led = static_cast<std::uint64_t>(way), length = std::uint64_t{packet.size()} << 32;
    const auto put = [&](std::uint64_t by, std::uint64_t contents) {
        const UserAddress from{reinterpret_cast<std::uintptr_t>(packet.data())};
        return job.endpoint.is_carried() ? job.endpoint.send_carried(by, contents, from)
                                         : job.endpoint.send(by, contents, from);
    };
    CHECK(put(led, length | request) == 0);
    CHECK(put(led, length | reply) == answer(Error::bad_process));
    CHECK(put(led, length | 0x80000000 | request) == answer(Error::bad_type));
    CHECK(put(0, length | reply) == answer(Error::bad_process));
    CHECK(put(2 * FakeJob::nodes + 1, length | request) == answer(Error::bad_process));
    CHECK(put(~std::uint64_t{0}, length | request) == answer(Error::bad_process));
    CHECK(put(1, length | request) == answer(Error::bad_process)); // nobody has asked for that one's queues
    CHECK(job.requests().entries().size() == 1);
    CHECK(job.replies().entries().empty());
}

TEST_CASE("Active Messages to a process that is no more are over, and hold nothing")
{
    const std::uint32_t bytes = GENERATE(0, Message::short_bytes);
    Job job(bytes);
    REQUIRE(job.send(request, 1) == 0);
    REQUIRE(job.send(reply, 1) == 0);
    if (bytes == 0)
        CHECK_FALSE(job.has_come_back(job.requests().entries().front().memory->opened()));
    job.peer(1).waiter.set_state(EndpointState::ended);
    REQUIRE(job.send(request, 1) == 0); // whoever sends then cleans up
    CHECK(job.requests().entries().empty());
    CHECK(job.replies().entries().empty());
    CHECK(job.transfer.asked().empty());
}

TEST_CASE("a wait for Active Messages ends when one has come, or another message that is asked for")
{
    Job job;
    const bool comes_elsewhere = GENERATE(false, true);
    job.synchronization.meanwhile = [&] {
        if (comes_elsewhere) {
            Message& message = job.message(1, 8);
            message.write(Envelope::of_words(message.contents(), message.sender() | active));
            job.put(0, message);
        } else {
            REQUIRE(job.send(reply, 0) == 0);
        }
    };
    CHECK(job.endpoint.await(8, active, PARLEY_SENDER_CONTEXT).number() == 0);
    CHECK(job.synchronization.waits == 1);
    job.synchronization.kills = true;
    CHECK(job.endpoint.await(8, active, PARLEY_SENDER_CONTEXT).number() == 0);
    if (!comes_elsewhere) {
        CHECK(job.take() == reply);
        CHECK(job.has_packet());
    }
    CHECK(job.endpoint.await(0, 0, 0).number() == answer(Error::killed));
}

TEST_CASE("a wait that sees a message in its port leaves it there")
{
    const long type = GENERATE(request, reply);
    Job job(Message::short_bytes);
    REQUIRE(job.send(request, 0) == 0);
    REQUIRE(job.take() == request);
    for (FakePort* const port : {&job.requests(), &job.replies()})
        port->shown = Sight::nothing;
    REQUIRE(job.send(type, 0) == 0);
    FakePort& port = type == request ? job.requests() : job.replies();
    port.shown = Sight::message;
    CHECK(job.endpoint.await(0, 0, 0).number() == 0);
    CHECK(port.entries().size() == 1);
    CHECK(job.take() == type);
    CHECK(job.has_packet());
}

TEST_CASE("while its process waits for something else, a monitor finds what nobody has taken")
{
    const std::uint32_t bytes = GENERATE(0, Message::short_bytes);
    Job job(bytes);
    REQUIRE(job.send(request, 0) == 0);
    REQUIRE(job.send(reply, 0) == 0);
    CHECK(job.records[0].active_requests.load()->first() == nullptr);
    job.synchronization.kills = true;
    const Result<void> waited = job.progress.await({WaitReason::message, 7, 0, -1}, [] { return false; });
    CHECK(waited.error() == Error::killed);
    for (const auto& [list, type] : {std::pair{&job.records[0].active_requests, request},
                                     std::pair{&job.records[0].active_replies, reply}}) {
        const Message* const message = list->load()->first();
        REQUIRE(message != nullptr);
        CHECK(static_cast<long>(message->type()) == type);
        CHECK(message->next == nullptr);
    }
    CHECK(job.take(PARLEY_TAKES_REPLIES) == reply);
    CHECK(job.has_packet());
    CHECK(job.take() == request);
    CHECK(job.has_packet());
    CHECK(job.records[0].active_requests.load()->first() == nullptr);
}

namespace {

// Ports that take 1000 bytes each, of which `left` may be made.
unsigned left = 0;
Result<Port*> make_costly_port(std::byte* place, const LeafValues& values, const PortParts& parts)
{
    if (!parts.allocate(1000) || left == 0)
        return std::unexpected(Error::no_memory);
    --left;
    return make_fake_port(place, values, parts);
}

} // namespace

TEST_CASE("what queues have taken of the budget goes back when they cannot be made")
{
    for (const unsigned made : {0u, 1u}) {
        left = made;
        Job job;
        ActiveMaker<FakeJob::Factors> maker{
            {make_costly_port, {}, 0}, 4, {FakeJob::nodes, job.heap}, {}, FakeJob::nodes};
        const std::size_t before = job.heap.used_units();
        CHECK(!maker.queues_of(job.peer(1)));
        CHECK(job.heap.used_units() == before);
        CHECK(maker.budget_units() == 0);
    }
    left = 2;
    Job job;
    ActiveMaker<FakeJob::Factors> maker{
        {make_costly_port, {}, 0}, 4, {FakeJob::nodes, job.heap}, {}, FakeJob::nodes};
    const std::size_t before = job.heap.used_units();
    CHECK(maker.queues_of(job.peer(1)));
    CHECK(job.heap.used_units() - before == maker.budget_units());
}

TEST_CASE("where the budget has no room for a process's queues, its senders are told so")
{
    Job job;
    (void)job.use_up_budget();
    CHECK(job.send(request, 1) == answer(Error::no_memory));
    CHECK(job.send(request, 1) == answer(Error::no_memory));
}
