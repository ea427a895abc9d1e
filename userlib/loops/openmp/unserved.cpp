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

} // extern "C"
