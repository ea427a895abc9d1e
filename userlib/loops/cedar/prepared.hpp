// SPDX-License-Identifier: MIT
// A loop of Cedar Fortran on its way to the threads that run it. The compiler makes a function of what each
// thread runs, and calls GOMP_parallel() with it; so the program prepares its loop where the compiler asks
// for the number of threads, and answers a number that no team has.
#pragma once

namespace parley::loops {

inline constexpr unsigned prepared_threads = 0x7fffffff;

// Runs the loop that the calling thread has prepared last: body(data) in each thread that takes part.
void run_prepared(void (*body)(void*), void* data);

} // namespace parley::loops
