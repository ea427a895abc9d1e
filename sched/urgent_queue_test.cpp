// SPDX-License-Identifier: MIT
// Processes that go before all others: where they are queued, and whom they interrupt.
#include "sched/server_set.hpp"
#include "sched/slot_scheduler.hpp"
#include "sched/system_scheduler.hpp"
#include "sched/urgent_queue.hpp"
#include "testing/catch.hpp"

namespace parley::sched {

namespace {

class BusyServer final : public Server {
public:
    explicit BusyServer(unsigned index) : Server(index) { }

    void wake() override { ++wakes; }
    bool interrupt() override
    {
        if (asked)
            return false;
        return asked = true;
    }
    void mark_idle() { set_idle(true); }

    bool asked = false;
    unsigned wakes = 0;
};

std::uint64_t no_clock() { return 0; }

template <class Scheduler>
struct Scene {
    Scene()
    {
        for (BusyServer* const server : {&first, &second}) {
            servers.add(*server);
            server->serve(scheduler);
        }
        for (Process* const process : {&plain, &other})
            process->queue = &scheduler;
        for (Process* const process : {&one, &two})
            process->queue = &urgent;
    }
    // As make_ready() does it; the processor that heard of it.
    Server* ready(Process& process)
    {
        process.queue->add(process);
        return process.queue->idle_server_for(process);
    }

    BusyServer first{0}, second{1};
    ServerSet servers;
    Scheduler scheduler{servers, no_clock};
    Process plain, other, one, two;
    UrgentQueue urgent{scheduler, servers};
};

template <class Scheduler>
void try_scheduler()
{
    {
        INFO("they go first, the latest of them before all");
        Scene<Scheduler> scene;
        scene.ready(scene.plain);
        scene.ready(scene.one);
        scene.ready(scene.other);
        scene.ready(scene.two);
        for (Process* const next : {&scene.two, &scene.one, &scene.plain, &scene.other})
            CHECK(scene.scheduler.take(scene.first) == next);
    }
    {
        INFO("an idle processor is told, and nobody interrupted");
        Scene<Scheduler> scene;
        scene.second.mark_idle();
        CHECK(scene.ready(scene.one) == &scene.second);
        CHECK(!scene.first.asked);
        CHECK(!scene.second.asked);
    }
    {
        INFO("each interrupts another processor");
        Scene<Scheduler> scene;
        CHECK(scene.ready(scene.one) == nullptr);
        CHECK(scene.ready(scene.two) == nullptr);
        CHECK(scene.first.asked);
        CHECK(scene.second.asked);
    }
    {
        INFO("others interrupt nobody, and processors of gangs are left alone");
        Scene<Scheduler> scene;
        CHECK(scene.ready(scene.plain) == nullptr);
        CHECK(!scene.first.asked);
        Scheduler elsewhere(scene.servers, no_clock);
        scene.first.serve(elsewhere);
        scene.ready(scene.one);
        scene.ready(scene.two);
        CHECK(!scene.first.asked);
        CHECK(scene.second.asked);
    }
}

} // namespace

TEST_CASE("urgent processes go before all others and interrupt one of them", "[sched]")
{
    try_scheduler<SystemScheduler>();
    try_scheduler<SlotScheduler>();
}

} // namespace parley::sched
