// SPDX-License-Identifier: MIT
// Which way a csend takes, told by what its neighbours see of it: the ports, the transfer, the pool.
#include "messaging/sender.hpp"

#include "testing/call_scene.hpp"
#include "testing/lone_taker.hpp"

using namespace parley;
using namespace parley::messaging;
using testing::answer;
using Types = std::vector<std::uint32_t>;

namespace {

// Process 0 sends.
struct Job : testing::CallScene {
    using Part = Sender<Factors>;
    using CallScene::send; // by others

    Part sender{
        {peer(0), router, progress, outbox, posting, requests, notes, location, interaction, transfer}};
    Binding binding;
    std::uint64_t address = 0;

    // `room`: bytes in the ports' entries.
    explicit Job(std::uint32_t room = 0) : binding(room)
    {
        give_room(room);
        binding.spin_limit = 0;
        if (room != 0)
            binding.carry_bytes(room);
        bind();
        sender.set_name({0, 0});
        stock();
    }
    void bind() { sender.bind(binding, peers.data(), nodes, directory.others_of(0)); }

    template <class After = Part::HandedOver>
    long send(long type, long node, std::string_view bytes = "")
    {
        const UserAddress buffer{reinterpret_cast<std::uintptr_t>(bytes.data())};
        const auto length = static_cast<long>(bytes.size());
        if (binding.room != 0)
            return sender.send_carried<After>(type, buffer, length, node, address);
        return sender.send<After>(peer(0), type, buffer, length, node, address);
    }
    long send_awaited(long type, long node, std::string_view bytes = "")
    {
        return send<Part::Awaited>(type, node, bytes);
    }
    const testing::FakePort::Entry& entry(unsigned index) const { return ports[index].entries().front(); }
    std::string_view bytes_in_port(unsigned index) const
    {
        return reinterpret_cast<const char*>(entry(index).bytes);
    }
    // The sender's spare messages are all on their way.
    void use_up_pool()
    {
        for (; outbox.has_next(); outbox.advance())
            on_their_way.push_back(&outbox.open_next(1, 0, 0));
    }
    std::vector<Message*> on_their_way;
};

constexpr std::uint32_t room = 16;

} // namespace

TEST_CASE("a message without bytes goes as its envelope, with a spare message for the way back")
{
    Job job;
    CHECK(job.send(7, 1) == 0);
    CHECK(job.transfer.asked() == "");
    CHECK(job.in_port(1) == Types{7});
    CHECK(job.entry(1).caller == 0);
    CHECK(job.entry(1).memory != nullptr);
    const Envelope& envelope = job.entry(1).envelope;
    CHECK((envelope.is_plain() && envelope.source() == 0 && envelope.node() == 0));
    CHECK(envelope.home() == job.entry(1).memory->slot());
    CHECK(job.signals(1) == 1);
    CHECK(job.spare() == job.stocked - 1);
}

TEST_CASE("a message carries the context that its call names, and the name of its sender")
{
    Job job;
    job.sender.set_name({4, 5});
    job.address = parley_address(0, PARLEY_CONTEXT_LIBRARY);
    CHECK(job.send(7, 1) == 0);
    CHECK(job.send(8, 2, "bytes") == 0);
    for (const unsigned node : {1, 2}) {
        const Envelope& envelope = job.entry(node).envelope;
        CHECK(envelope.context() == PARLEY_CONTEXT_LIBRARY);
        CHECK((envelope.node() == 4 && envelope.pid() == 5));
    }
}

TEST_CASE("a sender whose pool is empty fetches what has come back, and else takes from the budget")
{
    Job job;
    job.use_up_pool();
    const std::size_t used = job.heap.used_units();
    const std::string_view bytes = GENERATE("", "bytes");
    SECTION("one has come back")
    {
        job.peer(0).delivery.pool().give_back(job.on_their_way[3]->slot());
        CHECK(job.send(7, 1, bytes) == 0);
        CHECK(job.entry(1).memory == job.on_their_way[3]);
        CHECK(job.heap.used_units() == used);
    }
    SECTION("none has")
    {
        CHECK(job.send(7, 1, bytes) == 0);
        CHECK(job.in_port(1) == Types{7});
        CHECK(job.heap.used_units() > used);
    }
}

