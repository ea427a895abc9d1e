// SPDX-License-Identifier: MIT
// What is under way to a process that ends. A sender whose message does not count an event looks at the
// receiver's status once, when it has drawn its number and published its entry; so that one look may come
// before the end, and the entry be seen after it. In every order of steps nothing stays in the mailbox.
#include "messaging/port/carrying/carrying.hpp"
#include "testing/catch.hpp"
#include "testing/closing_peers.hpp"
#include "testing/explorer.hpp"

#include <memory>

using namespace parley;
using namespace parley::messaging;

namespace {

struct Scene : testing::ClosingPeers<CarryingPort, 2> {
    // As the short way of a send does.
    void send(unsigned sender)
    {
        if (!to().mailbox.put(sender, messages[sender], &messages[sender]))
            return;
        if (to().tell())
            (void)router.attend(peers[sender].waiter.party(), to());
    }
    // As JobMessages::close() does.
    void close(unsigned looks)
    {
        to().waiter.set_state(EndpointState::ended);
        to().waiter.signal();
        router.discard_all_under_way(to().waiter.party(), to(), looks);
    }
};

explorer::Play senders_to_one_that_ends(unsigned count, unsigned looks)
{
    auto scene = std::make_shared<Scene>();
    explorer::Play play;
    for (unsigned sender = 0; sender < count; ++sender)
        play.parties.push_back([scene, sender] { scene->send(sender); });
    play.parties.push_back([scene, looks] { scene->close(looks); });
    play.check = [scene, count]() -> std::string {
        if (scene->ports[Scene::receiver].is_under_way())
            return "an entry is left in the port of a process that has ended";
        for (unsigned sender = 0; sender < count; ++sender)
            if (!scene->has_back(sender))
                return "a message did not come back";
        return "";
    };
    return play;
}

std::string fault(unsigned count, unsigned looks, unsigned preemptions)
{
    return explorer::explore({.preemptions = preemptions},
                             [=] { return senders_to_one_that_ends(count, looks); })
        .failure;
}

} // namespace

TEST_CASE("one look that sees what was stored before the end leaves nothing in a port in any order of steps")
{
    CHECK(fault(1, 1, 3) == "");
    CHECK(fault(2, 1, 2) == "");
    CHECK(fault(1, 0, 1) != ""); // without it, a store that is seen late leaves its message there
}
