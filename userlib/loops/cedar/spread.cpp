// SPDX-License-Identifier: MIT
#include "userlib/loops/cedar/spread.hpp"

#include "userlib/loops/cedar/cluster_tasks.hpp"
#include "userlib/loops/cedar/flat_loop.hpp"
#include "userlib/loops/surroundings/threads.hpp"

#include <algorithm>

namespace parley::loops {

namespace {

constexpr const char* twice = "cedar_await() is called twice in an iteration";

std::atomic<unsigned> given_clusters{0}; // 0: as PARLEY_LOOPS says

// For a team that does not enter a loop of its own.
LoopPlan no_loop_of(LoopPart part)
{
    LoopPlan plan;
    plan.shared = true;
    plan.part = part;
    return plan;
}

// What every thread of a team does that has the loop to itself.
void take_part(void* given)
{
    const Work& work = *static_cast<const Work*>(given);
    work.body(work.argument);
    this_thread().leave_loop();
}

void lead_alone(void* given)
{
    run_in_team(&take_part, given, processors_of_each(), &static_cast<const Work*>(given)->plan,
                Nesting::always);
}

void take_part_flat(void* given)
{
    const Work& work = *static_cast<const Work*>(given);
    Member& self = this_thread();
    self.share_loop(*work.flat, work.cluster * work.team_threads + self.number());
    work.body(work.argument);
    self.leave_shared_loop();
}

void lead_flat(void* given)
{
    Work work = *static_cast<const Work*>(given);
    work.cluster = this_thread().number();
    const LoopPlan plan = no_loop_of(LoopPart::xdoall_within);
    run_in_team(&take_part_flat, &work, work.team_threads, &plan, Nesting::always);
}

// Whether the calling thread is in no loop yet. The thread that begins an outermost loop leads all
// clusters.
bool begins_outermost()
{
    if (this_thread().level() != 0)
        return false;
    lead_clusters();
    return true;
}

// How many iterations there are, at most 2^64 - 1.
std::uint64_t count_of(long first, long last, long step)
{
    if (step == 0)
        give_up("the step of a loop cannot be 0");
    if (step > 0 ? first > last : first < last)
        return 0;
    const auto low = static_cast<std::uint64_t>(step > 0 ? first : last);
    const auto high = static_cast<std::uint64_t>(step > 0 ? last : first);
    const std::uint64_t size =
        step > 0 ? static_cast<std::uint64_t>(step) : -static_cast<std::uint64_t>(step);
    const std::uint64_t count = (high - low) / size + 1;
    if (count == 0)
        give_up("a loop cannot have 2^64 iterations");
    return count;
}

void refuse_in_cluster_task()
{
    if (is_in_cluster_task(this_thread()))
        give_up("SDOALL and XDOALL are for the main task: a cluster task has its own cluster's processors");
}

} // namespace

bool are_the_machines()
{
    const Clusters& machine = machine_clusters();
    return clusters() <= machine.number && process().settings.threads <= clusters() * machine.processors;
}

unsigned clusters()
{
    const unsigned given = given_clusters.load(std::memory_order_relaxed);
    return given != 0 ? given : process().choice.clusters;
}
unsigned processors_of_each()
{
    const unsigned threads = std::min(process().settings.threads, this_thread().settings().most_threads);
    return std::max(threads / clusters(), 1u);
}
void set_clusters(unsigned number) { given_clusters.store(number, std::memory_order_relaxed); }

void lead_clusters()
{
    if (this_thread().level() == 0 && are_the_machines())
        this_thread().lead_clusters();
}

bool plan_loop(LoopPlan& plan, long first, long last, long step, bool ordered)
{
    if (this_thread().is_in_region())
        give_up("a loop cannot be in the ordered region of a DOACROSS");
    const std::uint64_t count = count_of(first, last, step);
    if (count == 0)
        return false;
    const auto start = static_cast<std::uint64_t>(first);
    const auto wide = static_cast<std::uint64_t>(step);
    plan = LoopPlan{count, start, wide, start + count * wide, process().cedar, ordered};
    return true;
}

void run_flat(Work& work)
{
    refuse_in_cluster_task();
    if (!begins_outermost())
        return run_in_team(&take_part, &work, 0, &work.plan, Nesting::always);
    const unsigned teams = team_size(this_thread(), clusters(), Nesting::always);
    work.team_threads = team_size(this_thread(), processors_of_each(), Nesting::always);
    const FlatLoop loop(work.plan, teams, work.team_threads);
    work.flat = loop.get();
    work.plan.shared = true;
    work.plan.part = LoopPart::xdoall;
    run_in_team(&lead_flat, &work, teams, &work.plan, Nesting::always);
}

void run_over_clusters(Work& work)
{
    refuse_in_cluster_task();
    work.plan.part = begins_outermost() ? LoopPart::sdoall : LoopPart::other;
    run_in_team(&take_part, &work, clusters(), &work.plan, Nesting::always);
}

void run_in_cluster(Work& work)
{
    if (!is_in_cluster_task(this_thread()) && begins_outermost()) {
        const LoopPlan plan = no_loop_of(work.plan.part = LoopPart::one_cluster);
        return run_in_team(&lead_alone, &work, 1, &plan, Nesting::always);
    }
    const NotingThread* const watched = this_thread().watched();
    if (watched != nullptr && watched->part() == LoopPart::sdoall)
        work.plan.part = LoopPart::cdoall_within;
    lead_alone(&work);
}

void check_iteration(Member& self, std::uint64_t turns_before)
{
    if (self.is_in_region())
        give_up("an iteration of a DOACROSS has ended between cedar_await() and cedar_advance()");
    if (self.turns_had() > turns_before + 1)
        give_up(twice);
}

void enter_region()
{
    Member& self = this_thread();
    if (!self.has_turns())
        give_up("cedar_await() is called outside of a DOACROSS");
    if (self.is_in_region() || !self.await_turn())
        give_up(twice);
}

void leave_region()
{
    if (!this_thread().is_in_region())
        give_up("cedar_advance() is called without cedar_await()");
    this_thread().end_turn();
}

void start_all_threads()
{
    lead_clusters();
    LoopPlan plan = no_loop_of(LoopPart::other);
    run_in_team(
        [](void* given) {
            run_in_team([](void*) { }, nullptr, processors_of_each(), static_cast<const LoopPlan*>(given),
                        Nesting::always);
        },
        &plan, clusters(), &plan, Nesting::always);
    Work work;
    plan_loop(work.plan, 0, 0, 1, false);
    work.body = [](void*) {
        for (Chunk chunk{}; this_thread().next_chunk(chunk);) { }
    };
    run_in_cluster(work);
    // Memory of clusters for flat loops is taken, and touched first, in the first of them.
    run_flat(work);
}

} // namespace parley::loops
