/* SPDX-License-Identifier: MIT */
/* Semaphores as programs see them (calls.def, semaphores): their limits, the counts of a job's semaphores,
 * and P and V of the spin lock, which are the program's own instructions. */
#ifndef PARLEY_KERNEL_INTERFACE_SEMAPHORES_H
#define PARLEY_KERNEL_INTERFACE_SEMAPHORES_H

#define PARLEY_MAX_SEMAPHORES 256        /* of a job; they are numbered from 0 */
#define PARLEY_MAX_SEMAPHORE_COUNT 65535 /* of one that is kept by the kernel */
#define PARLEY_MOST_AT_ONCE 64           /* semaphores of one call of v_all */
#define PARLEY_SEMAPHORE_LINE 64         /* bytes of the shared region for each; the word lies at its start */
#define PARLEY_SEMAPHORE_AREA (PARLEY_MAX_SEMAPHORES * PARLEY_SEMAPHORE_LINE)

/* An id is the number of the job, plus 1, and that of the semaphore, so that one of another job is known. */
#define PARLEY_SEMAPHORE_ID(job, number) ((((long)(job) + 1) << 8) | (long)(number))
#define PARLEY_SEMAPHORE_NUMBER(id) ((unsigned)(id) % PARLEY_MAX_SEMAPHORES)
#define PARLEY_SEMAPHORE_JOB(id) (((id) >> 8) - 1)

/* What all processes of a job together have done since it began. */
struct parley_semaphore_counts {
    unsigned long calls;       /* P and V that entered the kernel */
    unsigned long waits;       /* P that had to wait */
    unsigned long wakes;       /* V that found somebody waiting */
    unsigned long policy_runs; /* times that a policy process began to serve a request */
    unsigned long page_writes; /* dirty pages of waiting processes, written back */
    unsigned long page_reads;  /* pages brought back before their processes went on */
    unsigned long in_time;     /* wakes that came before the pages were due to be written */
};

/* A function that is inlined in its callers, in any C. Unlike a static function, it may be called by
 * others of its kind. */
#define PARLEY_IN_PLACE extern __inline__ __attribute__((__gnu_inline__, __always_inline__))

/* P of the spin lock: 1 when the semaphore was free and is the caller's now. It tests before it modifies;
 * a process that loses the race has decremented too, which the holder's V corrects. Acquire pairs with the
 * release in parley_spin_give(). */
PARLEY_IN_PLACE int parley_spin_take(unsigned* word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED) == 1 && __atomic_sub_fetch(word, 1, __ATOMIC_ACQUIRE) == 0;
}

/* V of the spin lock: two in a row have the effect of one. */
PARLEY_IN_PLACE void parley_spin_give(unsigned* word) { __atomic_store_n(word, 1, __ATOMIC_RELEASE); }

#endif
