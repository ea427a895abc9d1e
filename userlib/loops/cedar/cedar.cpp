// SPDX-License-Identifier: MIT
// Cedar's loops from C (userlib/include/cedar.h): an SDOALL is a loop of a team with one thread for each
// cluster, and a CDOALL in it one of the team that such a thread leads.
#include "userlib/loops/surroundings/threads.hpp"
#include "userlib/loops/this_thread.hpp"

#include <algorithm>

using namespace parley::loops;

namespace {

using Body = void(long iteration, void* data);

struct Work {
    Body* body;
    void* data;
};

constexpr const char* twice = "cedar_await() is called twice in an iteration";

unsigned clusters() { return process().choice.clusters; }
unsigned processors_of_each() { return std::max(process().settings.threads / clusters(), 1u); }

// What every thread of the team does.
void take_part(void* given)
{
    const Work& work = *static_cast<const Work*>(given);
    Member& self = this_thread();
    const LoopPlan& plan = self.plan();
    for (Chunk chunk{}; self.next_chunk(chunk);)
        for (std::uint64_t at = chunk.first; at < chunk.end; ++at) {
            const std::uint64_t before = self.turns_had();
            work.body(static_cast<long>(plan.start + at), work.data);
            if (self.is_in_region())
                give_up("an iteration of a DOACROSS has ended between cedar_await() and cedar_advance()");
            if (self.turns_had() > before + 1)
                give_up(twice);
        }
    self.leave_loop();
}

void run(long first, long last, Body* body, void* data, unsigned threads, bool ordered)
{
    if (this_thread().is_in_region())
        give_up("a loop cannot be in the ordered region of a DOACROSS");
    if (first > last)
        return;
    const std::uint64_t start = static_cast<std::uint64_t>(first);
    const std::uint64_t count = static_cast<std::uint64_t>(last) - start + 1;
    if (count == 0)
        give_up("a loop cannot have 2^64 iterations");
    const Chosen<DistributionKind>& chosen = process().choice.distribution;
    Work work{body, data};
    const LoopPlan plan{
        count, start, 1, start + count, chosen.kind != nullptr ? chosen : distribution("xdoall"), ordered};
    run_in_team(&take_part, &work, threads, &plan, Nesting::always);
}

} // namespace

#pragma GCC visibility push(default)

extern "C" {

void cedar_xdoall(long first, long last, Body* body, void* data) { run(first, last, body, data, 0, false); }
void cedar_sdoall(long first, long last, Body* body, void* data)
{
    run(first, last, body, data, clusters(), false);
}
void cedar_cdoall(long first, long last, Body* body, void* data)
{
    run(first, last, body, data, processors_of_each(), false);
}
void cedar_doacross(long first, long last, Body* body, void* data) { run(first, last, body, data, 0, true); }

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

int cedar_clusters() { return static_cast<int>(clusters()); }
int cedar_processors() { return static_cast<int>(processors_of_each()); }
int cedar_open_clusters()
{
    Settings& settings = this_thread().own_settings();
    settings.most_active_levels = std::max(settings.most_active_levels, this_thread().active_level() + 2);
    return cedar_clusters();
}

} // extern "C"
