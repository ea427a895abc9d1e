// SPDX-License-Identifier: MIT
// What nxrun sees of ranks by their records in the arena. The test is the ranks: it writes the records.
#include "native/nxrun/wait_watch.hpp"

#include "interface/library.h"
#include "native/nxrun/fake_semaphores_test.hpp"
#include "testing/catch.hpp"

#include <new>
#include <unistd.h>

using namespace parley;
using namespace parley::native;
using messaging::EndpointState;
using messaging::WaitDetails;
using messaging::WaitedPeer;
using messaging::WaitReason;
using messaging::WaitRecord;

namespace {

constexpr unsigned nodes = 2;
constexpr WaitDetails for_type_5{WaitReason::message, 5, 64, WaitedPeer::of(-1, 0)};

struct Scene {
    explicit Scene(unsigned machines = 1, unsigned policy_processes = 0)
        : places({.nodes = nodes, .machines = machines}, 0, policy_processes)
    {
        semaphores.make(room, 1000);
        for (Place& place : places) {
            if (place.role == Role::policy) {
                place.process = getpid();
                continue;
            }
            new (&record(place.endpoint)) WaitRecord;
            record(place.endpoint).set_name({place.node, 0});
            if (place.machine != 0)
                continue;
            place.process = getpid();
            const LockGuard guard(places.roster().lock());
            places.roster().begin(place.endpoint);
        }
    }
    WaitRecord& record(unsigned endpoint)
    {
        return reinterpret_cast<WaitRecord*>(arena.memory() + PARLEY_REGION_HEADER_BYTES)[endpoint];
    }
    sched::SemaphoreWaiter& waiter(unsigned endpoint)
    {
        return reinterpret_cast<sched::SemaphoreWaiter*>(room)[endpoint];
    }
    void wait(unsigned endpoint) { record(endpoint).begin(for_type_5, 0, false); }

    Places places;
    SharedFile arena{"test-arena", PARLEY_SHARED_BASE, 4 << 20};
    SourceNames names;
    alignas(64) std::byte room[nodes * sizeof(sched::SemaphoreWaiter)]{};
    parley_library library{};
    RankSemaphores semaphores{{"kernel", "kernel", {}}, nodes, fake_library(library)};
    WaitWatch watch{places, 0, arena, semaphores, names};
};

} // namespace

TEST_CASE("all ranks wait when the records of all say so, and two looks are alike while none goes on")
{
    Scene scene;
    scene.wait(0);
    CHECK_FALSE(scene.watch.look().all_wait());
    scene.wait(1);
    const jobs::Look look = scene.watch.look();
    CHECK((look.all_wait() && look.somebody_waits()));
    CHECK(scene.watch.look() == look);
    scene.record(1).end();
    CHECK_FALSE(scene.watch.look().all_wait());
    scene.wait(1);
    CHECK(scene.watch.look().all_wait());
    CHECK_FALSE(scene.watch.look() == look);
}

TEST_CASE("a rank that has been asked to end goes on, and one of another machine does nothing here")
{
    Scene scene(2);
    scene.wait(0);
    CHECK(scene.watch.look().all_wait()); // node 1 is the other machine's
    scene.places[0].end_request = EndRequest{};
    CHECK_FALSE(scene.watch.look().all_wait());
}

TEST_CASE("a rank that waits for the end of others goes on while its process runs, whatever its record says")
{
    Scene scene;
    scene.wait(0);
    scene.wait(1);
    scene.places[1].asked = Asked{7, 0}; // and this process, which is it, is awake
    CHECK_FALSE(scene.watch.look().all_wait());
}

TEST_CASE("a rank waits in P until a V has come for it, and a policy process waits for nobody")
{
    Scene scene(1, 1);
    scene.wait(0);
    const auto ticket = scene.waiter(1).begin(7);
    const jobs::Look look = scene.watch.look();
    CHECK((look.all_wait() && look.somebody_waits()));
    CHECK(scene.watch.look() == look);
    CHECK(scene.watch.report() == "  node 0: crecv(selector 5, from any node) waits for a message\n"
                                  "  node 1: P waits for a V of semaphore 7\n");
    scene.waiter(1).leave_queue(); // V, and a policy process works for it
    CHECK_FALSE(scene.watch.look().all_wait());
    scene.waiter(1).end(ticket);
    scene.waiter(1).begin(7);
    CHECK(scene.watch.look().all_wait());
    CHECK_FALSE(scene.watch.look() == look);
}

TEST_CASE("all are closed when no program's endpoint is live any more")
{
    Scene scene;
    CHECK_FALSE(scene.watch.all_are_closed());
    scene.record(0).state.store(EndpointState::ended, std::memory_order_release);
    CHECK_FALSE(scene.watch.all_are_closed());
    scene.record(1).state.store(EndpointState::killed, std::memory_order_release);
    CHECK(scene.watch.all_are_closed());
}

TEST_CASE("a report has a line for each rank of the machine: what it waits for, or that it has left")
{
    Scene scene;
    scene.wait(0);
    {
        const LockGuard guard(scene.places.roster().lock());
        scene.places.roster().ended(1, 3);
    }
    CHECK(scene.watch.report() == "  node 0: crecv(selector 5, from any node) waits for a message\n"
                                  "  node 1: left before, with status 3\n");
}

TEST_CASE("what a rank has left is read from its record")
{
    Scene scene;
    scene.record(1).unreceived.note({.kind = messaging::Unreceived::Kind::message, .type = 30, .bytes = 8});
    CHECK(scene.watch.unreceived(0).empty());
    CHECK_FALSE(scene.watch.unreceived(1).empty());
}
