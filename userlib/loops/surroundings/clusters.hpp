// SPDX-License-Identifier: MIT
// The machine's clusters of processors, as whoever starts the program says: the booted kernel, or
// PARLEY_CLUSTERS on Linux. A thread's home is the cluster whose processors it runs on and whose memory its
// words lie in.
#pragma once

#include <cstddef>

namespace parley::loops {

inline constexpr int no_home = -1;

struct Clusters {
    unsigned number = 1;      // that have processors which this program may use
    unsigned processors = 0;  // of each; 0: nothing is said of clusters
    bool have_memory = false; // of their own
};

// The answer never changes.
const Clusters& machine_clusters();

// The calling thread runs on that cluster's processors from now on, where the system permits.
void run_at(int home);

// Answers memory for words that the threads of that home use: zeroes, in whole cache lines. Where the
// clusters have no memory of their own, or there is no home, it is ordinary memory. Null: there is none.
void* take_memory(int home, std::size_t bytes);
// Gives back what take_memory() answered for that home and size; null: nothing.
void give_memory_back(int home, void* memory, std::size_t bytes);

} // namespace parley::loops
