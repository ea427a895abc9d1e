// SPDX-License-Identifier: MIT
// What processes in P and V rely on in the policy module, where nobody does anything at the same time.
#include "arch/hosted/hosted.hpp"
#include "sched/semaphore/policy_module.hpp"
#include "testing/catch.hpp"

using namespace parley;
using namespace parley::sched;

namespace {

// Time stands still, and whoever sleeps must end.
class StillClock final : public SemaphoreClock {
public:
    static constexpr std::uint64_t now = 1000;
    std::uint64_t wanted = 0; // the time until which somebody sleeps

    std::uint64_t nanoseconds() override { return now; }
    bool sleep_until(std::uint64_t nanoseconds, const Atomic<bool>&) override
    {
        wanted = nanoseconds;
        return false;
    }
};

struct Scene {
    StillClock clock;
    CountedStore store;
    SemaphoreCounts counts;
    PolicyModule module{{clock, store, counts}, PolicyModule::scheduling};
    SemaphoreWaiter waiter{0};
};

} // namespace

TEST_CASE("pages are due when their process has waited as long as was said")
{
    Scene scene;
    hosted::ProcessThread process;
    process.kill(); // whoever would wait for news ends, too
    scene.module.suspend_later(scene.waiter, scene.waiter.begin(0), 500);
    scene.module.watch_the_time();
    CHECK(scene.clock.wanted == StillClock::now + 500);
    CHECK(scene.counts.now().policy_runs == 0);
}

TEST_CASE("a V for a wait that is over makes no request")
{
    Scene scene;
    const WaitTicket ticket = scene.waiter.begin(0);
    scene.module.suspend(scene.waiter, ticket);
    scene.module.wake(scene.waiter, ticket);
    scene.module.close(); // whoever serves ends when there is no request
    scene.module.serve(PolicyModule::scheduling);
    const unsigned long before = scene.counts.now().policy_runs;
    scene.module.wake(scene.waiter, ticket);
    scene.module.serve(PolicyModule::scheduling);
    CHECK(before != 0);
    CHECK(scene.counts.now().policy_runs == before);
}
