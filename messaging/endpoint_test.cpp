// SPDX-License-Identifier: MIT
#include "messaging/endpoint.hpp"

#include "messaging/polling_leaves.hpp"
#include "testing/fake_job.hpp"

// It is the one of designs with virtual dispatch (message_system_virtual.cpp).
extern template class parley::messaging::ComposedEndpoint<parley::messaging::Factors<>>;

using namespace parley;
using namespace parley::messaging;
using testing::answer;
using testing::FakeJob;
using Types = std::vector<std::uint32_t>;

namespace {

constexpr std::uint32_t room = 16;

// The endpoint is that of process 0.
struct Job : FakeJob {
    const bool location_is_kernel; // before the endpoint asks
    testing::MappedMemory requests_room{Requests::room_bytes};
    sched::States states;
    ComposedEndpoint<Factors> endpoint{
        Shared<Factors>{location, interaction, transfer, directory, router, budget, blocks},
        ports[0],
        synchronization,
        records[0],
        states,
        0,
        requests_room.start()};
    parley_calls calls{};
    std::array<char, 64> buffer{};

    explicit Job(std::uint32_t bytes = 0, bool awaits = false, bool in_kernel = true)
        : location_is_kernel(location.is_kernel = in_kernel)
    {
        join(endpoint.peer());
        give_room(bytes);
        Binding binding(bytes);
        if (bytes != 0)
            binding.carry_bytes(bytes);
        if (awaits)
            binding.await_deliveries();
        interaction.awaits = awaits;
        binding.spin_limit = 0;
        endpoint.bind(binding, peers.data(), peers.data());
        calls = endpoint.calls();
        (void)endpoint.outbox().open(1, 0, 0); // and some more are spare
    }

    long csend(long type, long node, std::string_view bytes = "")
    {
        return calls.send(calls.self, type, reinterpret_cast<std::uintptr_t>(bytes.data()),
                          static_cast<long>(bytes.size()), node, 0);
    }
    long isend(long type, long node, std::string_view bytes = "")
    {
        return calls.start_send(calls.self, type, reinterpret_cast<std::uintptr_t>(bytes.data()),
                                static_cast<long>(bytes.size()), node, 0);
    }
    long irecv(long typesel, long maximum = 64)
    {
        return calls.start_receive(calls.self, typesel, reinterpret_cast<std::uintptr_t>(buffer.data()),
                                   maximum, 0, PARLEY_SENDER_CONTEXT);
    }
    parley_receive_status crecv(long typesel)
    {
        const ReceiveArguments call{typesel, reinterpret_cast<std::uintptr_t>(buffer.data()), 64, 0,
                                    PARLEY_SENDER_CONTEXT};
        return calls.receive(calls.self, &call);
    }
    parley_receive_status probe(long typesel, long how)
    {
        return calls.probe(calls.self, typesel, how, 0, PARLEY_SENDER_CONTEXT);
    }
    long done(long id) { return calls.done(calls.self, id).contents; }
    long wait(long id) { return calls.wait(calls.self, id).contents; }
    std::string_view received() const { return buffer.data(); }
    // What is noted as left: its kinds, with how many of each.
    std::vector<std::pair<Unreceived::Kind, unsigned>> left()
    {
        std::vector<std::pair<Unreceived::Kind, unsigned>> all;
        records[0].unreceived.for_each(
            [&](const Unreceived::Item& entry) { all.emplace_back(entry.kind, entry.count); });
        return all;
    }
};

// The process looks into an interface, by which process 2 is far from it.
constexpr int near = 1, far = 2;
int node_of(const parley_receive_status& found)
{
    return found.contents < 0 ? -1 : static_cast<int>(parley_receive_status_node(found));
}

struct PollingJob : Job {
    std::array<Peer*, nodes> routes = peers;
    alignas(64) std::array<std::byte, 256> polling_room;

    explicit PollingJob(std::string_view polling, std::uint64_t price = 0) : Job(0, false, false)
    {
        Binding binding(0);
        binding.spin_limit = 0;
        routes[far] = peers[near];
        endpoint.bind(binding, peers.data(), routes.data());
        Design design;
        REQUIRE(parse_design("polling=" + std::string(polling), design).empty());
        REQUIRE(any_polling().bytes <= polling_room.size());
        endpoint.poll_by(price, any_polling(), polling_room.data(), design.polling);
        calls = endpoint.calls();
    }

