// SPDX-License-Identifier: MIT
// Two machines of one job: what one sends until it is over, and what comes to the other. The test is the
// links, both gateways and the memory.
#include "kernel/network/deadlock_looks.hpp"
#include "kernel/network/notice_exchange.hpp"

#include "testing/catch.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <vector>

using namespace parley;
using namespace parley::kernel;
using messaging::Completion;
using messaging::Envelope;
using messaging::Message;

namespace {

// Nodes 0 and 1 are here, 2 and 3 elsewhere.
constexpr jobs::Spread spread{.nodes = 4, .machines = 2, .here = 0};

struct Links final : JobLinks {
    explicit Links(unsigned own) : own_(own) { }
    unsigned machines() const override { return spread.machines; }
    unsigned here() const override { return own_; }
    bool has_room(unsigned) override { return room > 0; }
    bool send(unsigned machine, JobPacket packet, std::span<const std::byte> bytes) override
    {
        CHECK(machine != own_);
        if (room == 0)
            return false;
        --room;
        sent.push_back({packet, {bytes.begin(), bytes.end()}});
        return true;
    }
    void look_at_tick() override { ++ticks_wanted; }

    struct Sent {
        JobPacket packet;
        std::vector<std::byte> bytes;
    };
    const unsigned own_;
    std::deque<Sent> sent;
    unsigned room = 1000;
    unsigned ticks_wanted = 0;
};

struct Room final : LongMessageRoom {
    Result<std::byte*> room(std::size_t bytes) override
    {
        if (bytes > most)
            return std::unexpected(Error::no_memory);
        memory.resize(bytes);
        return memory.data();
    }
    std::size_t most = 1 << 20;
    std::vector<std::byte> memory;
};

struct FakeGateway final : messaging::Gateway {
    const messaging::Layout& layout() const override { return layout_; }
    messaging::Polling& polling() override { std::abort(); }
    std::size_t budget() const override { return 1 << 20; }
    Message* next() override
    {
        if (from_here.empty())
            return nullptr;
        Message* const message = from_here.front();
        from_here.pop_front();
        return message;
    }
    Result<void> take(Message& message, std::byte* buffer) override
    {
        if (taking)
            std::memcpy(buffer, message.data, message.length());
        return taking;
    }
    bool are_alike(const Message&, const Message&) const override { return false; }
    void pass_over(Message&) override { }
    bool is_awaited(const Message& message) const override { return message.completion() != nullptr; }
    void complete(Message& message) override { completed.push_back(message.type()); }
    Result<Completion*> new_completion() override
    {
        completions.push_back(std::make_unique<Completion>());
        return completions.back().get();
    }
    void free(Completion&) override { ++freed; }
    Result<void> put(const Envelope& envelope, std::uint32_t, unsigned destination, const std::byte* bytes,
                     Completion* delivered) override
    {
        if (envelope.source() == lacks_memory_for)
            return std::unexpected(wrong);
        if (delivered != nullptr)
            delivered->expect(1);
        arrived.push_back(std::to_string(envelope.source()) + ">" + std::to_string(destination) + " " +
                          std::string(reinterpret_cast<const char*>(bytes), envelope.length()));
        return {};
    }
    void want_budget(bool wants) override { wants_budget = wants; }
    messaging::MachineMeetings* meetings() override { return nullptr; }
    std::uint32_t sequence() const override { return 0; }
    void begin_rest(std::uint32_t) override { }
    void end_rest() override { }
    Result<void> wait(std::uint32_t) override { return {}; }
    void signal() override { }

    static constexpr unsigned nobody = 99;
    messaging::Layout layout_ = spread.layout();
    std::deque<Message*> from_here;
    Result<void> taking{};
    std::vector<unsigned> completed; // types
    std::vector<std::string> arrived;
    std::vector<std::unique_ptr<Completion>> completions;
    unsigned freed = 0;
    unsigned lacks_memory_for = nobody;
    Error wrong = Error::no_memory;
    bool wants_budget = false;
};

struct Machine final : ProgramsElsewhere {
    explicit Machine(unsigned here) : links(here), notices(entries, static_cast<std::uint8_t>(2 >> here)) { }

