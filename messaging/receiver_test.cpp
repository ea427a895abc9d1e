// SPDX-License-Identifier: MIT
// What becomes of a crecv and of the messages that it finds, told by what its neighbours see of it.
#include "messaging/receiver.hpp"

#include "messaging/sources.hpp"
#include "testing/call_scene.hpp"

#include <span>

using namespace parley;
using namespace parley::messaging;
using Types = std::vector<std::uint32_t>;

namespace {

constexpr std::uint32_t room = 16;

// Process 0 receives, 1 sends.
struct Job : testing::CallScene {
    using Part = Receiver<Factors>;

    Part receiver{peer(0), router, progress, transfer, notes};
    Binding binding;
    std::array<char, 128> buffer{};
    const bool marks_waiters;

    // What the receiver asks of the endpoint that it is a part of.
    struct End {
        Job& job;
        Peer& peer() { return job.peer(0); }
        Part& receiver() { return job.receiver; }
    };

    // `room`: bytes in the ports' entries.
    explicit Job(std::uint32_t room = 0, bool marks_waiters = false)
        : CallScene(marks_waiters), binding(room), marks_waiters(marks_waiters)
    {
        ports[0].bytes_in_entry = room;
        binding.spin_limit = 0;
        binding.carry_bytes(room);
        binding.carry_references();
        bind();
    }
    void bind()
    {
        peer(0).mailbox.bind(binding.carried_below);
        receiver.bind(binding, peers.data());
    }

    ReceiveArguments arguments(long types, long maximum = 100)
    {
        return {types, reinterpret_cast<std::uintptr_t>(buffer.data()), maximum, 0, PARLEY_SENDER_CONTEXT};
    }
    ReceiveStatus receive(const ReceiveArguments& call)
    {
        End end{*this};
        const ReceiveStatus found = binding.room != 0 ? Part::receive<Part::OfPort>(end, call)
                                                      : Part::receive<Part::OfMemory>(end, call);
        CHECK_FALSE(is_locked());
        return found;
    }
    // The lock may be left as it is found.
    ReceiveStatus receive_from_memory(long types)
    {
        End end{*this};
        return Part::receive<Part::OfMemory>(end, arguments(types));
    }
    ReceiveStatus receive(long types) { return receive(arguments(types)); }
    ReceiveStatus receive_block(const ReceiveArguments& call)
    {
        End end{*this};
        return binding.room != 0 ? Part::receive_block<Part::OfPort>(end, call)
                                 : Part::receive_block<Part::OfMemory>(end, call);
    }
    std::string_view received() const { return buffer.data(); }

    // As the short way of a sender puts it: its envelope is marked as plain.
    Message& send_plain(std::uint32_t type)
    {
        Message& sent = message(1, type);
        const Envelope plain = Envelope::of_words(sent.contents(), sent.sender() | Envelope::plain);
        REQUIRE(ports[0].put(1, plain, &sent));
        peer(0).waiter.announce();
        return sent;
    }
    // A message that the port has all of.
    void carry(std::uint32_t type, std::string_view bytes, std::uint64_t home = 0)
    {
        struct Bytes final : Source {
            std::string_view bytes;
            Result<void> fill(std::byte* to) const override
            {
                std::memcpy(to, bytes.data(), bytes.size());
                return {};
            }
        } source;
        source.bytes = bytes;
        carry(type, bytes.size(), source, home);
    }
    // One that is longer: the port has only where its bytes are.
    void refer(std::uint32_t type, std::span<char> bytes, std::uint64_t home = 0)
    {
        carry(type, bytes.size(), Reference(reinterpret_cast<std::byte*>(bytes.data())), home);
    }
    void carry(std::uint32_t type, std::size_t length, const Source& source, std::uint64_t home)
    {
        const auto words = Envelope::of_words(type | std::uint64_t{length} << 32,
                                              message(1, 0).without_home().sender() | home);
        REQUIRE(ports[0].put_bytes(1, words, source) == Put::in);
        peer(0).waiter.announce();
    }
    bool is_locked()
    {
        if (!peer(0).mailbox.enter())
            return true;
        peer(0).mailbox.unlock_at_once();
        return false;
    }
};

} // namespace