    using Job::crecv;
    parley_receive_status crecv(long typesel, long node)
    {
        const ReceiveArguments call{typesel, reinterpret_cast<std::uintptr_t>(buffer.data()), 64,
                                    parley_senders_from(node, -1, PARLEY_CONTEXT_PROGRAM),
                                    parley_senders_mask(node, -1)};
        return calls.receive(calls.self, &call);
    }
    parley_receive_status crecv_by_posted(bool is_posted, long type)
    {
        return is_posted ? calls.wait(calls.self, irecv(type)) : crecv(type);
    }
    // By NX, as Active Messages come from afar.
    void send_active(long type)
    {
        Message& sent = message(far, static_cast<std::uint32_t>(type));
        static_cast<Envelope&>(sent) =
            Envelope({far, 0}, far)
                .addressed(static_cast<std::uint32_t>(type), 0, parley_address(0, PARLEY_CONTEXT_ACTIVE),
                           Envelope::home_bits(sent.slot()));
        put(0, sent);
    }
    long probe_active()
    {
        constexpr std::int32_t small_types = std::numeric_limits<std::int32_t>::min() | 0xff;
        return calls
            .probe(calls.self, small_types, parley_probe_goes_on, parley_address(0, PARLEY_CONTEXT_ACTIVE),
                   PARLEY_SENDER_CONTEXT)
            .contents;
    }
    long receive_active(long type)
    {
        const ReceiveArguments call{type, reinterpret_cast<std::uintptr_t>(buffer.data()), 64,
                                    parley_senders_from(far, 0, PARLEY_CONTEXT_ACTIVE),
                                    parley_senders_mask(far, 0)};
        return calls.receive(calls.self, &call).contents;
    }
    long set(std::string_view polling)
    {
        return calls.set_polling(calls.self, reinterpret_cast<std::uintptr_t>(polling.data()),
                                 static_cast<long>(polling.size()));
    }
    long looks() { return set(""); }
};

} // namespace

TEST_CASE("the table has an entry for each message call, and knows whose it is")
{
    Job job;
#define PARLEY_CALL(class, name, number, parameters, arguments)
#define PARLEY_MESSAGE_CALL(answer, name, number, parameters, arguments) CHECK(job.calls.name != nullptr);
#include "interface/calls.def"
    CHECK(job.calls.self == &job.endpoint);
    CHECK(job.csend(8, 3, "bytes") == answer(Error::bad_node));
    CHECK(job.calls.left->unsent.type == 8);
}

TEST_CASE("csend is bound to what the factors have narrowed it to")
{
    const bool awaits = GENERATE(false, true);
    SECTION("ports have no room")
    {
        Job job(0, awaits);
        job.synchronization.meanwhile = [&] { job.router.complete(job.message_in_port(1)); };
        CHECK(job.csend(7, 1) == 0);
        CHECK(job.ports[1].entries().front().memory != nullptr);
        CHECK(job.ports[1].entries().front().envelope.is_plain());
        CHECK(job.synchronization.waits == (awaits ? 1 : 0));
    }
    SECTION("ports have room")
    {
        Job job(room, awaits);
        job.synchronization.meanwhile = [&] {
            job.peer(0).delivery.pool().give_back(job.ports[1].entries().front().envelope.home());
        };
        CHECK(job.csend(7, 1) == 0);
        CHECK(job.ports[1].entries().front().memory == nullptr);
        CHECK(job.synchronization.waits == (awaits ? 1 : 0));
    }
}

TEST_CASE("crecv takes what a port carries where ports have room, and answers who has sent what")
{
    Job job(room);
    CHECK(job.csend(7, 0, "bytes") == 0); // to itself
    job.location.copy_error = [&]() -> std::optional<Error> {
        CHECK_FALSE(job.peer(0).mailbox.enter()); // the bytes lie in the port
        return std::nullopt;
    };
    const parley_receive_status found = job.crecv(7);
    CHECK(found.contents == (7 | 5L << 32));
    CHECK((found.sender & PARLEY_SENDER_NODE) == 0);
    CHECK(job.received() == "bytes");
    CHECK(job.ports[0].released == 1);
}

