/* SPDX-License-Identifier: MIT */
/* The calls of host programs and cubes, with results instead of sentences: 0 (or what their comments say), or
 * minus an error. C and Fortran share them. */
#ifndef PARLEY_NX_CUBE_CALLS_H
#define PARLEY_NX_CUBE_CALLS_H

struct nx_ended {
    int node;
    int pid;
    int status;
};

/* A program's name, not ended by a zero; but its arguments may follow, each behind one. Node -1: all. */
long nx_load_program(const char *name, unsigned long length, long node, long pid);
/* A list of nodes, of long or of int; of neither: the first so many nodes. */
struct nx_node_list {
    const long *nodes;
    const int *narrow;
    long count;
};
long nx_listed_node(const struct nx_node_list *list, long place);
/* Loads the same program on all nodes of a list. Every place is ready before the first program begins, so
 * that one may send to another at once. Answers how many there are. */
long nx_load_list(const char *name, unsigned long length, const struct nx_node_list *list, long pid);
_Noreturn void nx_fail_load(long node, long pid, long error);
long nx_wait_for_all(long node, long pid);
long nx_wait_for_one(long node, long pid, struct nx_ended *ended);
enum nx_waiting_messages { nx_messages_forgotten = 0, nx_messages_kept = 1 };
long nx_kill(long node, long pid, enum nx_waiting_messages messages);
long nx_set_pid(long pid);
/* Whether a cube of that type, "16", "d4" or "8m4rx", has more nodes than this job. */
long nx_check_cube(const char *type, unsigned long length);
long nx_flush(long typesel, long node, long pid);

#endif
