// SPDX-License-Identifier: MIT
// A processor that has been woken marks itself idle again before it looks for work; whoever wakes several
// must not take it for another one.
#include "sched/gang_policy/private.hpp"
#include "sched/server_set.hpp"
#include "sched/system_scheduler.hpp"
#include "testing/catch.hpp"

namespace parley::sched {

namespace {

class EagerServer final : public Server {
public:
    explicit EagerServer(unsigned index) : Server(index) { set_idle(true); }

    void wake() override
    {
        ++wakes;
        set_idle(true);
    }

    unsigned wakes = 0;
};

std::uint64_t no_clock() { return 0; }

} // namespace

TEST_CASE("a gang wakes as many processors as it wants, each once", "[sched]")
{
    EagerServer first(0), second(1), third(2);
    ServerSet servers;
    SystemScheduler scheduler(servers, no_clock);
    for (EagerServer* server : {&first, &second, &third}) {
        servers.add(*server);
        server->serve(scheduler);
    }
    PrivateGangScheduler policy;
    Gang gang(policy);
    Process members[2];
    gang.add(members[0]);
    gang.add(members[1]);
    scheduler.schedule(gang);
    CHECK(first.wakes == 1);
    CHECK(second.wakes == 1);
    CHECK(third.wakes == 0);
}

} // namespace parley::sched