TEST_CASE("an isend goes on by itself: its id is asked for, and is old when it was answered")
{
    Job job;
    SECTION("its bytes were taken")
    {
        const long id = job.isend(7, 1, "bytes");
        CHECK(id > 0);
        CHECK(job.in_port(1) == Types{7});
        CHECK(job.done(id) == PARLEY_FOUND_NO_MESSAGE);
    }
    SECTION("its bytes are lent until they are delivered")
    {
        job.transfer.custody = Custody::lent;
        const long id = job.isend(7, 1, "bytes");
        CHECK(job.message_in_port(1).completion() != &job.peer(0).delivery.lent());
        CHECK(job.done(id) == answer(Error::would_block));
        CHECK_FALSE(job.endpoint.has_lent_nothing());
        job.synchronization.meanwhile = [&] {
            CHECK(job.records[0].reason.load() == WaitReason::sent);
            job.router.complete(job.message_in_port(1));
        };
        CHECK(job.wait(id) == PARLEY_FOUND_NO_MESSAGE);
        CHECK(job.endpoint.has_lent_nothing());
        CHECK(job.endpoint.has_lent());
    }
    SECTION("to itself: the wait for it may come before the receive")
    {
        job.transfer.custody = Custody::lent;
        CHECK(job.wait(job.isend(7, 0, "bytes")) == PARLEY_FOUND_NO_MESSAGE);
        CHECK_FALSE(job.transfer.last_offer.may_lend);
    }
    SECTION("it is refused, and leaves no id")
    {
        job.transfer.offer_error = [] { return Error::bad_buffer; };
        CHECK(job.isend(7, 1, "bytes") == answer(Error::bad_buffer));
        CHECK(job.isend(7, 3) == answer(Error::bad_node));
        CHECK((job.isend(7, 1) & 1023) == 0); // the first slot
    }
}

TEST_CASE("a process has lent nothing when the buffers of its csends have been delivered")
{
    Job job;
    job.transfer.custody = Custody::lent;
    CHECK(job.csend(7, 1, "bytes") == 0);
    CHECK_FALSE(job.endpoint.has_lent_nothing());
    job.router.complete(job.message_in_port(1));
    CHECK(job.endpoint.has_lent_nothing());
}

TEST_CASE("an irecv gets its message whenever that comes, and its wait answers what it was")
{
    Job job;
    const bool was_there = GENERATE(false, true);
    if (was_there)
        job.send(1, 0, 7, "bytes");
    const long id = job.irecv(7);
    REQUIRE(id > 0);
    if (!was_there) {
        CHECK(job.done(id) == answer(Error::would_block));
        job.synchronization.meanwhile = [&] {
            CHECK(job.records[0].reason.load() == WaitReason::request);
            CHECK((job.records[0].type.load() == 7 && job.records[0].length.load() == id));
            job.send(1, 0, 7, "bytes");
        };
    }
    CHECK(job.received() == (was_there ? "bytes" : "")); // at once, if it can be
    CHECK(job.wait(id) == (7 | 5L << 32));
    CHECK(job.received() == "bytes");
    CHECK(job.synchronization.waits == (was_there ? 0 : 1));
    CHECK(job.wait(id) == PARLEY_FOUND_NO_MESSAGE);
}

TEST_CASE("a wait that must end says so, and the request is as it was")
{
    Job job;
    const long id = job.irecv(7);
    job.synchronization.kills = true;
    CHECK(job.wait(id) == answer(Error::killed));
    CHECK(job.done(id) == answer(Error::would_block));
}

TEST_CASE("what an irecv finds out when its message has come, its wait answers")
{
    Job job;
    const long id = job.irecv(7, 4);
    job.send(1, 0, 7, "bytes");
    CHECK(job.done(id) == answer(Error::message_too_long));
    CHECK(job.done(id) == PARLEY_FOUND_NO_MESSAGE);
    CHECK(job.irecv(7, -1) == answer(Error::bad_length));
    job.transfer.check_error = Error::not_shared;
    CHECK(job.irecv(7) == answer(Error::not_shared));
}