    void has_pid(unsigned endpoint, int pid) override { tell("pid", endpoint, pid); }
    void was_killed(unsigned endpoint, bool receives) override { tell("kill", endpoint, receives ? 1 : 0); }
    void has_left(unsigned endpoint, int status) override { tell("end", endpoint, status); }
    void tell(const std::string& what, unsigned endpoint, int value)
    {
        gateway.arrived.push_back(what + " " + std::to_string(endpoint) + " " + std::to_string(value));
    }

    // A process sends a message, whose delivery somebody may count.
    void send(unsigned source, unsigned destination, std::uint32_t type, std::string_view bytes,
              Completion* completion = nullptr)
    {
        const auto length = static_cast<std::uint32_t>(bytes.size());
        const Envelope from({static_cast<int>(source), 0}, static_cast<std::uint16_t>(source));
        spare.push_back(std::make_unique<Message>());
        Message& message =
            static_cast<messaging::MessageMemory&>(*spare.back()).open(from.addressed(type, length, 0, 0));
        texts.push_back(std::make_unique<std::string>(bytes));
        message.data = reinterpret_cast<std::byte*>(texts.back()->data());
        message.destination = static_cast<std::uint16_t>(destination);
        if (completion != nullptr)
            message.count_on(*completion);
        gateway.from_here.push_back(&message);
    }
    void turn()
    {
        notices.begin_turn();
        outgoing.take();
        incoming.advance();
        exchange.send_noted();
        exchange.take_ends();
        exchange.send();
        if (exchange.may_send())
            outgoing.send();
        outgoing.send_bytes();
        incoming.send_deliveries();
    }
    void receive(const Links::Sent& sent)
    {
        const JobPacket& packet = sent.packet;
        const unsigned from = 1 - links.own_;
        incoming.take(from, packet, sent.bytes);
        outgoing.answered(from, packet);
        exchange.take(from, packet);
        if (!packet.is_counted())
            looks.take(from, packet, sent.bytes);
    }

    Links links;
    FakeGateway gateway;
    Room room_out, room_in;
    std::vector<OutgoingMessages::Stream> streams{8};
    std::vector<IncomingMessages::Arrival> arrivals{2 * OutgoingMessages::window};
    std::vector<IncomingMessages::Awaited> awaited{4};
    std::vector<IncomingMessages::HeldUp> held_up{4};
    std::vector<ProgramNotices::OwedNotices> entries{4};
    std::vector<NoticeExchange::End> ends{4};
    ProgramNotices notices;
    OutgoingMessages outgoing{gateway, links, spread, streams, room_out};
    IncomingMessages incoming{gateway, links, {arrivals, awaited, held_up}, room_in};
    NoticeExchange exchange{notices, links, outgoing, incoming, *this, ends};
    DeadlockLooks looks{links};
    std::vector<std::unique_ptr<Message>> spare;
    std::vector<std::unique_ptr<std::string>> texts;
};

struct Job {
    // Turns by turns, until neither has anything to send.
    void go_on()
    {
        do {
            for (Machine* const machine : {&here, &there})
                machine->turn();
        } while (cross());
    }
    bool cross()
    {
        bool any = false;
        for (auto [from, to] : {std::pair(&here, &there), std::pair(&there, &here)})
            for (; !from->links.sent.empty(); any = true) {
                const Links::Sent sent = from->links.sent.front();
                from->links.sent.pop_front();
                to->receive(sent);
            }
        return any;
    }
    bool is_over() const
    {
        return here.outgoing.are_over() && there.outgoing.are_over() && here.incoming.is_empty() &&
               there.incoming.is_empty();
    }

    Machine here{0}, there{1};
};

using Strings = std::vector<std::string>;
using Types = std::vector<unsigned>;

} // namespace

