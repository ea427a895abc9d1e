// SPDX-License-Identifier: MIT
#include "userlib/loops/openmp/task_reductions.hpp"

#include "userlib/loops/openmp/entries.hpp"
#include "userlib/loops/surroundings/threads.hpp"
#include "userlib/loops/this_thread.hpp"

using namespace parley::loops;

namespace {

void need_copies(ReductionBlock& block, unsigned threads)
{
    if (!make_copies(block, threads))
        give_up("there is no memory for what tasks reduce");
}

// What a team runs whose tasks reduce something of the whole region.
struct ReducedBody {
    void (*body)(void*);
    void* data;
    TaskGroup group;
};

void run_reduced(void* given)
{
    ReducedBody& reduced = *static_cast<ReducedBody*>(given);
    this_thread().share_group(&reduced.group);
    reduced.body(reduced.data);
    this_thread().share_group(nullptr);
}

} // namespace

extern "C" {

void GOMP_taskgroup_reduction_register(ReductionBlock* block) { begin_own_reductions(this_thread(), *block); }
void GOMP_taskgroup_reduction_unregister(ReductionBlock* block) { give_copies_back(*block); }

// Thread 0 has added the copies up.
void GOMP_workshare_task_reduction_unregister(bool)
{
    Member& self = this_thread();
    ReductionBlock* const block = self.group()->reductions;
    GOMP_taskgroup_end();
    if (self.number() == 0)
        give_copies_back(*block);
    self.meet();
}

// Puts the calling thread's copy in the place of each of `count` addresses, and behind these the program's
// own variable for each of the first `own_count`.
void GOMP_task_reduction_remap(std::size_t count, std::size_t own_count, void** addresses)
{
    const Member& self = this_thread();
    ReductionBlock* const blocks = self.group() == nullptr ? nullptr : self.group()->reductions;
    for (std::size_t at = 0; at < count; ++at) {
        const Reduced found = reduced(blocks, addresses[at], self.number());
        if (found.copy == nullptr || (at < own_count && found.own == nullptr))
            give_up("a task takes part in a reduction (in_reduction) that nobody has begun");
        addresses[at] = found.copy;
        if (at < own_count)
            addresses[count + at] = found.own;
    }
}

// The body's data begin with where the block is. Answers how many threads have taken part.
unsigned GOMP_parallel_reductions(void (*body)(void*), void* data, unsigned threads, unsigned)
{
    const unsigned size = team_size(this_thread(), threads);
    ReductionBlock& block = **static_cast<ReductionBlock**>(data);
    ReducedBody reduced{body, data, {}};
    need_copies(block, size);
    begin_reductions(reduced.group, block);
    run_in_team(&run_reduced, &reduced, size);
    return size;
}

// A block that a reduction stands on: a loop without iterations, by which its threads share the copies.
void GOMP_scope_start(ReductionBlock* block)
{
    Member& self = this_thread();
    self.enter_loop({0, 0, 1, 0, distribution("static"), false});
    begin_loops_reductions(self, *block);
    self.leave_loop();
}

} // extern "C"

namespace parley::loops {

void begin_own_reductions(Member& self, ReductionBlock& block)
{
    need_copies(block, self.team().threads());
    begin_reductions(*self.group(), block);
}

void begin_loops_reductions(Member& self, ReductionBlock& block)
{
    GOMP_taskgroup_start();
    ReductionBlock& first = self.first_reductions(block, [&] { need_copies(block, self.team().threads()); });
    if (&first != &block)
        take_copies(block, first);
    begin_reductions(*self.group(), block);
}

} // namespace parley::loops
