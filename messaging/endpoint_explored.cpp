// SPDX-License-Identifier: MIT
// What others do to a process that waits, that has arrangements in its status word, or that ends: every order
// of the steps of a signal against a wait, of the writers of a status, and of a message that is put while its
// receiver closes.
#include "messaging/port/circular.hpp"
#include "messaging/router.hpp"
#include "sched/synchronization/semaphore.hpp"
#include "testing/catch.hpp"
#include "testing/closing_peers.hpp"
#include "testing/explorer.hpp"

#include <memory>

using namespace parley;
using namespace parley::messaging;

namespace {

using Sleeping = sched::SemaphoreSynchronization;

struct Sleeper {
    Sleeping synchronization;
    WaitRecord record;
    Waiter<Sleeping> waiter{synchronization, record, Party()};
    Atomic<unsigned> news{0};

    void await(unsigned wanted)
    {
        for (;;) {
            const std::uint32_t seen = waiter.sequence();
            if (news.load() >= wanted)
                return;
            (void)waiter.wait({WaitReason::message, 0, 0, -1}, seen);
        }
    }
    void tell_shortly() // as the short way of a send
    {
        news.fetch_add(1);
        if (waiter.announce())
            waiter.wake();
    }
    void tell_fully()
    {
        news.fetch_add(1);
        waiter.signal();
    }
};

// A lost wake-up shows as a party that waits for ever.
explorer::Play one_waits(void (Sleeper::*tell)(), void (Sleeper::*tell_too)())
{
    auto scene = std::make_shared<Sleeper>();
    explorer::Play play;
    play.parties.push_back([scene] { scene->await(2); });
    play.parties.push_back([scene, tell] { (*scene.*tell)(); });
    play.parties.push_back([scene, tell_too] { (*scene.*tell_too)(); });
    play.check = [] { return std::string(); };
    return play;
}

// The owner makes arrangements while others end the process and see its notification come.
explorer::Play writers_of_a_status()
{
    struct Scene {
        StatusWord status;
        explorer::Noted<unsigned> notified = 0;
    };
    auto scene = std::make_shared<Scene>();
    scene->status.set_notification(Notification::armed);
    explorer::Play play;
    play.parties.push_back([scene] { scene->status.set_wants_budget(true); });
    play.parties.push_back([scene] { scene->status.set_state(EndpointState::killed); });
    for (int party = 0; party < 2; ++party)
        play.parties.push_back([scene] { scene->notified += scene->status.notify() ? 1 : 0; });
    play.check = [scene]() -> std::string {
        if (scene->notified != 1)
            return "not one of two notified";
        if (scene->status.notification() != Notification::pending)
            return "the notification was lost";
        if (scene->status.state() != EndpointState::killed)
            return "the state was lost";
        return scene->status.wants_budget() ? "" : "the wish for budget was lost";
    };
    return play;
}

// A sender and a receiver, in one job.
struct Pair : testing::ClosingPeers<CircularPort, 1> {
    void put() { (void)router.put(peers[0].waiter.party(), to(), messages[0]); }
    void close(EndpointState how) // the steps of JobMessages::close() that senders meet
    {
        to().waiter.set_state(how);
        to().waiter.signal();
        router.discard_all(to().waiter.party(), to());
    }
};

explorer::Play a_message_put_while_its_receiver_closes(EndpointState how)
{
    auto scene = std::make_shared<Pair>();
    explorer::Play play;
    play.parties.push_back([scene] { scene->put(); });
    play.parties.push_back([scene, how] { scene->close(how); });
    play.check = [scene]() -> std::string {
        if (!scene->to().mailbox.empty(scene->to().waiter.party()).empty())
            return "a message is left in the mailbox of a process that has ended";
        return scene->has_back(0) ? "" : "the message did not come back";
    };
    return play;
}

} // namespace

TEST_CASE("a signal in two steps is never lost against a wait in any order of steps")
{
    const explorer::Options options{.preemptions = 3};
    const auto play = [&](auto tell, auto tell_too) {
        return explorer::explore(options, [=] { return one_waits(tell, tell_too); }).failure;
    };
    CHECK(play(&Sleeper::tell_shortly, &Sleeper::tell_shortly) == "");
    CHECK(play(&Sleeper::tell_shortly, &Sleeper::tell_fully) == "");
}

TEST_CASE("a status keeps what each of its writers has written in any order of steps")
{
    CHECK(explorer::explore({.preemptions = 3}, writers_of_a_status).failure == "");
}

TEST_CASE("a message put while its receiver closes is never left there in any order of steps")
{
    for (const EndpointState how : {EndpointState::ended, EndpointState::killed}) {
        const auto outcome = explorer::explore(
            {.preemptions = 3}, [how] { return a_message_put_while_its_receiver_closes(how); });
        CHECK(outcome.failure == "");
        CHECK(outcome.executions > 10);
    }
}
