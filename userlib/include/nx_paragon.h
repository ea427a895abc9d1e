/* SPDX-License-Identifier: MIT */
/* Calls of the Paragon. A program that calls neither nx_load nor nx_loadve is started on all its nodes at
 * once: each process already is what nx_nfork would make. One that does is a host program (nx.h). */
#ifndef PARLEY_NX_PARAGON_H
#define PARLEY_NX_PARAGON_H

#include <nx_files.h>

#define HWHZ 10000000
#define INVALID_PTYPE (-1)

typedef long *nx_nodes_t;

#ifdef __cplusplus
extern "C" {
#endif

void hwclock(esize_t *time);
long _hwclock(esize_t *time);

/* nx_initve returns the number of nodes; what it is asked for is settled when the job is started. nx_nfork
 * returns 0, as in a child; in a host program it cannot act (-1). nx_load and nx_loadve start a program on
 * the listed nodes, or on all when `count` is -1, and return how many; programs get no arguments that way.
 * nx_waitall waits for all of them. -1 and errno after an error. */
long nx_initve(const char *partition, long nodes, const char *account, int *argc, char *argv[]);
long nx_nfork(long nodes[], long count, long pid, long pids[]);
long nx_load(long nodes[], long count, long pid, long pids[], const char *file);
long nx_loadve(long nodes[], long count, long pid, long pids[], const char *file, char *argv[], char *envp[]);
long nx_waitall(void);

/* The job's nodes, in a list for free(); its shape, as square as may be. */
long nx_app_nodes(long group, nx_nodes_t *nodes, unsigned long *count);
long nx_app_rect(long *rows, long *columns);
void nx_perror(const char *text);

/* Partitions and priorities are not here: these return -1, EQPRIV. */
long nx_mkpart(const char *partition, long nodes, long type);
long nx_rmpart(const char *partition, long force, long recursive);
long nx_pri(long group, long priority);

#ifdef __cplusplus
}
#endif

#endif