TEST_CASE("a request that is cancelled is forgotten, and what it had got is another's")
{
    Job job;
    job.transfer.accept_error = [] { return Error::would_block; }; // it stays matched
    const long id = job.irecv(7);
    job.send(1, 0, 7, "bytes");
    CHECK(job.done(id) == answer(Error::would_block));
    CHECK(job.calls.cancel(job.calls.self, id) == 0);
    CHECK(job.unexpected(0) == Types{7});
    CHECK(job.done(id) == PARLEY_FOUND_NO_MESSAGE);
    job.transfer.accept_error = [] { return std::nullopt; };
    CHECK(job.crecv(7).contents == (7 | 5L << 32));

    job.transfer.custody = Custody::lent;
    const long sent = job.isend(7, 1, "bytes");
    CHECK(job.calls.cancel(job.calls.self, sent) == 0);
    CHECK(job.in_port(1) == Types{7}); // it is on its way
    CHECK_FALSE(job.endpoint.has_lent_nothing());
    const long other = job.isend(8, 1);
    CHECK((other & 1023) != (sent & 1023)); // its slot is free when it has been delivered

    job.transfer.custody = Custody::taken;
    const long taken = job.isend(9, 1);
    CHECK(job.calls.cancel(job.calls.self, taken) == 0);
    CHECK((job.isend(10, 1) & 1023) == (taken & 1023)); // as that of this one was
}

TEST_CASE("an id that was never given is refused, and one that has ended is noted when it is asked for again")
{
    Job job;
    CHECK(job.done(77) == answer(Error::bad_id));
    CHECK(job.wait(77) == answer(Error::bad_id));
    CHECK(job.calls.cancel(job.calls.self, 77) == answer(Error::bad_id));
    CHECK(job.calls.watch(job.calls.self, 77) == answer(Error::bad_id));
    const long id = job.isend(7, 1);
    CHECK(job.wait(id) == PARLEY_FOUND_NO_MESSAGE);
    CHECK(job.left().empty());
    CHECK(job.wait(id) == PARLEY_FOUND_NO_MESSAGE);
    CHECK(job.done(id) == PARLEY_FOUND_NO_MESSAGE);
    CHECK(job.calls.cancel(job.calls.self, id) == 0);
    using Kind = Unreceived::Kind;
    CHECK(job.left() == std::vector<std::pair<Kind, unsigned>>{
                            {Kind::waited_again, 1}, {Kind::asked_again, 1}, {Kind::cancelled_again, 1}});
}

TEST_CASE("a probe sees the message that a receive would take, which stays")
{
    Job job;
    CHECK(job.probe(7, parley_probe_looks).contents == answer(Error::would_block));
    CHECK(job.probe(7, parley_probe_goes_on).contents == answer(Error::would_block));
    job.send(1, 0, 6);
    CHECK(job.probe(6, parley_probe_goes_on).contents == 6);
    job.synchronization.meanwhile = [&] {
        CHECK(job.records[0].reason.load() == WaitReason::probe);
        job.send(1, 0, 7, "bytes");
    };
    CHECK(job.probe(7, parley_probe_waits).contents == (7 | 5L << 32));
    CHECK(job.probe(-1, parley_probe_looks).contents == 6);
    CHECK(job.unexpected(0) == Types{6, 7});
    job.synchronization.kills = true;
    CHECK(job.probe(8, parley_probe_waits).contents == answer(Error::killed));
}

TEST_CASE("a block is its owner's until it is released, which whoever waits for budget is told")
{
    Job job;
    const long block = job.calls.allocate(job.calls.self, 100, 0);
    CHECK(block > 0);
    CHECK(job.calls.allocate(job.calls.self, 100, 4096) % 4096 == 0);
    CHECK(job.calls.allocate(job.calls.self, -1, 0) == answer(Error::bad_length));
    CHECK(job.calls.allocate(job.calls.self, 100, 3) == answer(Error::bad_argument));
    job.budget.announce(job.peer(1).waiter);
    CHECK(job.calls.release(job.calls.self, static_cast<unsigned long>(block)) == 0);
    CHECK(job.signals(1) == 1);
    CHECK(job.calls.release(job.calls.self, static_cast<unsigned long>(block)) == answer(Error::not_owned));
}

