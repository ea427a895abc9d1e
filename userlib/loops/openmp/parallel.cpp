// SPDX-License-Identifier: MIT
// Parallel regions, and what a team does in them beside loops and tasks: meet, single, copyprivate.
#include "userlib/loops/cedar/prepared.hpp"
#include "userlib/loops/openmp/entries.hpp"
#include "userlib/loops/surroundings/threads.hpp"
#include "userlib/loops/this_thread.hpp"

using namespace parley::loops;

extern "C" {

// 0 threads: as many as the settings say; gcc says 1 where an `if` is false. The flags say how threads are to
// be bound, which is for OMP_PROC_BIND to say.
void GOMP_parallel(void (*body)(void*), void* data, unsigned threads, unsigned)
{
    if (threads == prepared_threads) [[unlikely]]
        return run_prepared(body, data);
    run_in_team(body, data, threads);
}

void GOMP_parallel_start(void (*body)(void*), void* data, unsigned threads)
{
    begin_team(body, data, threads);
}
void GOMP_parallel_end() { end_team(); }

void GOMP_barrier()
{
    Member& self = this_thread();
    if (self.is_in_region())
        give_up("a barrier cannot be in the ordered region of a loop, for which the others wait");
    self.meet();
}

bool GOMP_single_start() { return this_thread().is_first(); }

// Null for the one that runs the block and then tells the others; for these what it has told.
void* GOMP_single_copy_start()
{
    Member& self = this_thread();
    if (self.is_first())
        return nullptr;
    self.meet();
    return self.team().told();
}

void GOMP_single_copy_end(void* data)
{
    Member& self = this_thread();
    self.team().tell(data);
    self.meet();
}

// Cancellation is off, as it is where OMP_CANCELLATION says nothing; so these do what the construct does
// without.
bool GOMP_cancel(int, bool) { return false; }
bool GOMP_cancellation_point(int) { return false; }
bool GOMP_barrier_cancel()
{
    GOMP_barrier();
    return false;
}

} // extern "C"