TEST_CASE("the oldest message without bytes is received by its type, and its memory is its sender's again")
{
    Job job(GENERATE(0u, room), GENERATE(false, true));
    Message& message = job.send_plain(7);
    job.send_plain(8);
    const ReceiveStatus found = job.receive(7);
    REQUIRE(found);
    CHECK((found.envelope().type() == 7 && found.envelope().length() == 0));
    CHECK((found.envelope().node() == 1 && found.envelope().source() == 1));
    CHECK(job.has_come_back(message));
    CHECK(job.in_port(0) == Types{8});
    CHECK(job.transfer.asked() == "");
}

TEST_CASE("a sender that waits for its message's return is told of it")
{
    Job job(GENERATE(0u, room), GENERATE(false, true));
    job.send_plain(7);
    job.peer(1).waiter.status().set_wants_delivery(true);
    CHECK(job.receive(7));
    CHECK(job.signals(1) == 1);
}

TEST_CASE("a message with bytes has them brought, while nobody is kept out of the mailbox")
{
    Job job(GENERATE(0u, room), GENERATE(false, true));
    Message& message = job.send(1, 0, 7, "bytes");
    job.transfer.accept_error = [&]() -> std::optional<Error> {
        CHECK_FALSE(job.is_locked());
        return std::nullopt;
    };
    const ReceiveStatus found = job.receive(7);
    REQUIRE(found);
    CHECK(found.envelope().length() == 5);
    CHECK(job.received() == "bytes");
    CHECK(job.notes.left().block == job.arguments(7).buffer);
    CHECK(job.has_come_back(message));
}

TEST_CASE("a receive of a block says where its bytes are, also when there are none")
{
    Job job(GENERATE(0u, room));
    job.send_plain(7);
    CHECK(job.receive_block(job.arguments(7)));
    CHECK(job.notes.left().block == job.arguments(7).buffer);
}

TEST_CASE("a receive takes the first message that it wants, and leaves the others in their order")
{
    Job job(GENERATE(0u, room));
    for (const std::uint32_t type : {1, 2, 3, 2})
        job.send_plain(type);
    CHECK(job.receive(2));
    CHECK(job.unexpected(0) == Types{1});
    CHECK(job.in_port(0) == Types{3, 2});
    CHECK(job.receive(-1).envelope().type() == 1); // the oldest of all
    CHECK(job.receive(2).envelope().type() == 2);
    CHECK(job.receive(-1).envelope().type() == 3);
    CHECK((job.unexpected(0).empty() && job.in_port(0).empty()));
}

TEST_CASE("a message that is longer than the receive fails it, and stays for another")
{
    Job job(GENERATE(0u, room));
    SECTION("in memory") { job.send(1, 0, 7, "bytes"); }
    SECTION("in the port")
    {
        if (job.binding.room != 0)
            job.carry(7, "bytes");
        else
            job.send(1, 0, 7, "bytes");
    }
    CHECK(job.receive(job.arguments(7, 4)).error() == Error::message_too_long);
    CHECK(job.unexpected(0) == Types{7});
    CHECK(job.receive(job.arguments(7, 5)));
    CHECK(job.received() == "bytes");
}

TEST_CASE("a receive waits for its message, and a monitor sees for which")
{
    Job job(GENERATE(0u, room), GENERATE(false, true));
    job.binding.posts_receives = GENERATE(false, true);
    job.bind();
    job.synchronization.meanwhile = [&] {
        CHECK_FALSE(job.is_locked());
        CHECK(job.records[0].reason.load() == WaitReason::message);
        CHECK((job.records[0].type.load() == 7 && job.records[0].length.load() == 100));
        job.send(1, 0, job.synchronization.waits == 1 ? 6 : 7, "bytes");
    };
    CHECK(job.receive(7).envelope().type() == 7);
    CHECK(job.synchronization.waits == 2);
    CHECK(job.unexpected(0) == Types{6});
    CHECK(job.received() == "bytes");
}

TEST_CASE("a receive that is posted has its message found by senders")
{
    Job job;
    job.binding.post_receives();
    job.bind();
    job.synchronization.meanwhile = [&] {
        job.send(1, 0, 6 + job.synchronization.waits, "bytes");
        REQUIRE(job.peer(0).mailbox.drain(job.peer(1).waiter.party())); // as one that finds the port full
        CHECK(job.unexpected(0).empty());
    };
    CHECK(job.receive(7));
    CHECK(job.received() == "bytes");
    CHECK(job.receive(8).envelope().type() == 8); // the last one is forgotten
}

