// SPDX-License-Identifier: MIT
#include "messaging/progress.hpp"

#include "testing/call_scene.hpp"

using namespace parley;
using namespace parley::messaging;

namespace {

constexpr WaitDetails details{.reason = WaitReason::message, .type = 4, .length = 5, .peer = -1};
constexpr WaitDetails restartable{WaitReason::message, 4, 5, -1, true};

// Process 0 goes on; 1 and 2 send to it.
struct Job : testing::CallScene {
    std::array<char, 16> buffer{};

    UserAddress address() { return {reinterpret_cast<std::uintptr_t>(buffer.data())}; }
    std::string_view received() const { return buffer.data(); }
    void post(Receive& receive, std::int32_t type)
    {
        receive.buffer = address();
        CallScene::post(0, receive, type, buffer.size());
    }
};

} // namespace

TEST_CASE("what is so already is not waited for")
{
    Job job;
    job.send(1, 0, 1);
    CHECK(job.progress.await(details, [] { return true; }));
    CHECK(job.synchronization.waits == 0);
    CHECK(job.in_port(0).size() == 1); // nor is anything else done
}

TEST_CASE("who waits for anything accepts for its posted receives, and is shown what it waits for")
{
    Job job;
    Receive receive;
    job.post(receive, 1);
    job.synchronization.meanwhile = [&] {
        CHECK(job.records[0].epoch.load() % 2 == 1);
        CHECK(job.records[0].reason.load() == WaitReason::message);
        CHECK((job.records[0].type.load() == 4 && job.records[0].length.load() == 5));
        job.send(1, 0, 1, "bytes");
    };
    CHECK(job.progress.await(details, [&] { return receive.has_ended(); }));
    CHECK(job.synchronization.waits == 1);
    CHECK(receive.state.is(ReceiveState::finished));
    CHECK(job.received() == "bytes");
    CHECK(job.records[0].epoch.load() % 2 == 0);
}

TEST_CASE("a wait ends without its condition when the process must end, or is interrupted where it may be")
{
    Job job;
    const auto never = [] { return false; };
    SECTION("killed")
    {
        job.synchronization.kills = true;
        CHECK(job.progress.await(restartable, never).error() == Error::killed);
    }
    SECTION("interrupted")
    {
        job.peer(0).waiter.status().set_notification(Notification::pending);
        CHECK(job.progress.await(restartable, never).error() == Error::interrupted);
        CHECK(job.synchronization.waits == 0);
    }
    SECTION("a call that cannot be made again waits on")
    {
        job.peer(0).waiter.status().set_notification(Notification::pending);
        job.synchronization.meanwhile = [&] { job.peer(0).waiter.signal(); };
        CHECK(job.progress.await(details, [&] { return job.synchronization.waits == 2; }));
    }
}

TEST_CASE("who waits for budget is told of what is freed, while it waits and not afterwards")
{
    Job job;
    const StatusWord& status = job.peer(0).waiter.status();
    bool is_free = false;
    SECTION("it gets some")
    {
        job.synchronization.meanwhile = [&] {
            CHECK(status.wants_budget());
            job.signals(0);
            is_free = true;
            job.budget.freed();
            CHECK(job.signals(0) == 1);
        };
        CHECK(job.progress.await_budget(details, [&] {
            CHECK(status.wants_budget()); // announced before the first try
            return is_free;
        }));
    }
    SECTION("it must end")
    {
        job.synchronization.kills = true;
        CHECK(job.progress.await_budget(details, [] { return false; }).error() == Error::killed);
    }
    CHECK_FALSE(status.wants_budget());
    job.signals(0);
    job.budget.freed();
    CHECK(job.signals(0) == 0);
}

TEST_CASE("a message's bytes are brought, and its memory is its sender's again")
{
    Job job;
    Message& message = job.message(1, 3, "bytes");
    const ReceiveStatus found = job.progress.accept(message, job.address(), job.notes);
    CHECK(found.envelope().type() == 3);
    CHECK(job.transfer.asked() == "accept by 0");
    CHECK(job.received() == "bytes");
    CHECK(job.notes.left().block == job.address().value);
    CHECK(job.has_come_back(message));
    CHECK(job.signals(1) == 0); // nobody waits for it
}

TEST_CASE("a message without bytes is accepted without the transfer")
{
    Job job;
    Message& message = job.message(1, 3);
    CHECK(job.progress.accept(message, job.address(), job.notes));
    CHECK(job.transfer.asked() == "");
    CHECK(job.has_come_back(message));
}

TEST_CASE("a message that is accepted frees budget, and tells a sender that waits for its return")
{
    Job job;
    job.budget.announce(job.peer(2).waiter);
    job.peer(1).waiter.status().set_wants_delivery(true);
    CHECK(job.progress.accept(job.message(1, 3, "x"), job.address(), job.notes));
    CHECK(job.signals(1) == 1);
    CHECK(job.signals(2) == 1);
}

TEST_CASE("a message that counts on something is counted when it has been accepted")
{
    Job job;
    Message& message = job.message(1, 3, "x");
    Completion completion;
    completion.expect(1);
    message.count_on(completion);
    job.transfer.accept_error = [&]() -> std::optional<Error> {
        CHECK_FALSE(completion.is_reached()); // its sender may use the buffer as soon as it is
        return std::nullopt;
    };
    CHECK(job.progress.accept(message, job.address(), job.notes));
    CHECK(completion.is_reached());
    CHECK(job.has_come_back(message));
}

TEST_CASE("a message whose bytes cannot be brought is over, but for one whose bytes are not all there")
{
    Job job;
    Message& message = job.message(1, 3, "bytes");
    const Error error = GENERATE(Error::bad_buffer, Error::closed, Error::would_block);
    job.transfer.accept_error = [=] { return error; };
    CHECK(job.progress.accept(message, job.address(), job.notes).error() == error);
    CHECK(job.has_come_back(message) == (error != Error::would_block));
    CHECK(job.notes.left().block == 0);
}

TEST_CASE("receives whose messages are not whole are accepted later, and keep nobody waiting")
{
    Job job;
    Receive slow, quick;
    job.post(slow, 1);
    job.post(quick, 2);
    job.send(1, 0, 1, "slow");
    job.send(1, 0, 2, "quick");
    unsigned asked = 0;
    job.transfer.accept_error = [&]() -> std::optional<Error> {
        return ++asked % 2 == 1 ? std::optional(Error::would_block) : std::nullopt;
    };
    CHECK(job.progress.advance());
    CHECK(asked == 3); // the slow one is tried again, once
    CHECK(quick.state.is(ReceiveState::finished));
    CHECK(slow.state.is(ReceiveState::matched));
    job.transfer.accept_error = [] { return std::nullopt; };
    CHECK(job.progress.advance());
    CHECK(slow.state.is(ReceiveState::finished));
    CHECK(job.received() == "slowk");
}

TEST_CASE("a receive whose bytes cannot be brought fails, and the process goes on unless it must end")
{
    Job job;
    Receive receive;
    job.post(receive, 1);
    job.send(1, 0, 1, "bytes");
    const Error error = GENERATE(Error::bad_buffer, Error::killed);
    job.transfer.accept_error = [=] { return error; };
    CHECK(job.progress.advance().has_value() == (error != Error::killed));
    CHECK(receive.state.is(ReceiveState::failed));
    CHECK(receive.error == error);
}
