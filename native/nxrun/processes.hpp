// SPDX-License-Identifier: MIT
// What nxrun does with ranks as processes of Linux.
#pragma once

#include <string>
#include <sys/types.h>

namespace parley::native {

// Returns when the child has stopped and will not go on before SIGCONT; false: it has ended instead.
bool stop(pid_t child);

// Whether it is stopped, by a signal or by a debugger: until it goes on it does nothing. Any process of this
// machine.
bool is_stopped(pid_t process);

// A rank leads a group of processes: it, and all that it starts. Both nxrun and the rank say so, whoever is
// first.
void lead_group(pid_t rank);

// Ends a rank with all of its group, or lets them go on.
void end_group(pid_t rank);
void continue_group(pid_t rank);

// The exit status of a process with this status, as of waitpid; 128 and the signal's number where a signal
// has ended it.
int exit_status_of(int status);

// "signal 11 (Segmentation fault)": what ended a process with this status, as of waitpid.
std::string name_of_signal(int status);

// Why none could be started, and what to do. `error`: errno.
std::string no_more_processes(int error);

} // namespace parley::native
