// SPDX-License-Identifier: MIT
// The entry points of OpenMP that gcc 12 calls, as far as one of the runtime's sources calls another's, and
// how an entry says that it does not serve something. Programs see the compiler's own omp.h.
#pragma once

#include <cstdint>

namespace parley::loops {

// Ends the program with one sentence: "<what> is not served".
[[noreturn]] void not_served(const char* what);

} // namespace parley::loops

// The library is built with its names hidden; these are what programs link to. The prototypes are the
// compiler's.
#pragma GCC visibility push(default)
#pragma GCC diagnostic ignored "-Wmissing-declarations"

extern "C" {

void GOMP_taskgroup_start();
void GOMP_taskgroup_end();

} // extern "C"
