// SPDX-License-Identifier: MIT
#include "messaging/posting.hpp"

#include "testing/call_scene.hpp"

using namespace parley;
using namespace parley::messaging;
using Types = std::vector<std::uint32_t>;

namespace {

// Process 0 sends.
struct Job : testing::CallScene {
    Completion lent;
    Completion all;
    std::string bytes = "bytes";

    SendArguments arguments(long type, long node, long length = 5)
    {
        return {type, reinterpret_cast<std::uintptr_t>(bytes.data()), length, node, 0};
    }
    Result<void> post(const SendArguments& call, const Posting<Factors>::Counted& counted)
    {
        return posting.post(call, *posting.find(call), counted);
    }
    Result<void> post(const SendArguments& call) { return post(call, {nullptr, lent}); }
};

} // namespace

TEST_CASE("a send is refused for what is wrong with it, before anything is done")
{
    Job job;
    const auto error_of = [&](const SendArguments& call) { return job.posting.find(call).error(); };
    CHECK(error_of(job.arguments(-1, 1)) == Error::bad_type);
    CHECK(error_of(job.arguments(1, 1, -1)) == Error::bad_length);
    CHECK(error_of(job.arguments(1, 1, static_cast<long>(Envelope::longest) + 1)) == Error::bad_length);
    CHECK(error_of(job.arguments(1, 3)) == Error::bad_node);
    CHECK(error_of({1, 0, 0, 1, parley_address(9, 0)}) == Error::bad_process);
    job.peer(1).waiter.set_state(EndpointState::killed);
    CHECK(error_of(job.arguments(1, 1)) == Error::closed);
    job.peer(0).waiter.set_state(EndpointState::killed);
    CHECK(job.posting.find(job.arguments(1, -1))); // nobody waits for one of several
    job.peer(2).waiter.set_state(EndpointState::ended);
    CHECK(job.posting.find(job.arguments(1, 2))); // what it has not received is noted
}

TEST_CASE("a message to one process has its bytes taken once, and is in that process's port")
{
    Job job;
    CHECK(job.post(job.arguments(7, 1)));
    CHECK(job.transfer.asked() == "offer");
    CHECK(job.transfer.last_offer.copies == 1);
    CHECK(job.in_port(1) == Types{7});
    CHECK((job.in_port(0).empty() && job.in_port(2).empty()));
    CHECK(job.message_in_port(1).destination == 1);
    CHECK(job.message_in_port(1).home() == job.message_in_port(1).slot());
    CHECK_FALSE(job.posting.has_lent());
}

TEST_CASE("a message without bytes is sent without the transfer")
{
    Job job;
    CHECK(job.post(job.arguments(7, 1, 0)));
    CHECK(job.transfer.asked() == "");
    CHECK(job.in_port(1) == Types{7});
}

TEST_CASE("a broadcast's bytes are offered once and repeated, a message for each other process")
{
    Job job;
    CHECK(job.post(job.arguments(7, -1)));
    CHECK(job.transfer.asked() == "offer, repeat");
    CHECK(job.transfer.last_offer.copies == 2);
    CHECK((job.in_port(1) == Types{7} && job.in_port(2) == Types{7} && job.in_port(0).empty()));
    CHECK(&job.message_in_port(1) != &job.message_in_port(2));
}

TEST_CASE("the rest of a broadcast goes on from any destination")
{
    Job job;
    const SendArguments call = job.arguments(7, -1);
    const Offer offer{0, {call.buffer}, 2};
    CHECK(job.posting.post_from(call, offer, *job.posting.find(call), 2, 1, {nullptr, job.lent}));
    CHECK(job.transfer.asked() == "repeat");
    CHECK((job.in_port(1).empty() && job.in_port(2) == Types{7}));
}

TEST_CASE("a message is put into the mailbox that its destination's messages are routed to")
{
    Job job;
    const std::array routes{&job.peer(0), &job.peer(2), &job.peer(2)};
    job.posting.bind(routes.data());
    CHECK((!job.posting.is_direct(1) && job.posting.is_direct(2)));
    CHECK(job.post(job.arguments(7, 1)));
    CHECK((job.in_port(1).empty() && job.in_port(2) == Types{7}));
    CHECK(job.message_in_port(2).destination == 1);
}

