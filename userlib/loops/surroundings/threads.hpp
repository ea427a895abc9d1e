// SPDX-License-Identifier: MIT
// Threads as the C library makes them, and the machine's processors.
#pragma once

#include <cstddef>

namespace parley::loops {

// Starts a thread that calls body(argument), with so much stack (0: the system's), on the processor at that
// place among those that this process may use (-1: any). False: the system makes no more. `thread` is for
// await_end().
bool start_thread(void (*body)(void*), void* argument, std::size_t stack_bytes, int place,
                  unsigned long& thread);
void await_end(unsigned long thread);

// How many processors this process may use; at least 1.
unsigned processors();
// The calling thread runs on that one from now on, where the system permits.
void pin(unsigned place);

// `forget` is called with the value when the calling thread ends. False: the system remembers no more.
bool at_end_of_thread(void (*forget)(void*), void* value);

// Begins to watch this program (watch.hpp), where its run is traced; the end of the program ends it.
void watch_if_wanted();

// Prints "loops: <sentence>." and ends the program.
[[noreturn]] void give_up(const char* sentence, const char* about = "");

} // namespace parley::loops
