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

NOT_SERVED(omp_fulfill_event)
NOT_SERVED(omp_fulfill_event_)
NOT_SERVED(omp_set_affinity_format)
NOT_SERVED(omp_set_affinity_format_)
NOT_SERVED(omp_get_affinity_format)
NOT_SERVED(omp_get_affinity_format_)
NOT_SERVED(omp_display_affinity)
NOT_SERVED(omp_display_affinity_)
NOT_SERVED(omp_capture_affinity)
NOT_SERVED(omp_capture_affinity_)

} // extern "C"