TEST_CASE("a message with bytes has them taken by the transfer, once, before anybody sees it")
{
    Job job;
    job.transfer.offer_error = [&]() -> std::optional<Error> {
        CHECK(job.in_port(1).empty());
        return std::nullopt;
    };
    CHECK(job.send(7, 1, "bytes") == 0);
    CHECK(job.transfer.asked() == "offer");
    CHECK(job.in_port(1) == Types{7});
    CHECK_FALSE(job.entry(1).envelope.is_plain());
    CHECK(job.entry(1).envelope.length() == 5);
    CHECK(job.message_in_port(1).completion() == nullptr);
}

TEST_CASE("whose bytes they are after the offer, csend looks after")
{
    Job job;
    SECTION("lent: they are counted until they are delivered")
    {
        job.transfer.custody = Custody::lent;
        CHECK(job.send(7, 1, "bytes") == 0);
        CHECK(job.message_in_port(1).completion() == &job.peer(0).delivery.lent());
        CHECK_FALSE(job.peer(0).delivery.lent().is_reached());
        CHECK(job.posting.has_lent());
        CHECK(job.transfer.asked() == "offer");
    }
    SECTION("followed: the message's protocol brings them within the call")
    {
        job.transfer.custody = Custody::followed;
        job.transfer.protocol = &job.protocol;
        CHECK(job.send(7, 1, "bytes") == 0);
        CHECK(job.protocol.asked() == "bring");
        CHECK(job.protocol.message == &job.message_in_port(1));
        CHECK(job.transfer.asked() == "offer");
    }
    SECTION("followed, and the protocol fails")
    {
        job.transfer.custody = Custody::followed;
        job.transfer.protocol = &job.protocol;
        job.protocol.bring_error = Error::interrupted;
        CHECK(job.send(7, 1, "bytes") == answer(Error::interrupted));
        CHECK(job.notes.left().unsent.type == 7);
    }
    SECTION("refused: the full way offers them anew, and waits for what is missing")
    {
        unsigned offers = 0;
        job.transfer.offer_error = [&] {
            return ++offers == 1 ? std::optional(Error::no_memory) : std::nullopt;
        };
        CHECK(job.send(7, 1, "bytes") == 0);
        CHECK(job.transfer.asked() == "offer, offer");
        CHECK(job.spare() == job.stocked - 1);
    }
    SECTION("refused for good: that is csend's error, and its message is spare again")
    {
        job.transfer.offer_error = [] { return Error::bad_buffer; };
        CHECK(job.send(7, 1, "bytes") == answer(Error::bad_buffer));
        CHECK(job.in_port(1).empty());
        CHECK(job.has_all_messages());
    }
}

TEST_CASE("what is not to process 0 of one node, or not of a usual type, takes the full way")
{
    Job job;
    const long force_type = 0x40000001;
    SECTION("a broadcast")
    {
        CHECK(job.send(7, -1) == 0);
        CHECK((job.in_port(1) == Types{7} && job.in_port(2) == Types{7} && job.in_port(0).empty()));
        CHECK_FALSE(job.entry(2).envelope.is_plain());
    }
    SECTION("a force type")
    {
        CHECK(job.send(force_type, 1) == 0);
        CHECK_FALSE(job.entry(1).envelope.is_plain());
    }
    SECTION("another pid")
    {
        job.address = parley_address(9, 0);
        CHECK(job.send(7, 1) == answer(Error::bad_process));
    }
    SECTION("a design all of whose messages do")
    {
        job.binding.send_nothing_eagerly();
        job.bind();
        CHECK(job.send(7, 1) == 0);
        CHECK_FALSE(job.entry(1).envelope.is_plain());
    }
    SECTION("a node that there is not")
    {
        CHECK(job.send(7, 3) == answer(Error::bad_node));
        CHECK(job.send(-1, 1) == answer(Error::bad_type));
    }
    SECTION("a length that there is not")
    {
        const long length = GENERATE(-1L, static_cast<long>(Envelope::longest) + 1);
        CHECK(job.sender.send<Job::Part::HandedOver>(job.peer(0), 7, {}, length, 1, 0) ==
              answer(Error::bad_length));
        CHECK(job.has_all_messages());
    }
}

