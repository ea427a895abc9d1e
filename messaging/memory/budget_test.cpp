// SPDX-License-Identifier: MIT
#include "messaging/memory/budget.hpp"

#include "testing/fatal.hpp"
#include "testing/lone_process.hpp"
#include "testing/mapped_memory.hpp"

#include <array>

using namespace parley;
using namespace parley::messaging;

namespace {

constexpr std::size_t arena_bytes = 1 << 16;

struct Job {
    testing::MappedMemory memory{arena_bytes};
    testing::MappedMemory table{BuddyHeap::table_bytes(arena_bytes)};
    BuddyHeap heap{memory.start(), arena_bytes, table.start()};
    std::array<testing::LoneProcess, 3> processes;
    std::array<Waiter<>*, 3> waiters{&processes[0].waiter, &processes[1].waiter, &processes[2].waiter};
    Budget<> budget{heap, waiters};

    // What freeing something signals to each.
    std::array<unsigned, 3> signals_when_freed()
    {
        for (testing::LoneProcess& process : processes)
            process.signals();
        budget.freed();
        return {processes[0].signals(), processes[1].signals(), processes[2].signals()};
    }
};

} // namespace

TEST_CASE("what is freed is told to nobody as long as nobody waits for budget")
{
    Job job;
    CHECK(job.signals_when_freed() == std::array{0u, 0u, 0u});
    CHECK(job.waiters[1]->status().is_ordinary());
}

TEST_CASE("what is freed is told to those who have announced that they wait for budget, and to no other")
{
    Job job;
    job.budget.announce(*job.waiters[1]);
    CHECK(job.waiters[1]->status().wants_budget());
    CHECK_FALSE(job.waiters[0]->status().wants_budget());
    CHECK(job.signals_when_freed() == std::array{0u, 1u, 0u});
    CHECK(job.signals_when_freed() == std::array{0u, 1u, 0u}); // each time, for it may not have been enough

    job.budget.announce(*job.waiters[2]);
    CHECK(job.signals_when_freed() == std::array{0u, 1u, 1u});
}

TEST_CASE("who no longer waits for budget is told no more, and the others still are")
{
    Job job;
    job.budget.announce(*job.waiters[0]);
    job.budget.announce(*job.waiters[2]);
    job.budget.withdraw(*job.waiters[0]);
    CHECK(job.waiters[0]->status().is_ordinary());
    CHECK(job.signals_when_freed() == std::array{0u, 0u, 1u});
    job.budget.withdraw(*job.waiters[2]);
    CHECK(job.signals_when_freed() == std::array{0u, 0u, 0u});
    job.budget.announce(*job.waiters[0]);
    CHECK(job.signals_when_freed() == std::array{1u, 0u, 0u});
}

TEST_CASE("who frees something looks at nobody's status once nobody waits for budget any more")
{
    Job job;
    job.budget.announce(*job.waiters[0]);
    job.budget.withdraw(*job.waiters[0]);
    job.waiters[1]->status().set_wants_budget(true); // which announce() does, and counts
    CHECK(job.signals_when_freed() == std::array{0u, 0u, 0u});
}

TEST_CASE("a process that waits for budget may wait for a notification as well")
{
    Job job;
    StatusWord& status = job.waiters[0]->status();
    status.set_notification(Notification::armed);
    job.budget.announce(*job.waiters[0]);
    job.budget.withdraw(*job.waiters[0]);
    CHECK(status.notification() == Notification::armed);
}

TEST_CASE("who has not announced that it waits for budget does not withdraw that")
{
    Job job;
    CHECK(testing::tripped_by([&] { job.budget.withdraw(*job.waiters[0]); }) ==
          "messaging/memory/budget.hpp: waiter.status().wants_budget()");
    job.budget.announce(*job.waiters[0]);
    CHECK(testing::tripped_by([&] { job.budget.withdraw(*job.waiters[1]); }) ==
          "messaging/memory/budget.hpp: waiter.status().wants_budget()");
    CHECK_FALSE(testing::is_fatal([&] { job.budget.withdraw(*job.waiters[0]); }));
}

TEST_CASE("a block of the budget is released once, by its beginning")
{
    Job job;
    REQUIRE(job.heap.start());
    std::byte* const block = *job.heap.allocate(2 * BuddyHeap::unit_bytes);
    CHECK(testing::tripped_by([&] { job.heap.release(block + BuddyHeap::unit_bytes); }) ==
          "messaging/memory/buddy_heap.cpp: units_[index].state == UnitState::used");
    job.heap.release(block);
    CHECK(testing::tripped_by([&] { job.heap.release(block); }) ==
          "messaging/memory/buddy_heap.cpp: units_[index].state == UnitState::used");
}