TEST_CASE("messages count where the call says: all of them, or those alone whose bytes are lent")
{
    Job job;
    job.transfer.custody = GENERATE(Custody::taken, Custody::lent);
    const bool is_lent = job.transfer.custody == Custody::lent;
    SECTION("all")
    {
        CHECK(job.post(job.arguments(7, -1), {&job.all, job.lent}));
        CHECK(job.message_in_port(1).completion() == &job.all);
        job.all.count();
        CHECK_FALSE(job.all.is_reached());
        job.all.count();
        CHECK((job.all.is_reached() && job.lent.is_reached()));
    }
    SECTION("those that are lent")
    {
        CHECK(job.post(job.arguments(7, -1), {nullptr, job.lent}));
        CHECK((job.message_in_port(1).completion() == &job.lent) == is_lent);
        CHECK(job.lent.is_reached() != is_lent);
    }
    SECTION("nothing may be lent")
    {
        CHECK(job.post(job.arguments(7, 1), {nullptr, job.lent, false}));
        CHECK(job.lent.is_reached());
        CHECK_FALSE(job.posting.has_lent());
        return;
    }
    CHECK(job.posting.has_lent() == is_lent);
}

TEST_CASE("a send for which there is no budget waits until some is freed")
{
    Job job;
    std::byte* const last = job.use_up_budget();
    job.synchronization.meanwhile = [&] {
        CHECK(job.records[0].reason.load() == WaitReason::budget);
        CHECK((job.records[0].type.load() == 7 && job.records[0].length.load() == 5));
        job.heap.release(last);
        job.budget.freed();
    };
    CHECK(job.post(job.arguments(7, 1)));
    CHECK(job.synchronization.waits == 1);
    CHECK(job.in_port(1) == Types{7});
}

TEST_CASE("a handler that is due ends a wait for budget, but not in a broadcast that has begun")
{
    Job job;
    job.stock();
    job.peer(0).waiter.status().set_notification(Notification::pending);
    unsigned offers = 0;
    const unsigned good = GENERATE(0u, 1u);
    const unsigned limit = good + 3; // the first try fails, and those before and after a look into the port
    job.transfer.offer_error = [&]() -> std::optional<Error> {
        const unsigned number = offers++;
        return number >= good && number < limit ? std::optional(Error::no_memory) : std::nullopt;
    };
    job.synchronization.meanwhile = [&] { job.budget.freed(); };
    const Result<void> posted = job.post(job.arguments(7, -1));
    CHECK(posted.has_value() == (good == 1));
    CHECK(job.in_port(1).size() == good);
    CHECK(job.in_port(2).size() == good);
    if (good == 0) {
        CHECK(posted.error() == Error::interrupted);
        CHECK(job.has_all_messages());
    }
}

TEST_CASE("a wait for budget ends when the transfer refuses for another reason")
{
    Job job;
    job.stock();
    unsigned offers = 0;
    job.transfer.offer_error = [&]() -> std::optional<Error> {
        return offers++ == 0 ? Error::no_memory : Error::bad_buffer;
    };
    CHECK(job.post(job.arguments(7, 1)).error() == Error::bad_buffer);
    CHECK(offers == 2);
}

TEST_CASE("where the transfer refuses, nothing is sent, nothing is kept, and nobody is waited for")
{
    Job job;
    job.stock();
    job.transfer.offer_error = [] { return Error::bad_buffer; };
    CHECK(job.post(job.arguments(7, 1)).error() == Error::bad_buffer);
    CHECK(job.transfer.asked() == "offer");
    CHECK(job.in_port(1).empty());
    CHECK(job.has_all_messages());
}

TEST_CASE("where a broadcast fails on its way, the shares of those who get no message are dropped")
{
    Job job;
    job.stock();
    bool fails = false;
    job.budget.announce(job.peer(2).waiter);
    SECTION("no further message can be made")
    {
        job.transfer.offer_error = [&]() -> std::optional<Error> {
            return std::exchange(fails, !fails) ? std::optional(Error::over_budget) : std::nullopt;
        };
        CHECK(job.post(job.arguments(7, -1)).error() == Error::over_budget);
        CHECK(job.transfer.asked() == "offer, repeat, repeat, drop");
        CHECK(job.in_port(1) == Types{7});
    }
    SECTION("the sender must end while a port is full")
    {
        job.ports[1].capacity = 0;
        REQUIRE(job.peer(1).mailbox.enter());
        job.synchronization.kills = true;
        CHECK(job.post(job.arguments(7, -1)).error() == Error::killed);
        CHECK(job.transfer.asked() == "offer, repeat, drop, drop");
        job.peer(1).mailbox.unlock_at_once();
        CHECK(job.has_all_messages());
    }
    SECTION("the first message's protocol fails")
    {
        job.transfer.custody = Custody::followed;
        job.transfer.protocol = &job.protocol;
        job.protocol.bring_error = Error::interrupted;
        CHECK(job.post(job.arguments(7, -1)).error() == Error::interrupted);
        CHECK(job.transfer.asked() == "offer, repeat, drop");
        CHECK(job.in_port(1) == Types{7}); // the message is the protocol's
    }
    CHECK(job.in_port(2).empty());
    CHECK(job.signals(2) != 0);
}