TEST_CASE("a receive that waits accepts for receives that were posted before it")
{
    Job job;
    Receive posted;
    posted.selector.types = 5;
    posted.maximum = 100;
    posted.buffer = {reinterpret_cast<std::uintptr_t>(job.buffer.data())};
    REQUIRE(job.peer(0).mailbox.post(posted));
    job.synchronization.meanwhile = [&] {
        if (job.synchronization.waits == 1)
            job.send(1, 0, 5, "posted");
        else
            job.send_plain(7);
    };
    CHECK(job.receive(7));
    CHECK(posted.state.is(ReceiveState::finished));
    CHECK(job.received() == "posted");
}

TEST_CASE("a receive of which something is to be checked is, before anything else is done")
{
    Job job;
    job.binding.check_receives_from(50);
    job.binding.check_blocks_from(0);
    job.bind();
    job.send_plain(7);
    job.send_plain(7);
    job.send_plain(7);
    CHECK(job.receive(job.arguments(7, 49)));
    CHECK(job.transfer.asked() == "");
    CHECK(job.receive(job.arguments(7, 50)));
    CHECK(job.transfer.asked() == "check");
    CHECK(job.receive_block(job.arguments(7, 0)));
    CHECK(job.transfer.asked() == "check block");
    job.transfer.check_error = Error::not_shared;
    CHECK(job.receive(job.arguments(7, 50)).error() == Error::not_shared);
    CHECK(job.receive(job.arguments(7, -1)).error() == Error::bad_length);
    CHECK(job.synchronization.waits == 0);
}

TEST_CASE("who finds its mailbox held waits for it, unless it must end")
{
    Job job(GENERATE(0u, room));
    job.send_plain(7);
    REQUIRE(job.peer(0).mailbox.enter());
    SECTION("it gets it")
    {
        CHECK(job.receive(7));
        CHECK(job.synchronization.contended == 1);
        CHECK(job.synchronization.waits == 0);
    }
    SECTION("it must end")
    {
        job.synchronization.kills = true;
        CHECK(job.receive_from_memory(7).error() == Error::killed);
        job.peer(0).mailbox.unlock_at_once();
        CHECK(job.in_port(0) == Types{7});
    }
}

TEST_CASE("a wait that is cut short says why, and leaves the message for the next receive")
{
    Job job(GENERATE(0u, room));
    job.binding.posts_receives = GENERATE(false, true);
    job.bind();
    const Error why = GENERATE(Error::killed, Error::interrupted);
    job.synchronization.kills = why == Error::killed;
    if (why == Error::interrupted)
        job.peer(0).waiter.status().set_notification(Notification::pending);
    CHECK(job.receive(7).error() == why);
    job.peer(0).waiter.status().set_notification(Notification::off);
    job.send_plain(7);
    CHECK(job.receive(7));
}

TEST_CASE("a receive that has got its message when the wait is interrupted has received, or else stays none")
{
    Job job;
    job.binding.post_receives();
    job.bind();
    job.transfer.accept_error = [] { return Error::would_block; }; // the bytes are not all there
    job.synchronization.meanwhile = [&] {
        if (job.synchronization.waits == 1) {
            job.send(1, 0, 7, "bytes");
            REQUIRE(job.peer(0).mailbox.drain(job.peer(1).waiter.party()));
        } else {
            job.peer(0).waiter.status().set_notification(Notification::pending);
        }
    };
    CHECK(job.receive(7).error() == Error::interrupted);
    CHECK(job.unexpected(0) == Types{7});
    job.peer(0).waiter.status().set_notification(Notification::off);
    job.transfer.accept_error = [] { return std::nullopt; };
    CHECK(job.receive(7));
}