TEST_CASE("the end of a request that notifies interrupts where interruptions are armed")
{
    Job job;
    const StatusWord& status = job.endpoint.peer().waiter.status();
    const auto watch = [&](long what) { return job.calls.watch(job.calls.self, what); };
    const long id = job.irecv(7);
    CHECK(watch(id) == 0);
    job.signals(0);
    CHECK(watch(parley_watch_armed) == 0);
    CHECK(job.signals(0) == 1); // so that what came before is looked at
    CHECK(status.notification() == Notification::armed);
    CHECK(job.router.put(job.peer(1).waiter.party(), job.peer(0), job.message(1, 6)).number() == 0);
    CHECK(status.notification() == Notification::armed);
    CHECK(job.router.put(job.peer(1).waiter.party(), job.peer(0), job.message(1, 7)).number() == 0);
    CHECK(status.notification() == Notification::pending);
    for (const auto& [word, notification] :
         {std::pair{parley_watch_off, Notification::off}, std::pair{parley_watch_due, Notification::pending},
          std::pair{parley_watch_held, Notification::held}}) {
        CHECK(watch(word) == 0);
        CHECK(status.notification() == notification);
    }
}

TEST_CASE("the last of a row to come to a meeting is told so")
{
    Job job;
    const auto meet = [&](unsigned long address) {
        return job.calls.meet(job.calls.self, parley_library_call_gsync, 0, 0, address);
    };
    CHECK((meet(0) == 0 && meet(0) == 0));
    CHECK(meet(0) == 1);
    CHECK(meet(0) == 0);
    CHECK(meet(parley_address(9, 0)) == answer(Error::bad_process));
    job.endpoint.peer().waiter.set_state(EndpointState::ended);
    CHECK(meet(0) == 0);
    CHECK((meet(0) == 0 && meet(0) == 0)); // nobody counts any more
    job.endpoint.peer().waiter.set_state(EndpointState::killed);
    CHECK(meet(0) == answer(Error::closed));
}

TEST_CASE("what all have brought to a meeting is there when it is over, in the order of nodes")
{
    Job job;
    const auto meet = [&](long call, std::string_view part) {
        return job.calls.meet(job.calls.self, call, reinterpret_cast<std::uintptr_t>(part.data()),
                              static_cast<long>(part.size()), 0);
    };
    const auto met = [&](long room) {
        return job.calls.met(job.calls.self, parley_library_call_gdsum,
                             reinterpret_cast<std::uintptr_t>(job.buffer.data()), room, 0);
    };
    CHECK(meet(-1, "") == answer(Error::bad_type));
    CHECK(meet(parley_library_call_count, "") == answer(Error::bad_type));
    CHECK(meet(0, std::string(PARLEY_MEETING_BYTES + 1, 'x')) == answer(Error::bad_length));
    CHECK(met(-1) == answer(Error::bad_length));

    const auto others_bring = [&](std::uint32_t meeting, char first) {
        for (unsigned index = 1; index < 3; ++index) {
            Brought::Part& part = job.peer(index).meetings.brought.of(meeting);
            part.length = index;
            std::fill_n(part.bytes, index, static_cast<std::byte>(first + index));
            (void)job.peer(0).meetings.of_row.come(parley_library_call_gdsum, 3);
        }
    };
    others_bring(0, 'a');
    CHECK(meet(parley_library_call_gsync, "no") == 0); // another call is another meeting
    const std::uint32_t signals = job.peer(1).waiter.sequence();
    CHECK(meet(parley_library_call_gdsum, "zz") == 1);
    CHECK(job.peer(1).waiter.sequence() != signals);
    CHECK(met(4) == answer(Error::message_too_long));
    CHECK(met(64) == 5);
    CHECK(std::string_view(job.buffer.data(), 5) == "zzbcc");
    others_bring(1, 'c');
    CHECK(meet(parley_library_call_gdsum, "") == 1);
    CHECK(met(64) == 3);
    CHECK(std::string_view(job.buffer.data(), 3) == "dee");
}

