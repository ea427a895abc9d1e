// SPDX-License-Identifier: MIT
// Entries that a program may be linked with and that are not served: a call ends the program with one
// sentence.
#include "userlib/loops/openmp/entries.hpp"
#include "userlib/loops/surroundings/threads.hpp"

namespace parley::loops {

void not_served(const char* what) { give_up(" is not served", what); }

} // namespace parley::loops

using parley::loops::not_served;

extern "C" {

#define NOT_SERVED(name) \
    [[noreturn]] void name() { not_served(#name); }

NOT_SERVED(GOMP_loop_doacross_static_start)
NOT_SERVED(GOMP_loop_doacross_dynamic_start)
NOT_SERVED(GOMP_loop_doacross_guided_start)
NOT_SERVED(GOMP_loop_doacross_runtime_start)
NOT_SERVED(GOMP_loop_doacross_start)
NOT_SERVED(GOMP_loop_ull_doacross_static_start)
NOT_SERVED(GOMP_loop_ull_doacross_dynamic_start)
NOT_SERVED(GOMP_loop_ull_doacross_guided_start)
NOT_SERVED(GOMP_loop_ull_doacross_runtime_start)
NOT_SERVED(GOMP_loop_ull_doacross_start)
NOT_SERVED(GOMP_doacross_post)
NOT_SERVED(GOMP_doacross_wait)
NOT_SERVED(GOMP_doacross_ull_post)
NOT_SERVED(GOMP_doacross_ull_wait)
NOT_SERVED(GOMP_parallel_reductions)
NOT_SERVED(GOMP_taskgroup_reduction_register)
NOT_SERVED(GOMP_taskgroup_reduction_unregister)
NOT_SERVED(GOMP_task_reduction_remap)
NOT_SERVED(GOMP_workshare_task_reduction_unregister)
NOT_SERVED(GOMP_target)
NOT_SERVED(GOMP_target_ext)
NOT_SERVED(GOMP_target_data)
NOT_SERVED(GOMP_target_data_ext)
NOT_SERVED(GOMP_target_end_data)
NOT_SERVED(GOMP_target_update)
NOT_SERVED(GOMP_target_update_ext)
NOT_SERVED(GOMP_target_enter_exit_data)
NOT_SERVED(GOMP_teams)
NOT_SERVED(GOMP_teams4)
NOT_SERVED(GOMP_alloc)
NOT_SERVED(GOMP_free)
NOT_SERVED(omp_fulfill_event)

} // extern "C"