TEST_CASE(
    "a receive that ends in the moment when its wait is cut short has ended, unless its process must end")
{
    Job job;
    Message& message = job.message(1, 7, "bytes");
    message.follow(job.protocol);
    job.protocol.answer = Protocol::Step::engaged;
    job.put(0, message);
    const bool must_end = GENERATE(false, true);
    Result<void> brought;
    if (must_end)
        brought = std::unexpected(Error::bad_buffer);
    job.synchronization.meanwhile = [&] {
        job.peer(0).waiter.status().set_notification(Notification::pending);
        REQUIRE(job.peer(0).mailbox.lock(job.peer(1).waiter.party())); // by the sender
        [[maybe_unused]] const PassedLock kept(job.peer(0).mailbox);
        job.synchronization.kills = must_end;
    };
    job.synchronization.holder = [&] {
        job.peer(0).mailbox.assert_held();
        if (!job.protocol.receive->has_ended())
            job.peer(0).mailbox.end_engaged(*job.protocol.receive, brought);
        job.synchronization.kills = false;
    };
    if (must_end)
        job.synchronization.meanwhile = [&, before = job.synchronization.meanwhile] {
            before();
            job.peer(0).waiter.status().set_notification(Notification::off);
        };
    const ReceiveStatus found = job.receive(7);
    if (must_end)
        CHECK((!found && found.error() == Error::killed));
    else
        CHECK((found && found.envelope().type() == 7));
}

TEST_CASE("who must end and takes its receive back waits for the mailbox's lock as long as another has it")
{
    Job job;
    job.binding.post_receives();
    job.bind();
    unsigned looks = 0;
    job.synchronization.meanwhile = [&] {
        job.peer(0).waiter.status().set_notification(Notification::pending);
        REQUIRE(job.peer(0).mailbox.lock(job.peer(1).waiter.party()));
        [[maybe_unused]] const PassedLock kept(job.peer(0).mailbox);
        job.synchronization.kills = true;
    };
    job.synchronization.holder = [&] { job.synchronization.kills = ++looks < 5; };
    CHECK_FALSE(job.receive(7));
    CHECK(looks == 5);
    CHECK(job.synchronization.contended == 1);
}

TEST_CASE("a message whose protocol has more to do is waited for")
{
    Job job;
    Message& message = job.message(1, 7, "bytes");
    message.follow(job.protocol);
    job.put(0, message);
    SECTION("the protocol ends the receive")
    {
        job.protocol.answer = Protocol::Step::engaged;
        job.synchronization.meanwhile = [&] {
            CHECK(job.protocol.asked() == "queued, matched");
            REQUIRE(job.peer(0).mailbox.lock(job.peer(1).waiter.party()));
            job.peer(0).mailbox.end_engaged(*job.protocol.receive, {});
            job.peer(0).mailbox.unlock(job.peer(1).waiter.party());
        };
        CHECK(job.receive(7).envelope().type() == 7);
        CHECK(job.transfer.asked() == "");
    }
    SECTION("it has nothing more to do")
    {
        CHECK(job.receive(7));
        CHECK(job.transfer.asked() == "accept by 0");
    }
}

TEST_CASE("a message that lies in a port is brought from there with the lock held, and released before it")
{
    Job job(room);
    job.carry(7, "bytes");
    job.location.copy_error = [&]() -> std::optional<Error> {
        CHECK(job.is_locked());
        CHECK(job.ports[0].released == 0);
        return std::nullopt;
    };
    const ReceiveStatus found = job.receive(7);
    CHECK(found.envelope().length() == 5);
    CHECK(job.received() == "bytes");
    CHECK(job.ports[0].released == 1);
}

TEST_CASE("crecvp knows where the bytes are of a message that lay in a port")
{
    Job job(room);
    job.carry(7, "bytes");
    CHECK(job.receive_block(job.arguments(7)));
    CHECK(job.received() == "bytes");
    CHECK(job.notes.left().block == job.arguments(7).buffer);
}

TEST_CASE("what cannot be brought from a port is over: it is released, and what stands for it goes back")
{
    Job job(room);
    Message& memory = job.message(1, 7);
    const bool has_home = GENERATE(false, true);
    job.carry(7, "bytes", has_home ? Envelope::home_bits(memory.slot()) : 0);
    job.location.copy_error = [] { return Error::bad_buffer; };
    CHECK(job.receive(7).error() == Error::bad_buffer);
    CHECK(job.ports[0].released == 1);
    CHECK(job.has_come_back(memory) == has_home);
    CHECK(job.in_port(0).empty());
}

TEST_CASE("what stands for a message's memory goes back when the message has been received from a port")
{
    Job job(room);
    Message& memory = job.message(1, 7);
    job.carry(7, GENERATE("", "bytes"), Envelope::home_bits(memory.slot()));
    CHECK(job.receive(7));
    CHECK(job.has_come_back(memory));
}

