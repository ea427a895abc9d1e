// SPDX-License-Identifier: MIT
// Cedar's loops from C (userlib/include/cedar.h). One thread of each cluster is in a team of all clusters,
// and leads a team of its cluster's, whatever the loop is: so a program has as many threads as processors.
// An SDOALL is a loop of the team of clusters, a CDOALL in it one of a cluster's team. For an XDOALL all
// clusters' teams share one loop, from which each thread fetches for itself; they meet cluster by cluster,
// and then the clusters.
#include "userlib/loops/cedar/flat_loop.hpp"
#include "userlib/loops/surroundings/threads.hpp"
#include "userlib/loops/this_thread.hpp"

#include <algorithm>

using namespace parley::loops;

namespace {

using Body = void(long iteration, void* data);

struct Work {
    Body* body;
    void* data;
    LoopPlan plan;
    Loop* flat = nullptr; // shared by the teams of all clusters
    unsigned cluster = 0;
};

constexpr const char* twice = "cedar_await() is called twice in an iteration";

std::atomic<unsigned> given_clusters{0}; // 0: as PARLEY_LOOPS says

unsigned clusters()
{
    const unsigned given = given_clusters.load(std::memory_order_relaxed);
    return given != 0 ? given : process().choice.clusters;
}
// Whether clusters of loops can be clusters of the machine: these are as many, and large enough.
bool are_the_machines()
{
    const Clusters& machine = machine_clusters();
    return clusters() <= machine.number && process().settings.threads <= clusters() * machine.processors;
}

// The calling thread is about to lead the team of all clusters.
void lead_clusters()
{
    if (this_thread().level() == 0 && are_the_machines())
        this_thread().lead_clusters();
}

unsigned processors_of_each() { return std::max(process().settings.threads / clusters(), 1u); }

void run_iterations(const Work& work)
{
    Member& self = this_thread();
    for (Chunk chunk{}; self.next_chunk(chunk);)
        for (std::uint64_t at = chunk.first; at < chunk.end; ++at) {
            const std::uint64_t before = self.turns_had();
            work.body(static_cast<long>(work.plan.start + at), work.data);
            if (self.is_in_region())
                give_up("an iteration of a DOACROSS has ended between cedar_await() and cedar_advance()");
            if (self.turns_had() > before + 1)
                give_up(twice);
        }
}

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
    run_iterations(*static_cast<const Work*>(given));
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
    self.share_loop(*work.flat, work.cluster * processors_of_each() + self.number());
    run_iterations(work);
    self.leave_shared_loop();
}

void lead_flat(void* given)
{
    Work work = *static_cast<const Work*>(given);
    work.cluster = this_thread().number();
    const LoopPlan plan = no_loop_of(LoopPart::xdoall_within);
    run_in_team(&take_part_flat, &work, processors_of_each(), &plan, Nesting::always);
}

// False: there is nothing to do.
bool make_work(Work& work, long first, long last, Body* body, void* data, bool ordered)
{
    if (this_thread().is_in_region())
        give_up("a loop cannot be in the ordered region of a DOACROSS");
    if (first > last)
        return false;
    const std::uint64_t start = static_cast<std::uint64_t>(first);
    const std::uint64_t count = static_cast<std::uint64_t>(last) - start + 1;
    if (count == 0)
        give_up("a loop cannot have 2^64 iterations");
    const Chosen<DistributionKind>& chosen = process().choice.distribution;
    work = {body, data,
            LoopPlan{count, start, 1, start + count, chosen.kind != nullptr ? chosen : distribution("xdoall"),
                     ordered}};
    return true;
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

void run_flat(Work& work)
{
    if (!begins_outermost())
        return run_in_team(&take_part, &work, 0, &work.plan, Nesting::always);
    const FlatLoop loop(clusters() * processors_of_each(), work.plan);
    work.flat = loop.get();
    work.plan.shared = true;
    work.plan.part = LoopPart::xdoall;
    run_in_team(&lead_flat, &work, clusters(), &work.plan, Nesting::always);
}

} // namespace

#pragma GCC visibility push(default)

extern "C" {

void cedar_xdoall(long first, long last, Body* body, void* data)
{
    if (Work work; make_work(work, first, last, body, data, false))
        run_flat(work);
}
void cedar_sdoall(long first, long last, Body* body, void* data)
{
    if (Work work; make_work(work, first, last, body, data, false)) {
        work.plan.part = begins_outermost() ? LoopPart::sdoall : LoopPart::other;
        run_in_team(&take_part, &work, clusters(), &work.plan, Nesting::always);
    }
}
void cedar_cdoall(long first, long last, Body* body, void* data)
{
    if (Work work; make_work(work, first, last, body, data, false)) {
        if (begins_outermost()) {
            const LoopPlan plan = no_loop_of(work.plan.part = LoopPart::one_cluster);
            return run_in_team(&lead_alone, &work, 1, &plan, Nesting::always);
        }
        if (this_thread().is_watched() && Watch::part() == LoopPart::sdoall)
            work.plan.part = LoopPart::cdoall_within;
        lead_alone(&work);
    }
}
void cedar_doacross(long first, long last, Body* body, void* data)
{
    if (Work work; make_work(work, first, last, body, data, true))
        run_flat(work);
}

void cedar_await()
{
    Member& self = this_thread();
    if (!self.has_turns())
        give_up("cedar_await() is called outside of a DOACROSS");
    if (self.is_in_region() || !self.await_turn())
        give_up(twice);
}
void cedar_advance()
{
    if (!this_thread().is_in_region())
        give_up("cedar_advance() is called without cedar_await()");
    this_thread().end_turn();
}

void cedar_begin()
{
    lead_clusters();
    LoopPlan plan = no_loop_of(LoopPart::other);
    run_in_team(
        [](void* given) {
            run_in_team([](void*) { }, nullptr, processors_of_each(), static_cast<const LoopPlan*>(given),
                        Nesting::always);
        },
        &plan, clusters(), &plan, Nesting::always);
    cedar_cdoall(0, 0, [](long, void*) { }, nullptr);
    Watch::begin_again();
}
void cedar_end() { Watch::end(); }

void cedar_set_clusters(int number)
{
    if (number < 1 || static_cast<unsigned>(number) > process().settings.threads)
        give_up("cedar_set_clusters() takes 1 cluster to as many as there are processors");
    given_clusters.store(static_cast<unsigned>(number), std::memory_order_relaxed);
}
int cedar_clusters() { return static_cast<int>(clusters()); }
int cedar_processors() { return static_cast<int>(processors_of_each()); }
int cedar_open_clusters()
{
    lead_clusters();
    Settings& settings = this_thread().own_settings();
    settings.most_active_levels = std::max(settings.most_active_levels, this_thread().active_level() + 2);
    return cedar_clusters();
}

} // extern "C"