TEST_CASE("messages of one sender arrive in their order, long ones among them, and are over when posted")
{
    Job job;
    const std::string long_text(3 * most_bytes_behind + 5, 'x');
    job.here.send(0, 2, 1, "first");
    job.here.send(0, 2, 2, long_text);
    job.here.send(0, 2, 3, "");
    job.here.send(1, 3, 4, "another's");
    job.there.send(3, 0, 5, "back");
    job.go_on();
    std::erase(job.there.gateway.arrived, "1>3 another's");
    CHECK(job.there.gateway.arrived == Strings{"0>2 first", "0>2 " + long_text, "0>2 "});
    CHECK(job.here.gateway.arrived == Strings{"3>0 back"});
    std::ranges::sort(job.here.gateway.completed);
    CHECK(job.here.gateway.completed == Types{1, 2, 3, 4});
    CHECK(job.is_over());
}

TEST_CASE("long messages of two senders come one after the other, each whole")
{
    Job job;
    const std::string one(3 * most_bytes_behind, '1'), other(2 * most_bytes_behind, '2');
    job.here.send(0, 2, 1, one);
    job.here.send(1, 2, 2, other);
    job.go_on();
    CHECK(job.there.gateway.arrived == Strings{"0>2 " + one, "1>2 " + other});
    CHECK(job.is_over());
}

TEST_CASE("a sender has so many messages under way as its window, and more when they are posted")
{
    Job job;
    for (std::uint32_t type = 0; type < OutgoingMessages::window + 2; ++type)
        job.here.send(0, 2, type, "x");
    job.here.turn();
    CHECK(job.here.links.sent.size() == OutgoingMessages::window);
    CHECK(job.here.outgoing.has_waiting(0, 1));
    CHECK_FALSE(job.here.outgoing.are_over());
    job.go_on();
    CHECK(job.there.gateway.arrived.size() == OutgoingMessages::window + 2);
    CHECK(job.is_over());
}

TEST_CASE("a message that finds no memory holds up those of its sender alone")
{
    Job job;
    job.there.gateway.lacks_memory_for = 0;
    job.here.send(0, 2, 1, "held up");
    job.here.send(0, 2, 2, "behind it");
    job.here.send(1, 2, 3, "another's");
    job.go_on();
    CHECK(job.there.gateway.arrived == Strings{"1>2 another's"});
    CHECK(job.there.gateway.wants_budget);
    CHECK(job.there.incoming.are_of(0));
    CHECK(job.there.incoming.trouble().empty());
    job.there.gateway.lacks_memory_for = FakeGateway::nobody;
    job.go_on();
    CHECK(job.there.gateway.arrived == Strings{"1>2 another's", "0>2 held up", "0>2 behind it"});
    CHECK_FALSE(job.there.gateway.wants_budget);
    CHECK(job.is_over());
}

TEST_CASE("a delivery that somebody counts is told when it has been")
{
    Job job;
    Completion completion;
    completion.expect(1);
    job.here.send(0, 2, 1, "awaited", &completion);
    job.go_on();
    CHECK(job.there.gateway.arrived == Strings{"0>2 awaited"});
    CHECK(job.here.gateway.completed.empty());
    CHECK_FALSE(job.is_over());
    job.there.gateway.completions.front()->count();
    job.go_on();
    CHECK(job.here.gateway.completed == Types{1});
    CHECK(job.there.gateway.freed == 1);
    CHECK(job.is_over());
}

TEST_CASE("where a link has no room nothing changes, and all goes on when there is some")
{
    Job job;
    const std::string long_text(2 * most_bytes_behind, 'y');
    job.here.send(0, 2, 1, "short");
    job.here.send(0, 2, 2, long_text);
    for (int turns = 0; turns < 100 && !(turns > 0 && job.is_over()); ++turns) {
        job.here.links.room = turns % 3 == 2 ? 1 : 0;
        job.there.links.room = turns % 5 == 4 ? 1 : 0;
        job.here.turn();
        job.there.turn();
        job.cross();
    }
    CHECK(job.there.gateway.arrived == Strings{"0>2 short", "0>2 " + long_text});
    CHECK(job.is_over());
}