TEST_CASE("who waits in a meeting names a node that has not come")
{
    Job job;
    (void)job.calls.meet(job.calls.self, parley_library_call_gdsum, 0, 0, 0);
    job.peer(1).meetings.brought.note(0, parley_library_call_gdsum);
    job.peer(2).meetings.brought.note(0, parley_library_call_gsync);
    job.peer(0).waiter.status().set_notification(Notification::pending);
    CHECK(job.calls.met(job.calls.self, parley_library_call_gdsum, 0, 0, 0) == answer(Error::interrupted));
    job.peer(0).waiter.status().set_notification(Notification::off);
    int named = -1;
    job.synchronization.meanwhile = [&] {
        named = WaitedPeer(job.records[0].peer.load()).node();
        job.peer(0).meetings.of_row.end();
    };
    CHECK(job.calls.met(job.calls.self, parley_library_call_gdsum, 0, 0, 0) == 0);
    CHECK(named == 2);
}

TEST_CASE("a process that ends leaves the receives that its program has asked for and not waited for")
{
    Job job;
    (void)job.irecv(7);
    (void)job.irecv(8);
    CHECK(job.calls.watch(job.calls.self, job.irecv(9)) == 0); // a handler's
    job.send(1, 0, 8);
    CHECK(job.probe(0, parley_probe_looks).contents == answer(Error::would_block));
    job.endpoint.note_receives();
    using Kind = Unreceived::Kind;
    CHECK(job.left() == std::vector<std::pair<Kind, unsigned>>{{Kind::posted, 1}, {Kind::arrived, 1}});
}

TEST_CASE("an irecv that cannot be posted, since its process must end, has no id")
{
    Job job;
    long id = job.irecv(7); // what has come has been looked for
    REQUIRE(job.peer(0).mailbox.enter());
    job.synchronization.kills = true;
    CHECK(job.irecv(7) == answer(Error::killed));
    job.synchronization.kills = false;
    job.peer(0).mailbox.unlock_at_once();
    for (std::uint32_t all = 1; all < Requests::capacity && id > 0; ++all)
        id = job.irecv(7);
    CHECK(id > 0);
    CHECK(job.irecv(7) == answer(Error::no_ids));
}

TEST_CASE("another program begins with the endpoint as it was at first, but for what is still on its way")
{
    Job job;
    job.transfer.custody = GENERATE(Custody::taken, Custody::lent);
    const bool is_on_its_way = job.transfer.custody == Custody::lent;
    const long id = job.isend(7, 1, "bytes");
    CHECK(job.calls.watch(job.calls.self, parley_watch_armed) == 0);
    job.endpoint.peer().waiter.set_state(EndpointState::ended);
    job.records[0].begin({WaitReason::message, 0, 0, -1}, 0, false);
    job.endpoint.reset();
    CHECK(job.endpoint.peer().waiter.status().is_ordinary());
    CHECK(job.records[0].state.load() == EndpointState::live);
    CHECK(job.records[0].epoch.load() % 2 == 0);
    CHECK((job.isend(7, 1) == id) != is_on_its_way);
}

TEST_CASE("another program's first crecv knows nothing of the one in which the last program has ended")
{
    Job job;
    Binding binding(0);
    binding.post_receives();
    job.endpoint.bind(binding, job.peers.data(), job.peers.data());
    job.synchronization.meanwhile = [&] {
        job.send(1, 0, 7);
        REQUIRE(job.peer(0).mailbox.drain(job.peer(1).waiter.party()));
        throw 0; // it ends inside the library, and its receive has the message
    };
    CHECK_THROWS_AS(job.crecv(7), int);
    job.peer(0).mailbox.release_lock_of_ended_owner();
    job.peer(0).mailbox.abandon_receives();
    job.endpoint.reset();
    CHECK(job.crecv(7).contents == 7);
    CHECK(job.probe(7, parley_probe_looks).contents == answer(Error::would_block)); // it came once
}

