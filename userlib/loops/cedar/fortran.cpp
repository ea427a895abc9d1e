// SPDX-License-Identifier: MIT
// Cedar's loops from Cedar Fortran, as the wrapper cedarf77 translates them
// (userlib/wrappers/cedar_loops.py).
#include "userlib/loops/cedar/cluster_tasks.hpp"
#include "userlib/loops/cedar/prepared.hpp"
#include "userlib/loops/cedar/spread.hpp"
#include "userlib/loops/surroundings/threads.hpp"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

using namespace parley::loops;

namespace {

// What the program has in an array: the bounds and the step of a loop.
struct LoopBounds {
    std::int64_t first, last, step;
};

// What each thread of a loop has in one: the iteration that it is in, which are left of its chunk, and how
// often it had been through the ordered region before this one. All zero at first.
struct Iteration {
    std::int64_t value;
    std::uint64_t next, end, turns_before;
};

struct Prepared {
    void (*run)(Work&);
    LoopPlan plan;
    bool has_iterations;
};
constinit thread_local Prepared prepared __attribute__((tls_model("initial-exec"))) = {};

// A subroutine as a cluster task, with the addresses of what it is called with.
constexpr int most_arguments = 8;
using Subroutine = void (*)(void*, void*, void*, void*, void*, void*, void*, void*);
struct TaskCall {
    Subroutine subroutine;
    void* arguments[most_arguments];
};

void run_call(void* given)
{
    const TaskCall call = *static_cast<const TaskCall*>(given);
    std::free(given);
    void* const* const of = call.arguments;
    call.subroutine(of[0], of[1], of[2], of[3], of[4], of[5], of[6], of[7]);
}

// Tasks are given to the clusters by turns.
std::atomic<unsigned> next_cluster{0};

int prepare(void (*run)(Work&), const LoopBounds* bounds, bool ordered)
{
    prepared.run = run;
    prepared.has_iterations = plan_loop(prepared.plan, bounds->first, bounds->last, bounds->step, ordered);
    return static_cast<int>(prepared_threads);
}

} // namespace

void parley::loops::run_prepared(void (*body)(void*), void* data)
{
    if (!prepared.has_iterations)
        return;
    Work work;
    work.body = body;
    work.argument = data;
    work.plan = prepared.plan;
    prepared.run(work);
}

#pragma GCC visibility push(default)
#pragma GCC diagnostic ignored "-Wmissing-declarations"

extern "C" {

int cedar_xdoall_(const LoopBounds* bounds) { return prepare(&run_flat, bounds, false); }
int cedar_sdoall_(const LoopBounds* bounds) { return prepare(&run_over_clusters, bounds, false); }
int cedar_cdoall_(const LoopBounds* bounds) { return prepare(&run_in_cluster, bounds, false); }
int cedar_xdoacross_(const LoopBounds* bounds) { return prepare(&run_flat, bounds, true); }
int cedar_sdoacross_(const LoopBounds* bounds) { return prepare(&run_over_clusters, bounds, true); }
int cedar_cdoacross_(const LoopBounds* bounds) { return prepare(&run_in_cluster, bounds, true); }

// Fortran's LOGICAL: whether there is another iteration for the calling thread.
int cedar_next_(Iteration* iteration)
{
    Member& self = known_thread();
    const bool has_turns = self.has_turns();
    if (has_turns && iteration->end != 0)
        check_iteration(self, iteration->turns_before);
    if (iteration->next == iteration->end) {
        Chunk chunk{};
        if (!self.next_chunk(chunk))
            return 0;
        iteration->next = chunk.first;
        iteration->end = chunk.end;
    }
    if (has_turns)
        iteration->turns_before = self.turns_had();
    const LoopPlan& plan = self.plan();
    iteration->value = static_cast<std::int64_t>(plan.start + iteration->next++ * plan.step);
    return 1;
}

// CALL CTSKSTART(TASK, SUBROUTINE, ...), of which the wrapper counts the arguments that follow.
void cedar_start_task_(int* task, Subroutine subroutine, const int* count, ...)
{
    auto* const call = static_cast<TaskCall*>(std::calloc(1, sizeof(TaskCall)));
    if (call == nullptr)
        give_up("there is no memory for a task");
    call->subroutine = subroutine;
    va_list arguments;
    va_start(arguments, count);
    for (int at = 0; at < *count && at < most_arguments; ++at)
        call->arguments[at] = va_arg(arguments, void*);
    va_end(arguments);
    const unsigned cluster = next_cluster.fetch_add(1, std::memory_order_relaxed) % clusters();
    *task = start_cluster_task(static_cast<int>(cluster), &run_call, call);
}
void cedar_await_task_(const int* task) { await_cluster_task(*task); }
int cedar_cluster_() { return static_cast<int>(cluster_of(this_thread())); }
int cedar_clusters_() { return static_cast<int>(clusters()); }
int cedar_processors_() { return static_cast<int>(processors_of_each()); }

// Where the calling thread's task has the CLUSTER COMMON block of that name, which is so large where the
// program declares it: `place` is file and line. Fortran passes the lengths of characters last.
void cedar_common_(void** address, const std::int64_t* bytes, const char* name, const char* place,
                   std::size_t name_bytes, std::size_t place_bytes)
{
    const Member& self = this_thread();
    CommonBlocks::Block* const block = common_blocks_of(self).find_or_make(
        cluster_of(self), {name, name_bytes}, static_cast<std::uint64_t>(*bytes));
    const auto refuse = [&](const char* sentence) {
        char about[1024];
        std::snprintf(about, sizeof about, "%.*s: CLUSTER COMMON /%.*s/", static_cast<int>(place_bytes),
                      place, static_cast<int>(name_bytes), name);
        give_up(sentence, about);
    };
    if (block == nullptr)
        refuse(" has no room in its cluster's memory");
    if (static_cast<std::uint64_t>(*bytes) > CommonBlocks::bytes(*block))
        refuse(" is larger here than where its task first came to it: declare it alike");
    *address = CommonBlocks::data(*block);
}

void cedar_await_() { enter_region(); }
void cedar_advance_() { leave_region(); }

} // extern "C"
