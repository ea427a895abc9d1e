// SPDX-License-Identifier: MIT
// The semaphores of a native job: that their memory is enough for all of them, and what is Linux's own.
#include "native/library/shared_semaphores.hpp"

#include "arch/hosted/hosted.hpp"
#include "messaging/design/semaphores.hpp"
#include "testing/catch.hpp"
#include "testing/host_clock.hpp"

#include <algorithm>
#include <thread>
#include <vector>

using namespace parley;
using namespace parley::library;

namespace {

struct Page {
    alignas(4096) std::byte bytes[4096];
};

struct Scene {
    // `missing`: so many bytes less than is enough.
    Scene(const char* text, unsigned programs, std::size_t missing = 0)
        : memory((SharedSemaphores::bytes(programs) + sizeof(Page)) / sizeof(Page))
    {
        messaging::LeafChoice kind;
        REQUIRE(messaging::parse_semaphore(text, kind).empty());
        const RestOfMemory room({memory.front().bytes, SharedSemaphores::bytes(programs) - missing});
        made = SharedSemaphores::make(room, kind.name, kind.values, programs, clock);
        policy_processes = SharedSemaphores::policy_processes(kind.name, kind.values, clock);
    }

    std::vector<Page> memory;
    testing::HostClock clock;
    Result<SharedSemaphores*> made = nullptr;
    unsigned policy_processes = 0;
};

void all_can_be_opened(const char* text, unsigned programs)
{
    Scene scene(text, programs);
    REQUIRE(scene.made);
    SharedSemaphores& job = **scene.made;
    for (unsigned number = 0; number < PARLEY_MAX_SEMAPHORES; ++number)
        REQUIRE(job.open(number, 1));
    CHECK(job.waiters()[programs - 1].process() == programs - 1);
    for (const long id : {PARLEY_SEMAPHORE_ID(0, 0), PARLEY_SEMAPHORE_ID(0, PARLEY_MAX_SEMAPHORES - 1)}) {
        const auto binding = job.bind(id);
        REQUIRE(binding);
        if (binding->word == nullptr) {
            CHECK(job.p(programs - 1, id));
            CHECK(job.v(id));
        } else
            CHECK(parley_spin_take(binding->word) == 1);
    }
}

} // namespace

TEST_CASE("the memory of a job's semaphores is enough for all of them and all its programs, of every kind")
{
    for (const messaging::LeafInfo& kind : messaging::semaphores())
        for (const unsigned programs : {1u, 3u, 1000u})
            all_can_be_opened(std::string(kind.name).c_str(), programs);
}

TEST_CASE("semaphores that have too little memory are not made, or not opened")
{
    CHECK(Scene("kernel", 4, SharedSemaphores::bytes(4)).made.error() == Error::no_memory);
    CHECK(Scene("kernel", 4, SharedSemaphores::bytes(4) - sizeof(SharedSemaphores)).made.error() ==
          Error::no_memory);
    Scene scene("kernel", 4, 4096);
    REQUIRE(scene.made);
    bool are_refused = false;
    for (unsigned number = 0; number < PARLEY_MAX_SEMAPHORES; ++number)
        are_refused = !(*scene.made)->open(number, 0) || are_refused;
    CHECK(are_refused);
}

TEST_CASE("a spin lock's word begins with its count, and says how long to wait between two looks")
{
    const Scene scene("spin:7", 2);
    REQUIRE(scene.made);
    SharedSemaphores& job = **scene.made;
    const auto binding = job.bind(*job.open(5, 1));
    REQUIRE(binding);
    CHECK((binding->delay == 7 && *binding->word == 1));
    CHECK(*job.bind(*job.open(6, 0))->word == 0);
    CHECK(job.bind(PARLEY_SEMAPHORE_ID(0, 8)).error() == Error::no_semaphore);
    CHECK(job.bind(PARLEY_SEMAPHORE_ID(1, 5)).error() == Error::other_jobs_semaphore);
}

TEST_CASE("policy processes are known before there are semaphores, let who waited go on, and write no page")
{
    for (const auto& [text, processes] : {std::pair{"kernel", 0u}, {"policy-0", 2u}, {"policy-1:0s:3", 4u}}) {
        Scene scene(text, 2);
        REQUIRE(scene.made);
        CHECK(scene.policy_processes == processes);
        SharedSemaphores& job = **scene.made;
        const long id = *job.open(0, 0);
        std::vector<std::jthread> threads;
        for (unsigned process = 0; process < processes; ++process)
            threads.emplace_back([&job, process] {
                const hosted::ProcessThread self;
                job.kind().run(process);
            });
        threads.emplace_back([&job, id] {
            const hosted::ProcessThread self;
            (void)job.p(1, id);
        });
        for (sched::SemaphoreWaiter::WaitInP wait{}; !job.waiters()[1].waits(wait);)
            std::this_thread::yield();
        CHECK(job.v(id));
        threads.pop_back();
        job.kind().close();
        threads.clear();
        const parley_semaphore_counts counts = job.counts();
        CHECK((counts.waits == 1 && counts.wakes == 1));
        CHECK((counts.policy_runs != 0) == (processes != 0));
        CHECK((counts.page_writes == 0 && counts.page_reads == 0));
    }
}
