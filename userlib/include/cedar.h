/* SPDX-License-Identifier: MIT
 * Cedar's parallel loops for C. The calls run body(iteration, data) for each iteration from `first` to
 * `last`, both included, in any order and at once, and return when all are done:
 *
 *   cedar_xdoall     every processor fetches iterations for itself, one at a time, from one global index
 *   cedar_sdoall     iterations go to clusters, one at a time; one processor of the cluster runs the body
 *   cedar_cdoall     in the body of an SDOALL: iterations are spread over its processors; elsewhere
 *                    over the processors of one cluster
 *   cedar_doacross   as XDOALL; from cedar_await() to cedar_advance(), once in an iteration, a region that
 *                    iterations go through one after another, in their order
 *
 * A loop in such a region, and calls that do not fit each other, end the program with a sentence.
 * There are as many clusters as the machine has, unless PARLEY_LOOPS says otherwise (clusters=4); the
 * processors of all are as many as OMP_NUM_THREADS says.
 *
 * A program begins as one task, whose threads are on all clusters. A cluster task is a thread more, on one
 * cluster, whose CDOALLs run on that cluster's processors; it has its stack in that cluster's memory, and
 * everything else in common with the program. SDOALL, XDOALL and DOACROSS in it end in a sentence.
 *
 * The macros stand before a block, which they run for each iteration; they are OpenMP's pragmas, so the
 * program is compiled with -fopenmp, and variables are shared unless they are declared in the block.
 *
 *   SDOALL (i, 1, n) {
 *       CDOALL (j, 1, m) {
 *           a[i][j] = 0;
 *       }
 *   }
 *   DOACROSS (i, 1, n) {
 *       const double own = f(i);
 *       ORDERED { sum += own; }
 *   } */
#ifndef CEDAR_H
#define CEDAR_H

#ifdef __cplusplus
extern "C" {
#endif

typedef void cedar_body(long iteration, void *data);

void cedar_xdoall(long first, long last, cedar_body *body, void *data);
void cedar_sdoall(long first, long last, cedar_body *body, void *data);
void cedar_cdoall(long first, long last, cedar_body *body, void *data);
void cedar_doacross(long first, long last, cedar_body *body, void *data);
void cedar_await(void);
void cedar_advance(void);

/* Starts body(data) as a task of that cluster, from 0, and answers its number. */
int cedar_start_task(int cluster, void (*body)(void *data), void *data);
/* Returns when that task has ended; once for each. Tasks that still run end with the program. */
void cedar_await_task(int task);
/* The cluster that the caller runs on, from 0; that of the main task's own thread is 0. */
int cedar_cluster(void);
/* So many bytes, zero, in that cluster's memory, which others may use too but are further from, until the
 * program ends; ordinary ones where clusters have no memory of their own. */
void *cedar_cluster_memory(int cluster, unsigned long bytes);

/* So many clusters from now on, whatever PARLEY_LOOPS says; before the first loop. Where the machine has
 * fewer, or fewer processors, the program ends with a sentence. */
void cedar_set_clusters(int clusters);
/* Starts the threads of all clusters, which the first loop does otherwise. Where the run is traced, what is
 * told of loops' time is of the time from here to cedar_end(), or else to the end of the program. */
void cedar_begin(void);
void cedar_end(void);
/* How many clusters there are, and processors in each. */
int cedar_clusters(void);
int cedar_processors(void);
/* For the macros: as cedar_clusters(); the caller's teams may hold another team from now on. */
int cedar_open_clusters(void);

#define CEDAR_PRAGMA(words) _Pragma(#words)
#define XDOALL(i, first, last) \
    CEDAR_PRAGMA(omp parallel for schedule(monotonic : dynamic, 1)) for (long i = (first); i <= (last); i++)
#define SDOALL(i, first, last)                                                                         \
    CEDAR_PRAGMA(omp parallel for num_threads(cedar_open_clusters()) schedule(monotonic : dynamic, 1)) \
    for (long i = (first); i <= (last); i++)
#define CDOALL(i, first, last)                                                                      \
    CEDAR_PRAGMA(omp parallel for num_threads(cedar_processors()) schedule(monotonic : dynamic, 1)) \
    for (long i = (first); i <= (last); i++)
#define DOACROSS(i, first, last)                                            \
    CEDAR_PRAGMA(omp parallel for ordered schedule(monotonic : dynamic, 1)) \
    for (long i = (first); i <= (last); i++)
#define ORDERED CEDAR_PRAGMA(omp ordered)

#ifdef __cplusplus
}
#endif

#endif