TEST_CASE("a destination that is not there is left to the full way")
{
    Job job(GENERATE(0u, room));
    SECTION("killed")
    {
        job.peer(1).waiter.set_state(EndpointState::killed);
        CHECK(job.send(7, 1) == answer(Error::closed));
    }
    SECTION("ended: what it never receives is noted")
    {
        job.peer(1).waiter.set_state(EndpointState::ended);
        CHECK(job.send(7, 1) == 0);
        CHECK_FALSE(job.records[1].unreceived.empty());
        CHECK(job.in_port(1).empty());
    }
    SECTION("not reached directly: it goes where its messages are routed")
    {
        const std::array routes{&job.peer(0), &job.peer(2), &job.peer(2)};
        job.peer(2).waiter.status().set_routed();
        job.posting.bind(routes.data());
        job.sender.bind(job.binding, routes.data(), Job::nodes, job.directory.others_of(0));
        CHECK(job.send(7, 1) == 0);
        CHECK((job.in_port(1).empty() && job.in_port(2) == Types{7}));
    }
}

TEST_CASE("what a call was about is left for its program when it answers anything but 0")
{
    Job job;
    CHECK(job.send(7, 1) == 0);
    CHECK(job.notes.left().unsent.type == 0);
    CHECK(job.send(8, 3, "bytes") == answer(Error::bad_node));
    const parley_send& unsent = job.notes.left().unsent;
    CHECK((unsent.type == 8 && unsent.length == 5 && unsent.node == 3));
}

TEST_CASE("who finds its destination's port full brings to rest what is there, and the message follows")
{
    Job job;
    const std::string_view bytes = GENERATE("", "bytes");
    job.ports[1].capacity = 1;
    job.send(2, 1, 1);
    job.signals(1);
    CHECK(job.send(7, 1, bytes) == 0);
    CHECK(job.unexpected(1) == Types{1});
    CHECK(job.in_port(1) == Types{7});
    CHECK(job.entry(1).envelope.length() == bytes.size());
    CHECK(job.signals(1) == 1);
    CHECK(job.spare() == job.stocked - 1);
}

TEST_CASE("who must end while a port is full sends nothing and keeps nothing")
{
    Job job;
    const std::string_view bytes = GENERATE("", "bytes");
    job.ports[1].capacity = 0;
    REQUIRE(job.peer(1).mailbox.enter());
    job.synchronization.kills = true;
    CHECK(job.send(7, 1, bytes) == answer(Error::killed));
    job.peer(1).mailbox.unlock_at_once();
    CHECK(job.transfer.asked() == (bytes.empty() ? "" : "offer, drop"));
    CHECK(job.has_all_messages());
}

TEST_CASE("a destination that is killed while its port is full is none of csend's business")
{
    Job job;
    const std::string_view bytes = GENERATE("", "bytes");
    job.ports[1].capacity = 0;
    job.ports[1].when_full = [&] {
        job.ports[1].capacity = 1;
        job.peer(1).waiter.set_state(EndpointState::killed);
    };
    CHECK(job.send(7, 1, bytes) == 0);
    CHECK(job.transfer.asked() == (bytes.empty() ? "" : "offer, drop"));
    CHECK(job.has_all_messages());
}

TEST_CASE("a destination that wants to be interrupted is, by whoever sends to it")
{
    Job job(GENERATE(0u, room));
    const std::string_view bytes = GENERATE("", "bytes");
    Receive receive;
    job.post(1, receive, 7);
    receive.notifies = true;
    job.peer(1).waiter.status().set_notification(Notification::armed);
    CHECK(job.send(7, 1, bytes) == 0);
    CHECK(job.peer(1).waiter.status().notification() == Notification::pending);
    CHECK(receive.state.is(ReceiveState::matched));
}