TEST_CASE("where a look has a price, each call that looks takes that much longer, and sees what it would see")
{
    constexpr std::uint64_t price = 50'000'000;
    PollingJob job("fixed", price);
    CHECK(job.calls.arrivals == nullptr);
    const auto took = [](const auto& call) {
        const std::uint64_t since = platform::nanoseconds();
        call();
        return platform::nanoseconds() - since;
    };
    job.send(1, 0, 7, "seven");
    job.send(1, 0, 7, "again");
    CHECK(took([&] { CHECK(job.probe(7, parley_probe_looks).contents >= 0); }) >= price);
    CHECK(took([&] { CHECK(job.crecv(7).contents >= 0); }) < price); // the probe has seen it
    CHECK(job.received() == "seven");
    CHECK(took([&] { CHECK(job.crecv(7).contents >= 0); }) >= price);
    CHECK(job.received() == "again");
    const long id = job.irecv(8);
    CHECK(took([&] { CHECK(job.done(id) == answer(Error::would_block)); }) >= price);
    job.send(1, 0, 8, "eight");
    CHECK(took([&] { CHECK(job.wait(id) >= 0); }) >= price);
    CHECK(job.received().starts_with("eight"));
    CHECK(job.looks() == 4);
}

TEST_CASE("a process looks as often as its polling says, and finds near messages without")
{
    PollingJob job("fractional:5");
    for (int poll = 0; poll < 20; ++poll) {
        job.send(near, 0, 7);
        CHECK(job.probe(8, parley_probe_goes_on).contents == answer(Error::would_block));
        CHECK(job.crecv_by_posted(poll % 2 == 0, 7).contents == 7);
    }
    CHECK(job.looks() == 8); // in 40 polls
    CHECK(job.set("fixed") == 8);
    CHECK(job.probe(8, parley_probe_goes_on).contents == answer(Error::would_block));
    CHECK(job.looks() == 9);
}

TEST_CASE("a poll that does not look finds no far message that has come after the last look")
{
    const bool is_first = GENERATE(false, true);
    PollingJob job("fractional:4");
    CHECK(job.probe(7, parley_probe_goes_on).contents == answer(Error::would_block)); // it looks
    if (is_first)
        job.send(near, 0, 7);
    job.send(far, 0, 7);
    job.send(far, 0, 7);
    if (!is_first)
        job.send(near, 0, 7);
    CHECK(node_of(job.crecv(7)) == near);
    for (int poll = 0; poll < 2; ++poll)
        CHECK(job.probe(7, parley_probe_looks).contents == answer(Error::would_block));
    CHECK(job.looks() == 1);
    CHECK(node_of(job.probe(7, parley_probe_looks)) == far);
    CHECK(job.looks() == 2);
    CHECK(node_of(job.crecv(7)) == far); // found by the probe
    CHECK(node_of(job.crecv(7)) == far); // brought in by the same look
    CHECK(job.looks() == 2);
}

TEST_CASE("a look brings in four far messages for each poll since the last one")
{
    PollingJob job("fractional:2");
    for (int message = 0; message < 9; ++message)
        job.send(far, 0, 7);
    CHECK(node_of(job.crecv(7)) == far); // the first poll looks: 4 are brought in
    for (int poll = 0; poll < 3; ++poll)
        CHECK(node_of(job.probe(7, parley_probe_looks)) == far);
    CHECK(job.looks() == 2);
    for (int message = 0; message < 8; ++message)
        CHECK(node_of(job.crecv(7)) == far);
    CHECK(job.looks() <= 6);
    CHECK(job.unexpected(0).empty());
}

TEST_CASE("a call that waits looks at last, as whoever names a near sender never does")
{
    PollingJob job("fractional:1000");
    CHECK(job.probe(7, parley_probe_goes_on).contents == answer(Error::would_block));
    job.send(near, 0, 7);
    CHECK(node_of(job.crecv(7, near)) == near);
    CHECK(job.looks() == 1);
    job.send(far, 0, 7);
    CHECK(node_of(job.crecv(7)) == far);
    CHECK(job.looks() == 2);
    job.synchronization.meanwhile = [&] { job.send(far, 0, 7); };
    CHECK(node_of(job.probe(7, parley_probe_waits)) == far);
    CHECK(job.looks() == 3);
    CHECK(node_of(job.crecv(7)) == far);
    CHECK(job.looks() == 3);
    const long id = job.irecv(7);
    job.send(far, 0, 7);
    CHECK(job.done(id) == answer(Error::would_block));
    CHECK(job.looks() == 3);
    CHECK(job.wait(id) >= 0);
    CHECK(job.looks() == 4);
}

