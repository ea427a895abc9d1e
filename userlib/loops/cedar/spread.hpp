// SPDX-License-Identifier: MIT
// How one of Cedar's loops is spread over clusters and their processors. One thread of each cluster is in a
// team of all clusters, and leads the team of its cluster, whatever the loop is: so a program has as many
// threads as processors. An SDOALL is a loop of the team of clusters, a CDOALL in it is a loop of a cluster's
// team. For an XDOALL all clusters' teams share one loop, from which each thread fetches for itself; they
// meet cluster by cluster, and then the clusters.
#pragma once

#include "userlib/loops/this_thread.hpp"

namespace parley::loops {

// A loop, and what each thread that takes part in it runs once: body(argument) fetches iterations until there
// are none (Member::next_chunk).
struct Work {
    Crew::Body body = nullptr;
    void* argument = nullptr;
    LoopPlan plan;
    Loop* flat = nullptr;                   // shared by the teams of all clusters
    unsigned cluster = 0, team_threads = 0; // of the team that takes part in it
};

// Plans a loop of the program from `first` to `last`, both included. Empty: no iteration. What cannot be
// planned ends the program with a sentence.
bool plan_loop(LoopPlan& plan, long first, long last, long step, bool ordered);

// Each of these returns when all iterations are done. run_flat(): every processor fetches for itself.
// run_over_clusters(): one thread of each cluster takes part. run_in_cluster(): the processors of the
// caller's cluster take part.
void run_flat(Work& work);
void run_over_clusters(Work& work);
void run_in_cluster(Work& work);

// Ends the program with a sentence where the iteration that has ended broke the rules of the ordered region.
// `turns_before`: how often its thread had been through the region before it.
void check_iteration(Member& self, std::uint64_t turns_before);

// Takes the calling thread through the ordered region of its iteration; a call that does not fit there ends
// the program with a sentence.
void enter_region();
void leave_region();

unsigned clusters();
// How many threads of each take part in the caller's loops: fewer where it may have fewer (`thread_limit`).
unsigned processors_of_each();
// Whether the clusters of loops can be those of the machine, because it has as many and they are large
// enough.
bool are_the_machines();
// Sets into how many clusters the next loops divide the processors, in place of what PARLEY_LOOPS says.
// `number`: 1 to as many as there are processors.
void set_clusters(unsigned number);
// The calling thread is about to lead the team of all clusters.
void lead_clusters();
// Starts the threads of all clusters.
void start_all_threads();

} // namespace parley::loops
