// SPDX-License-Identifier: MIT
// Cluster tasks, as Xylem's processes have them: a process begins with one, its main thread, and may start
// more, each on a cluster, with loops of its own over that cluster's processors alone. All tasks share what
// the program has; what a task has to itself lies on its stack, which lies in its cluster's memory.
#pragma once

#include "userlib/loops/cedar/common_blocks.hpp"
#include "userlib/loops/this_thread.hpp"

namespace parley::loops {

// Starts body(data) as a task of that cluster, and answers its number, from 1. What cannot be ends the
// program with a sentence.
int start_cluster_task(int cluster, Crew::Body body, void* data);
// Returns when that task has ended. Called once for each task.
void await_cluster_task(int number);

// Whether the member belongs to a task that was started, and not to the main one.
bool is_in_cluster_task(const Member& member);
// The cluster of the member's task or team.
unsigned cluster_of(const Member& member);
// The common blocks of the member's task.
CommonBlocks& common_blocks_of(const Member& member);
// Where what belongs to that cluster lies: no_home where loops' clusters are not the machine's.
int home_of_cluster(unsigned cluster);

} // namespace parley::loops