TEST_CASE("bytes that are not there yet are looked for at the next tick, and gone ones end their message")
{
    Job job;
    job.here.send(0, 2, 1, "short");
    Completion completion;
    completion.expect(1);
    job.here.send(1, 2, 2, std::string(2 * most_bytes_behind, 'z'),
                  GENERATE(false, true) ? &completion : nullptr);
    job.here.gateway.taking = std::unexpected(Error::would_block);
    job.go_on();
    CHECK(job.here.links.ticks_wanted > 0);
    CHECK(job.there.gateway.arrived.empty());
    job.here.gateway.taking = std::unexpected(Error::closed);
    job.go_on();
    CHECK(job.there.gateway.arrived.empty());
    std::ranges::sort(job.here.gateway.completed);
    CHECK(job.here.gateway.completed == Types{1, 2});
    CHECK(job.is_over());
}

TEST_CASE("a long message for which there is no room on either side is trouble, said of which")
{
    Job job;
    job.here.send(0, 2, 1, std::string(2 * most_bytes_behind, 'z'));
    SECTION("where it comes from")
    {
        job.here.room_out.most = 0;
        job.go_on();
        CHECK(job.here.outgoing.trouble().starts_with("there is no memory for a long message to another"));
    }
    SECTION("where it goes")
    {
        job.there.room_in.most = 0;
        job.go_on();
        CHECK(job.there.incoming.trouble().starts_with("there is no memory for a long message from another"));
    }
    SECTION("in the mailbox")
    {
        job.there.gateway.lacks_memory_for = 0;
        job.there.gateway.wrong = Error::over_budget;
        job.go_on();
        CHECK(job.there.incoming.trouble().starts_with("a message from another machine is larger than all"));
    }
}

TEST_CASE("an end comes after what the program has sent, unless its own job has ended it")
{
    Job job;
    const bool was_killed = GENERATE(false, true);
    INFO(was_killed);
    job.there.gateway.lacks_memory_for = 0;
    job.here.send(0, 2, 1, "before its end");
    job.here.turn();
    job.here.notices.note({ProgramNotices::What::end, 0, 3, was_killed});
    job.go_on();
    CHECK(job.there.gateway.arrived == (was_killed ? Strings{"end 0 3"} : Strings{}));
    job.there.gateway.lacks_memory_for = FakeGateway::nobody;
    job.go_on();
    CHECK(job.there.gateway.arrived ==
          (was_killed ? Strings{"end 0 3", "0>2 before its end"} : Strings{"0>2 before its end", "end 0 3"}));
    CHECK_FALSE(job.here.notices.owes_any());
}

TEST_CASE("nothing comes before a pid that was told earlier, and a kill is told")
{
    Job job;
    job.here.notices.note({ProgramNotices::What::pid, 0, 7, false});
    job.here.send(0, 2, 1, "by its pid");
    job.here.turn();
    CHECK(job.here.links.sent.size() == 1);
    CHECK(job.here.outgoing.has_waiting(0, 1));
    job.there.notices.note({ProgramNotices::What::kill, 0, 1, false});
    job.go_on();
    CHECK(job.there.gateway.arrived == Strings{"pid 0 7", "0>2 by its pid"});
    CHECK(job.here.gateway.arrived == Strings{"kill 0 1"});
}

TEST_CASE("nobody can go on when two waves of looks have found the same on both machines")
{
    Job job;
    const jobs::MachineState stuck{
        .all_wait = true, .somebody_waits = true, .epochs = 5, .sent = 1, .received = 1};
    for (int wave = 0; wave < 2; ++wave) {
        CHECK_FALSE(job.here.looks.have_found_one());
        CHECK(job.here.looks.begin());
        CHECK_FALSE(job.here.looks.begin()); // one is under way
        job.cross();
        CHECK((job.here.looks.are_wanted() && job.there.looks.are_wanted()));
        CHECK(job.here.looks.answer(stuck));
        job.there.links.room = 0;
        CHECK_FALSE(job.there.looks.answer(stuck));
        CHECK(job.there.looks.are_wanted());
        job.there.links.room = 1;
        CHECK(job.there.looks.answer(stuck));
        CHECK_FALSE((job.here.looks.are_wanted() || job.there.looks.are_wanted()));
        job.cross();
    }
    CHECK(job.here.looks.have_found_one());
    CHECK_FALSE(job.there.looks.have_found_one());
}