TEST_CASE("what a receiver had in hand when it was ended in a copy is dropped, once, and its sender hears so")
{
    Job job(room);
    std::size_t used = 0;
    const auto is_cut = [&] {
        used = job.heap.used_units();
        job.location.copy_error = []() -> std::optional<Error> { throw testing::Cut{}; };
        job.transfer.accept_error = job.location.copy_error;
        CHECK_THROWS_AS(job.receive(7), testing::Cut);
        job.peer(0).mailbox.release_lock_of_ended_owner();
        job.transfer.asked();
        job.progress.leave();
    };
    Message& memory = job.message(1, 7, "bytes");
    SECTION("a message in memory")
    {
        job.put(0, memory);
        is_cut();
    }
    SECTION("one that its port carried, and for which memory goes back to its sender")
    {
        job.carry(7, "bytes", Envelope::home_bits(memory.slot()));
        is_cut();
        CHECK(job.transfer.dropped_inside);
    }
    SECTION("a reference, and memory that goes back")
    {
        std::array<char, room + 8> bytes{"a longer message"};
        job.refer(7, bytes, Envelope::home_bits(memory.slot()));
        is_cut();
        CHECK_FALSE(job.transfer.dropped_inside);
    }
    CHECK(job.transfer.asked() == "drop");
    CHECK(job.has_come_back(memory));
    job.progress.leave();
    CHECK(job.transfer.asked() == "");
    CHECK(job.heap.used_units() == used);
    job.location.copy_error = [] { return std::nullopt; };
    job.carry(8, "more"); // of another program
    CHECK(job.receive(8));
}

TEST_CASE("of what a port carried alone, nothing goes back when its receiver is ended in the copy")
{
    Job job(room);
    job.carry(7, "bytes");
    const std::size_t used = job.heap.used_units();
    job.location.copy_error = []() -> std::optional<Error> { throw testing::Cut{}; };
    CHECK_THROWS_AS(job.receive(7), testing::Cut);
    job.progress.leave();
    CHECK(job.heap.used_units() == used);
}

TEST_CASE("a message in a port that another receive will want is held, and the port has its entry back")
{
    Job job(room);
    job.carry(6, "other");
    job.carry(7, "bytes");
    CHECK(job.receive(7));
    CHECK(job.received() == "bytes");
    CHECK(job.unexpected(0) == Types{6});
    job.transfer.accept_error = [&]() -> std::optional<Error> {
        CHECK_FALSE(job.is_locked());
        return std::nullopt;
    };
    const unsigned before = job.ports[0].released;
    CHECK(job.receive(6));
    CHECK(job.received() == "other");
    CHECK(job.ports[0].released == before + 1); // the memory that held it
}

TEST_CASE("bytes to which a port has a reference are brought from there, when neither port nor lock is held")
{
    Job job(room);
    std::array<char, room + 8> bytes{"a longer message"};
    const bool is_held = GENERATE(false, true); // by a receive that wants another
    job.refer(7, bytes);
    if (is_held) {
        job.carry(8, "bytes");
        CHECK(job.receive(8));
        CHECK(job.unexpected(0) == Types{7});
    }
    job.transfer.accept_error = [&]() -> std::optional<Error> {
        CHECK_FALSE(job.is_locked());
        return std::nullopt;
    };
    job.budget.announce(job.peer(2).waiter);
    job.signals(2);
    CHECK(job.receive(7));
    CHECK(job.received() == "a longer message");
    CHECK(job.signals(2) != 0); // the bytes are the budget's again
}

TEST_CASE("another program's first receive knows nothing of what the last one has left behind")
{
    Job job;
    job.binding.post_receives();
    job.bind();
    job.synchronization.meanwhile = [&] {
        job.send(1, 0, 7);
        REQUIRE(job.peer(0).mailbox.drain(job.peer(1).waiter.party()));
        throw 0; // it ends inside the library, and its receive has the message
    };
    CHECK_THROWS_AS(job.receive_from_memory(7), int);
    job.peer(0).mailbox.release_lock_of_ended_owner();
    job.peer(0).mailbox.abandon_receives();
    job.receiver.reset();
    job.peer(0).waiter.record().end_any();
    CHECK(job.receive(7));
}
