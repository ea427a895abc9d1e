// SPDX-License-Identifier: MIT
// Threads as the C library makes them, and the machine's processors.
#pragma once

#include "userlib/loops/surroundings/clusters.hpp"

#include <cstddef>
#include <sched.h>

namespace parley::loops {

// Where a thread is to run, and its stack to lie.
struct ThreadPlace {
    std::size_t stack_bytes = 0; // 0: the system's
    int processor = -1;          // its place among those that this process may use; -1: any
    int home = no_home;          // a cluster (clusters.hpp)
};
struct Thread {
    unsigned long handle = 0;
    void* stack = nullptr; // null: the system's
    std::size_t stack_bytes = 0;
    int home = no_home;
};

// Starts a thread that calls body(argument). False: the system makes no more. `thread` is for await_end().
bool start_thread(void (*body)(void*), void* argument, const ThreadPlace& place, Thread& thread);
void await_end(const Thread& thread);

// How many processors this process may use; at least 1.
unsigned processors();
// The calling thread runs on that one from now on, where the system permits.
void pin(unsigned place);
// Adds the processor at that place to the set.
void add_processor(cpu_set_t& set, unsigned place);

// `forget`, the same in all calls, is called with the value when the calling thread ends, unless that is
// null. False: the system remembers no more.
bool at_end_of_thread(void (*forget)(void*), void* value);

// Begins to watch this program (watch.hpp), where its run is traced; the end of the program ends it.
void watch_if_wanted();

// Prints "loops: <sentence>." and ends the program. Where several threads call it, one sentence is printed.
[[noreturn]] void give_up(const char* sentence, const char* about = "");

} // namespace parley::loops