TEST_CASE("a csend that waits does so until its message's memory has come back")
{
    Job job;
    const std::string_view bytes = GENERATE("", "bytes");
    job.synchronization.meanwhile = [&] {
        CHECK(job.records[0].reason.load() == WaitReason::delivery);
        CHECK(job.records[0].type.load() == 7);
        CHECK(WaitedPeer(job.records[0].peer.load()).node() == 1);
        CHECK(job.records[0].length.load() == static_cast<long>(bytes.size()));
        CHECK(job.peer(0).waiter.status().wants_returns());
        job.router.complete(job.message_in_port(1).open(job.entry(1).envelope));
    };
    CHECK(job.send_awaited(7, 1, bytes) == 0);
    CHECK(job.synchronization.waits == 1);
    CHECK(job.peer(0).waiter.status().is_ordinary());
}

TEST_CASE("a csend that waits goes on at once when its message has come back already")
{
    Job job;
    job.binding.spin_limit = GENERATE(0u, 3u);
    job.bind();
    const MessageMemory& next = job.peer(0).delivery.pool().next();
    job.peer(0).delivery.pool().give_back(next.slot()); // as if it were back as soon as it was sent
    CHECK(job.send_awaited(7, 1) == 0);
    CHECK(job.synchronization.waits == 0);
    CHECK(job.in_port(1) == Types{7});
}

TEST_CASE("a csend to its own process does not wait")
{
    Job job(GENERATE(0u, room));
    job.interaction.awaits = true;
    CHECK(job.send_awaited(7, 0) == 0);
    CHECK(job.in_port(0) == Types{7});
    CHECK(job.synchronization.waits == 0);
}

TEST_CASE("a csend that waits counts deliveries where the memory alone does not tell of them")
{
    Job job;
    job.interaction.awaits = true;
    job.synchronization.meanwhile = [&] { job.router.complete(job.message_in_port(1)); };
    SECTION("while a handler of its own may become due")
    {
        job.peer(0).waiter.status().set_notification(Notification::armed);
        CHECK(job.send_awaited(7, 1) == 0);
        CHECK_FALSE(job.entry(1).envelope.is_plain());
        CHECK(job.entry(1).envelope.home() == 0);
    }
    SECTION("of a message with a protocol: it is offered anew")
    {
        job.transfer.custody = Custody::followed;
        job.transfer.protocol = &job.protocol;
        CHECK(job.send_awaited(7, 1, "bytes") == 0);
        CHECK(job.transfer.asked() == "offer, drop, offer");
        CHECK(job.protocol.asked() == "bring");
    }
    CHECK(job.synchronization.waits == 1);
}

TEST_CASE("a lent buffer of a csend that waits is delivered before it is over, and not counted")
{
    Job job;
    job.transfer.custody = Custody::lent;
    job.synchronization.meanwhile = [&] { job.router.complete(job.message_in_port(1)); };
    CHECK(job.send_awaited(7, 1, "bytes") == 0);
    CHECK(job.posting.has_lent());
    CHECK(job.peer(0).delivery.lent().is_reached());
}

TEST_CASE("who must end while it waits for its delivery says so")
{
    Job job;
    job.synchronization.kills = true;
    CHECK(job.send_awaited(7, 1) == answer(Error::killed));
    CHECK(job.in_port(1) == Types{7});
    CHECK(job.peer(0).waiter.status().is_ordinary());
}

TEST_CASE("a port with room carries a message whole, and no memory of the sender's is used")
{
    Job job(room);
    CHECK(job.send(7, 1) == 0);
    CHECK(job.send(8, 2, "bytes") == 0);
    CHECK((job.entry(1).memory == nullptr && job.entry(2).memory == nullptr));
    CHECK((job.entry(1).envelope.is_plain() && !job.entry(2).envelope.is_plain()));
    CHECK((job.entry(1).envelope.home() == 0 && job.entry(2).envelope.home() == 0));
    CHECK(job.bytes_in_port(2) == "bytes");
    CHECK(job.transfer.asked() == "");
    CHECK(job.has_all_messages());
    CHECK(job.signals(1) == 1);
    CHECK(job.signals(2) == 1);
}