TEST_CASE("polls that the process has let pass are counted, whatever it makes of their number")
{
    PollingJob job("fractional:5");
    unsigned long& passable = *job.calls.passable;
    const auto poll = [&] {
        CHECK(job.probe(8, parley_probe_goes_on).contents == answer(Error::would_block));
        return job.looks();
    };
    CHECK(passable == 0); // the first poll looks
    CHECK(poll() == 1);
    CHECK(passable == 4);
    passable -= 3;
    CHECK(poll() == 1); // the fourth since
    CHECK(passable == 0);
    CHECK(poll() == 2);
    passable = 0;
    CHECK(poll() == 3);
    passable = ~0ul; // none has passed
    for (int since = 1; since < 5; ++since)
        CHECK(poll() == 3);
    CHECK(poll() == 4);
    job.send(near, 0, 7);
    CHECK(node_of(job.crecv(7, near)) == near);
    CHECK(passable == 0); // the next poll tells of it
    CHECK(poll() == 4);
    CHECK(passable == 3);
    Job other;
    CHECK(other.calls.passable == nullptr);
}

TEST_CASE(
    "each poll finds far Active Messages that a look has brought in, and none passes until they are taken")
{
    PollingJob job("fractional:4");
    unsigned long& passable = *job.calls.passable;
    CHECK(job.probe_active() == answer(Error::would_block));
    CHECK(job.looks() == 1);
    job.send(far, 0, 9); // for the program: no poll for Active Messages finds it
    job.send_active(2);
    job.send_active(3);
    for (unsigned long left = 3; left > 0; --left) {
        CHECK(passable == left);
        CHECK(job.probe_active() == answer(Error::would_block));
    }
    for (const long type : {2, 3}) {
        CHECK(job.probe_active() == type);
        CHECK(passable == 0);
        CHECK(job.receive_active(type) == type);
        CHECK(job.looks() == 2);
    }
    CHECK(passable != 0);
    CHECK(job.unexpected(0) == Types{9});
}

TEST_CASE("Active Messages behind those that a look has brought in hold back no poll that may pass")
{
    PollingJob job("fractional:8");
    for (const long type : {2, 3, 4, 5, 6, 7})
        job.send_active(type);
    CHECK(job.probe_active() == 2); // the first poll looks: 4 are brought in
    for (const long type : {2, 3, 4, 5}) {
        CHECK(*job.calls.passable == 0);
        CHECK(job.receive_active(type) == type);
    }
    CHECK(job.looks() == 1);
    CHECK(*job.calls.passable != 0);
}

TEST_CASE("another program polls as the design says, and a text that is no polling changes nothing")
{
    PollingJob job("fractional:1000");
    CHECK(job.probe(7, parley_probe_goes_on).contents == answer(Error::would_block));
    CHECK(job.set("fixed") == 1);
    for (const char* const wrong : {"often", "adaptive:0", "fixed,exp6", "fixed:1", ""})
        CHECK(job.set(wrong) == (*wrong == 0 ? 1 : answer(Error::bad_argument)));
    CHECK(job.probe(7, parley_probe_goes_on).contents == answer(Error::would_block));
    CHECK(job.looks() == 2);
    job.endpoint.reset();
    CHECK(job.looks() == 0);
    for (int poll = 0; poll < 3; ++poll)
        CHECK(job.probe(7, parley_probe_goes_on).contents == answer(Error::would_block));
    CHECK(job.looks() == 1);
    Job other;
    CHECK(other.calls.set_polling(other.calls.self, 0, 0) == answer(Error::no_such_call));
}

TEST_CASE("a process has the name that it was given on its messages and in its record")
{
    Job job;
    CHECK((job.endpoint.name().node == 0 && job.endpoint.name().pid == 0));
    job.endpoint.set_name({0, 12});
    CHECK(job.endpoint.name().pid == 12);
    CHECK(job.records[0].pid == 12);
    CHECK(job.csend(7, 1) == 0);
    CHECK(job.ports[1].entries().front().envelope.pid() == 12);
}