TEST_CASE("a message with a protocol has its bytes brought within the call, once it has been put")
{
    Job job;
    job.transfer.custody = Custody::followed;
    job.transfer.protocol = &job.protocol;
    CHECK(job.post(job.arguments(7, 1)));
    CHECK(job.protocol.asked() == "bring");
    CHECK(job.protocol.message == &job.message_in_port(1));
    CHECK(job.protocol.details.restartable);
    CHECK((job.protocol.details.reason == WaitReason::delivery && job.protocol.details.type == 7));
    CHECK(job.message_in_port(1).home() == 0); // whoever reads the envelope looks into the message
    CHECK(job.post(job.arguments(8, -1)));
    CHECK(job.protocol.asked() == "bring, bring");
    CHECK_FALSE(job.protocol.details.restartable); // the first has gone
}

TEST_CASE("a sender that ended while its bytes were taken leaves all its messages spare, and no buffer")
{
    Job job;
    job.stock();
    const std::size_t used = job.heap.used_units();
    job.transfer.offer_error = [&]() -> std::optional<Error> {
        job.peer(0).delivery.pool().next().opened().begin_filling(*job.heap.allocate(5000));
        throw testing::Cut{};
    };
    CHECK_THROWS_AS(job.post(job.arguments(7, 1)), testing::Cut);
    CHECK(job.heap.used_units() > used);
    job.posting.leave();
    CHECK(job.heap.used_units() == used);
    CHECK(job.has_all_messages());
}

TEST_CASE("of a sender that ended while its bytes were brought, the protocol hears once")
{
    Job job;
    job.transfer.custody = Custody::followed;
    job.transfer.protocol = &job.protocol;
    CHECK(job.post(job.arguments(6, 2)));
    job.posting.leave();
    CHECK(job.protocol.asked() == "bring");
    job.protocol.is_cut = true;
    CHECK_THROWS_AS(job.post(job.arguments(7, 1)), testing::Cut);
    job.posting.leave();
    CHECK(job.protocol.asked() == "bring, left");
    CHECK(job.protocol.message == &job.message_in_port(1));
    job.posting.leave();
    CHECK(job.protocol.asked() == "");
}

TEST_CASE("a message to a process that is killed meanwhile is nobody's, and that is no error of the post")
{
    Job job;
    const SendArguments call = job.arguments(7, 1);
    const Destinations to = *job.posting.find(call);
    job.peer(1).waiter.set_state(EndpointState::killed);
    CHECK(job.posting.post(call, to, {nullptr, job.lent}));
    CHECK(job.posting.was_killed(call, to));
    CHECK(job.transfer.asked() == "offer, drop");
    CHECK(job.in_port(1).empty());
}

TEST_CASE("a broadcast to nobody takes its bytes and drops them")
{
    Job job;
    job.stock();
    const SendArguments call = job.arguments(7, -1);
    CHECK(job.posting.post(call, {0, 1, 0, 0}, {&job.all, job.lent}));
    CHECK(job.transfer.asked() == "offer, drop");
    CHECK(job.all.is_reached());
    CHECK(job.in_port(0).empty());
    CHECK(job.has_all_messages());
}

TEST_CASE("a message to its own process is known as such, and a broadcast is none")
{
    Job job;
    CHECK(job.posting.is_to_itself(*job.posting.find(job.arguments(1, 0))));
    CHECK_FALSE(job.posting.is_to_itself(*job.posting.find(job.arguments(1, 1))));
    CHECK_FALSE(job.posting.is_to_itself(*job.posting.find(job.arguments(1, -1))));
}