TEST_CASE("a message that a port does not carry has memory")
{
    Job job(room);
    SECTION("it is too long for an entry")
    {
        CHECK(job.send(7, 1, "0123456789abcdef") == 0);
        CHECK(job.entry(1).memory == nullptr);
        CHECK(job.send(8, 2, "0123456789abcdefg") == 0);
        CHECK(job.entry(2).memory != nullptr);
        CHECK(job.transfer.asked() == "offer");
    }
    SECTION("the port takes no entry without memory now")
    {
        job.ports[1].admits_without_memory = false;
        const std::string_view bytes = GENERATE("", "bytes");
        CHECK(job.send(7, 1, bytes) == 0);
        CHECK(job.in_port(1) == Types{7});
        CHECK(job.entry(1).memory != nullptr);
        CHECK(job.entry(1).envelope.length() == bytes.size());
        CHECK(job.transfer.asked() == (bytes.empty() ? "" : "offer"));
    }
    SECTION("the port is full")
    {
        job.ports[1].capacity = 1;
        job.send(2, 1, 1);
        CHECK(job.send(7, 1, "bytes") == 0);
        CHECK(job.unexpected(1) == Types{1});
        CHECK(job.in_port(1) == Types{7});
    }
}

TEST_CASE("bytes that cannot be copied into a port are the full way's to refuse, and nobody hears of them")
{
    Job job(room);
    job.location.copy_error = [] { return Error::bad_buffer; };
    const long node = GENERATE(1L, -1L);
    job.transfer.offer_error = [] { return Error::bad_buffer; };
    CHECK(job.send(7, node, "bytes") == answer(Error::bad_buffer));
    CHECK(job.notes.left().unsent.type == 7);
    CHECK((job.in_port(1).empty() && job.in_port(2).empty()));
    CHECK((job.signals(1) == 0 && job.signals(2) == 0));
}

TEST_CASE(
    "where a transfer lets a port carry a reference to the bytes, that is where its offer has left them")
{
    Job job(room);
    job.binding.carried_below = 1;
    job.binding.carry_references();
    job.bind();
    const std::string_view bytes = "0123456789abcdefghij";
    SECTION("the port takes it")
    {
        CHECK(job.send(7, 1, bytes) == 0);
        CHECK(job.transfer.asked() == "offer");
        CHECK(job.entry(1).memory == nullptr);
        CHECK(job.entry(1).envelope.length() == bytes.size());
        const char* reference = nullptr;
        std::memcpy(&reference, job.entry(1).bytes, sizeof reference);
        CHECK(std::string_view(reference, bytes.size()) == bytes);
        CHECK(job.has_all_messages());
    }
    SECTION("the port does not")
    {
        job.ports[1].admits_without_memory = false;
        CHECK(job.send(7, 1, bytes) == 0);
        CHECK(job.transfer.asked() == "offer");
        CHECK(job.entry(1).memory != nullptr);
        CHECK(job.spare() == job.stocked - 1);
    }
    SECTION("the port is full")
    {
        job.ports[1].capacity = 0;
        job.ports[1].when_full = [&] {
            CHECK(job.signals(1) == 0); // nobody is told of a message that is not there
            job.ports[1].capacity = 1;
        };
        CHECK(job.send(7, 1, bytes) == 0);
        REQUIRE(job.in_port(1) == Types{7});
        CHECK(job.entry(1).memory != nullptr);
        CHECK(job.signals(1) == 1);
    }
    SECTION("the transfer refuses")
    {
        job.transfer.offer_error = [] { return Error::not_owned; };
        CHECK(job.send(7, 1, bytes) == answer(Error::not_owned));
        CHECK(job.has_all_messages());
        CHECK(job.in_port(1).empty());
    }
}

TEST_CASE("a csend that waits lets a port carry the message with a memory's home, which release gives back")
{
    Job job(room);
    const std::string_view bytes = GENERATE("", "bytes");
    job.synchronization.meanwhile = [&] {
        REQUIRE(job.entry(1).memory == nullptr);
        REQUIRE(job.entry(1).envelope.home() != 0);
        job.peer(0).delivery.pool().give_back(job.entry(1).envelope.home());
        job.peer(0).waiter.signal();
    };
    CHECK(job.send_awaited(7, 1, bytes) == 0);
    CHECK(job.synchronization.waits == 1);
    CHECK(job.has_all_messages());
}

