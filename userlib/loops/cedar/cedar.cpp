// SPDX-License-Identifier: MIT
// Cedar's loops from C (userlib/include/cedar.h).
#include "userlib/loops/cedar/spread.hpp"
#include "userlib/loops/surroundings/threads.hpp"

#include <algorithm>

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
    const Calls& calls = *static_cast<const Calls*>(given);
    Member& self = this_thread();
    for (Chunk chunk{}; self.next_chunk(chunk);)
        for (std::uint64_t at = chunk.first; at < chunk.end; ++at) {
            const std::uint64_t before = self.turns_had();
            calls.body(static_cast<long>(calls.start + at), calls.data);
            check_iteration(self, before);
        }
}

void run_calls(void (*run)(Work&), long first, long last, Body* body, void* data, bool ordered = false)
{
    Calls calls{body, data, static_cast<std::uint64_t>(first)};
    Work work;
    work.body = &run_iterations;
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
    if (number < 1 || static_cast<unsigned>(number) > process().settings.threads)
        give_up("cedar_set_clusters() takes 1 cluster to as many as there are processors");
    set_clusters(static_cast<unsigned>(number));
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
