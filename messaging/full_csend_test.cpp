// SPDX-License-Identifier: MIT
#include "messaging/full_csend.hpp"

#include "testing/call_scene.hpp"

using namespace parley;
using namespace parley::messaging;

namespace {

// Process 0 sends.
struct Job : testing::CallScene {
    SendArguments arguments{};

    using CallScene::send; // by others

    Outcome send(long type, long node, std::string_view bytes = "")
    {
        arguments = {type, reinterpret_cast<std::uintptr_t>(bytes.data()), static_cast<long>(bytes.size()),
                     node, 0};
        const Destinations to = *posting.find(arguments);
        const FullCsend<Factors>::Parts parts{peer(0), posting, progress, requests, 0};
        return FullCsend<Factors>(parts, arguments, to).run(interaction);
    }
    // Its receiver has accepted the message.
    void deliver(unsigned index) { router.complete(message_in_port(index)); }
    bool has_no_request()
    {
        Request* const first = *requests.begin(RequestState::sending);
        const bool is_first = (requests.id(*first) & 1023) == 0;
        requests.end(*first);
        return is_first;
    }
};

} // namespace

TEST_CASE("a csend that does not wait for its delivery is over when its message has been put")
{
    Job job;
    CHECK(job.send(1, 1, "bytes").number() == 0);
    CHECK(job.in_port(1).size() == 1);
    CHECK(job.message_in_port(1).completion() == nullptr);
    CHECK(job.synchronization.waits == 0);
}

TEST_CASE("a message whose bytes are lent counts on the process's lent ones, and csend does not wait")
{
    Job job;
    job.transfer.custody = Custody::lent;
    CHECK(job.send(1, 1, "bytes").number() == 0);
    CHECK(job.message_in_port(1).completion() == &job.peer(0).delivery.lent());
}

TEST_CASE("a csend that waits is over when all its messages have been delivered")
{
    Job job;
    job.interaction.awaits = true;
    job.synchronization.meanwhile = [&] {
        CHECK(job.records[0].reason.load() == WaitReason::delivery);
        CHECK((job.records[0].type.load() == 1 && job.records[0].length.load() == 5));
        CHECK(job.peer(0).waiter.status().wants_returns());
        job.deliver(job.synchronization.waits); // that of process 1, then that of 2
    };
    CHECK(job.send(1, -1, "bytes").number() == 0);
    CHECK(job.synchronization.waits == 2);
    CHECK(job.peer(0).waiter.status().is_ordinary());
}

TEST_CASE("a message to its own process is not waited for, and its bytes are taken at once")
{
    Job job;
    job.interaction.awaits = true;
    job.transfer.custody = Custody::lent;
    CHECK(job.send(1, 0, "bytes").number() == 0);
    CHECK_FALSE(job.transfer.last_offer.may_lend);
    CHECK(job.message_in_port(0).completion() == nullptr);
}

TEST_CASE("a csend that waits while a handler is due leaves its id, and what it waited for")
{
    Job job;
    job.interaction.awaits = true;
    job.peer(0).waiter.status().set_notification(Notification::armed);
    job.synchronization.meanwhile = [&] { job.peer(0).waiter.notify(); };
    const long id = job.send(1, 1, "bytes").number();
    REQUIRE(id > 0);
    Request* const request = *job.requests.find(id);
    REQUIRE(request != nullptr);
    CHECK_FALSE(request->is_complete());
    const WaitDetails left = job.requests.details(id, *request);
    CHECK((left.reason == WaitReason::delivery && left.type == 1 && left.length == 5 && left.restartable));
    job.deliver(1);
    CHECK(request->is_complete());
}

TEST_CASE("a csend that was delivered leaves no request, although a handler might have become due")
{
    Job job;
    job.interaction.awaits = true;
    job.peer(0).waiter.status().set_notification(Notification::armed);
    job.synchronization.meanwhile = [&] { job.deliver(1); };
    CHECK(job.send(1, 1, "bytes").number() == 0);
    CHECK(job.has_no_request());
}

TEST_CASE("a csend ends with the first error, and leaves no request that could be asked for")
{
    Job job;
    job.interaction.awaits = true;
    job.peer(0).waiter.status().set_notification(Notification::armed);
    SECTION("before anything was sent")
    {
        job.interaction.before_error = Error::no_ids;
        CHECK(job.send(1, 1, "bytes").error() == Error::no_ids);
        CHECK(job.transfer.asked() == "");
        CHECK(job.in_port(1).empty());
    }
    SECTION("the transfer refuses")
    {
        job.transfer.offer_error = [] { return Error::bad_buffer; };
        CHECK(job.send(1, 1, "bytes").error() == Error::bad_buffer);
        CHECK(job.in_port(1).empty());
    }
    SECTION("the process that it was for is killed meanwhile")
    {
        job.transfer.offer_error = [&]() -> std::optional<Error> {
            job.peer(1).waiter.set_state(EndpointState::killed);
            return std::nullopt;
        };
        CHECK(job.send(1, 1, "bytes").error() == Error::closed);
        CHECK(job.transfer.asked() == "offer, drop");
    }
    SECTION("afterwards")
    {
        job.interaction.awaits = false;
        job.interaction.after_error = Error::killed;
        CHECK(job.send(1, 1, "bytes").error() == Error::killed);
        CHECK(job.in_port(1).size() == 1);
    }
    CHECK(job.has_no_request());
}

TEST_CASE("a csend that must end while it waits says so")
{
    Job job;
    job.interaction.awaits = true;
    job.synchronization.kills = true;
    CHECK(job.send(1, 1).error() == Error::killed);
    CHECK(job.peer(0).waiter.status().is_ordinary());
}

TEST_CASE("a csend that waits needs no request where no handler can become due")
{
    Job job;
    job.interaction.awaits = true;
    while (job.requests.begin(RequestState::receiving)) { }
    job.synchronization.meanwhile = [&] { job.deliver(1); };
    CHECK(job.send(1, 1, "bytes").number() == 0);
}
