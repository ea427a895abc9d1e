/* SPDX-License-Identifier: MIT */
/* For programs whose processes speak to process 0 of each node: the runner finds this in the file, and
 * refuses PIDS other than 1 before anything starts. */
#ifndef PARLEY_APPS_ONE_PROCESS_H
#define PARLEY_APPS_ONE_PROCESS_H

__attribute__((used)) static const char one_process_mark[] =
    "@(#)parley: this program runs one process a node";

#endif
