/* SPDX-License-Identifier: MIT */
/* The semaphores of a job (userlib/include/nx_semaphores.h): the message library keeps them in the job area,
 * by the classes that the kernel has, too (sched/semaphore). */
#ifndef PARLEY_NATIVE_JOB_SEMAPHORES_H
#define PARLEY_NATIVE_JOB_SEMAPHORES_H

struct parley_semaphore_counts;

/* All of a job's. It lies in the job area. */
struct parley_job_semaphores;

/* A kind that there is, with a value for each of its arguments. */
struct parley_semaphore_kind {
    const char* name;
    unsigned long length; /* of the name */
    const unsigned long* values;
    unsigned long count; /* of the values */
};

struct parley_native_semaphores {
    /* ---- nxrun calls these before any rank begins ---- */

    /* How many policy processes the kind has. */
    unsigned (*policy_processes)(const struct parley_semaphore_kind* kind);
    /* How much memory those of so many programs take. */
    unsigned long (*bytes)(unsigned programs);
    /* Makes them in so much memory, which reads as zero and is aligned to a page. `hertz`: of the time-stamp
     * counter. Null: there is no such kind, or too little memory. */
    struct parley_job_semaphores* (*make)(void* memory, unsigned long bytes,
                                          const struct parley_semaphore_kind* kind, unsigned programs,
                                          unsigned long hertz);
    /* How the programs wait: a parley::sched::SemaphoreWaiter of each, by endpoint, where they stay. */
    const void* (*waiters)(struct parley_job_semaphores* self);

    /* Nobody calls this: it is the first instruction of a policy process, which begins as a delivery process
     * does (interface/library.h) and ends when it is told to (departure.h). Its start says which it is: its
     * endpoint lies so many behind all endpoints of the job. */
    void (*serve)(void);

    /* ---- The calls of ranks, as in calls.def. Each answers a value, or minus an error. ---- */

    long (*open)(struct parley_job_semaphores* self, long number, long count);
    /* `word`: of a spin lock; null otherwise. */
    long (*bind)(struct parley_job_semaphores* self, long id, unsigned** word);
    long (*p)(struct parley_job_semaphores* self, unsigned endpoint, long id);
    long (*v)(struct parley_job_semaphores* self, long id);
    long (*v_all)(struct parley_job_semaphores* self, const long* ids, long count);
    void (*read_counts)(const struct parley_job_semaphores* self, struct parley_semaphore_counts* counts);
};

#endif
