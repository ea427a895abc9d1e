// SPDX-License-Identifier: MIT
// Cedar's loops from C (userlib/include/cedar.h).
#include "userlib/loops/cedar/cluster_tasks.hpp"
#include "userlib/loops/cedar/spread.hpp"
#include "userlib/loops/surroundings/threads.hpp"

#include <algorithm>
#include <cstdio>

using namespace parley::loops;

namespace {

using Body = void(long iteration, void* data);

struct Calls {
    Body* body;
    void* data;
    std::uint64_t start;
};

void run_iterations(void* given)
{
    const Calls calls = *static_cast<const Calls*>(given);
    known_thread().each_chunk([=](const Chunk& chunk) {
        std::uint64_t at = chunk.first;
        do
            calls.body(static_cast<long>(calls.start + at), calls.data);
        while (++at < chunk.end);
    });
}

void run_ordered_iterations(void* given)
{
    const Calls& calls = *static_cast<const Calls*>(given);
    Member& self = known_thread();
    self.each_chunk([&](const Chunk& chunk) {
        for (std::uint64_t at = chunk.first; at < chunk.end; ++at) {
            const std::uint64_t before = self.turns_had();
            calls.body(static_cast<long>(calls.start + at), calls.data);
            check_iteration(self, before);
        }
    });
}

void run_calls(void (*run)(Work&), long first, long last, Body* body, void* data, bool ordered = false)
{
    Calls calls{body, data, static_cast<std::uint64_t>(first)};
    Work work;
    work.body = ordered ? &run_ordered_iterations : &run_iterations;
    work.argument = &calls;
    if (plan_loop(work.plan, first, last, 1, ordered))
        run(work);
}

} // namespace

#pragma GCC visibility push(default)

extern "C" {

void cedar_xdoall(long first, long last, Body* body, void* data)
{
    run_calls(&run_flat, first, last, body, data);
}
void cedar_sdoall(long first, long last, Body* body, void* data)
{
    run_calls(&run_over_clusters, first, last, body, data);
}
void cedar_cdoall(long first, long last, Body* body, void* data)
{
    run_calls(&run_in_cluster, first, last, body, data);
}
void cedar_doacross(long first, long last, Body* body, void* data)
{
    run_calls(&run_flat, first, last, body, data, true);
}

void cedar_await() { enter_region(); }
void cedar_advance() { leave_region(); }

void cedar_begin()
{
    start_all_threads();
    Watch::begin_again();
}
void cedar_end() { Watch::end(); }

void cedar_set_clusters(int number)
{
    char about[48];
    std::snprintf(about, sizeof about, "cedar_set_clusters(%d): ", number);
    if (number < 1)
        give_up("a program has 1 cluster at least", about);
    if (static_cast<unsigned>(number) > most_clusters())
        give_up(why_no_more_clusters().text, about);
    set_clusters(static_cast<unsigned>(number));
}
int cedar_start_task(int cluster, void (*body)(void*), void* data)
{
    return start_cluster_task(cluster, body, data);
}
void cedar_await_task(int task) { await_cluster_task(task); }
int cedar_cluster() { return static_cast<int>(cluster_of(this_thread())); }
void* cedar_cluster_memory(int cluster, unsigned long bytes)
{
    if (cluster < 0 || static_cast<unsigned>(cluster) >= clusters())
        give_up("cedar_cluster_memory() takes a cluster from 0 to one less than there are");
    void* const memory = take_memory(home_of_cluster(static_cast<unsigned>(cluster)), bytes);
    if (memory == nullptr)
        give_up("there is no room in the cluster's memory for what cedar_cluster_memory() is to have");
    return memory;
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
