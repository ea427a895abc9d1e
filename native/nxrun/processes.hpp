// SPDX-License-Identifier: MIT
// Stops, continues and ends the processes of ranks, and names what has ended them.
#pragma once

#include <string>
#include <sys/types.h>

namespace parley::native {

// Called by a child: it gets the signal when its parent ends. Where that has ended already the child ends at
// once, too.
void end_with(pid_t parent, int signal);

// Stops a child and returns when it has stopped; it does not go on before SIGCONT. False: it has ended
// instead.
bool stop(pid_t child);

// Whether any process of this machine is stopped, by a signal or by a debugger: until it goes on it does
// nothing.
bool is_stopped(pid_t process);

// Makes a rank the leader of a group of processes: itself and all that it starts. Both nxrun and the rank
// call this, since either may be first.
void lead_group(pid_t rank);

// Ends a rank with all of its group; lets them go on.
void end_group(pid_t rank);
void continue_group(pid_t rank);

// The exit status of a process with this status, as of waitpid; 128 and the signal's number where a signal
// has ended it.
int exit_status_of(int status);

// "signal 11 (Segmentation fault)": what ended a process with this status, as of waitpid.
std::string name_of_signal(int status);

// A sentence that says why no process could be started, and what to do. `error`: errno.
std::string no_more_processes(int error);

} // namespace parley::native