TEST_CASE("a csend that waits needs a spare message, also where a port carries it")
{
    Job job(room);
    job.interaction.awaits = true;
    job.use_up_pool();
    job.synchronization.meanwhile = [&] { job.router.complete(job.message_in_port(1)); };
    CHECK(job.send_awaited(7, 1) == 0);
    CHECK(job.entry(1).memory != nullptr);
}

TEST_CASE("a broadcast is carried into each port, from bytes that are read once")
{
    Job job(room);
    const std::string_view bytes = GENERATE("", "bytes");
    CHECK(job.send(7, -1, bytes) == 0);
    CHECK((job.in_port(0).empty() && job.in_port(1) == Types{7} && job.in_port(2) == Types{7}));
    CHECK((job.entry(1).memory == nullptr && job.entry(2).memory == nullptr));
    CHECK((job.bytes_in_port(1) == bytes && job.bytes_in_port(2) == bytes));
    CHECK((job.signals(1) == 1 && job.signals(2) == 1));
    CHECK(job.transfer.asked() == "");
}

TEST_CASE("a broadcast goes on with memory from the first port that does not carry it")
{
    Job job(room);
    SECTION("the first")
    {
        job.ports[1].admits_without_memory = false;
        job.ports[1].when_full = [&] { CHECK(job.signals(1) == 0); };
        CHECK(job.send(7, -1, "") == 0); // of which nobody was told before it was there
        CHECK(job.in_port(1) == Types{7});
        CHECK(job.signals(1) == 1);
        (void)job.ports[1].take(testing::lone_taker, 0);
        (void)job.ports[2].take(testing::lone_taker, 0);
        job.transfer.asked();
        CHECK(job.send(7, -1, "bytes") == 0);
        CHECK((job.entry(1).memory != nullptr && job.entry(2).memory != nullptr));
        CHECK(job.transfer.asked() == "offer"); // the first has the bytes that were read
        CHECK(std::memcmp(job.message_in_port(1).data, "bytes", 5) == 0);
    }
    SECTION("the last")
    {
        job.ports[2].admits_without_memory = false;
        CHECK(job.send(7, -1, "bytes") == 0);
        CHECK((job.entry(1).memory == nullptr && job.entry(2).memory != nullptr));
        CHECK(job.transfer.asked() == "");
    }
    SECTION("a process that has ended gets one, which is dropped")
    {
        job.peer(1).waiter.set_state(EndpointState::ended);
        CHECK(job.send(7, -1, "bytes") == 0);
        CHECK(job.in_port(1).empty());
        CHECK(job.in_port(2) == Types{7});
        CHECK(job.transfer.asked() == "drop, offer");
    }
    SECTION("no message is spare")
    {
        job.ports[2].admits_without_memory = false;
        job.use_up_pool();
        CHECK(job.send(7, -1, "bytes") == 0);
        CHECK(job.in_port(2) == Types{7});
        CHECK(job.transfer.asked() == "offer");
    }
    CHECK((job.in_port(1) == Types{7} || job.peer(1).state() == EndpointState::ended));
}

TEST_CASE("a broadcast that is too long for a port, waits or is not to processes 0 takes the full way")
{
    Job job(room);
    SECTION("too long")
    {
        CHECK(job.send(7, -1, "0123456789abcdefg") == 0);
        CHECK(job.transfer.asked() == "offer, repeat");
    }
    SECTION("its deliveries are counted")
    {
        job.interaction.awaits = true;
        job.synchronization.meanwhile = [&] {
            job.router.complete(job.message_in_port(job.synchronization.waits));
        };
        CHECK(job.send_awaited(7, -1, "bytes") == 0);
        CHECK(job.synchronization.waits == 2);
        CHECK(job.transfer.asked() == "offer, repeat");
    }
    SECTION("another pid")
    {
        job.address = parley_address(9, 0);
        CHECK(job.send(7, -1) == answer(Error::bad_process));
    }
}
