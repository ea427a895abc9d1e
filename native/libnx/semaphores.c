/* SPDX-License-Identifier: MIT */
/* Semaphores in the job area, which all ranks map: a spin lock's word, or a count on which Linux lets ranks
 * sleep (futex). The count is kept as its distance from the first one, so that who opens a semaphore has one
 * atomic step to make. */
#include "native/libnx/semaphores.h"

#include "interface/capabilities.h"
#include "interface/limits.h"
#include "native/libnx/rank.h"
#include "userlib/nx/failure.h"

#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct parley_native_semaphore semaphore;

static struct parley_native_job *job(void)
{
    return (struct parley_native_job *)PARLEY_NATIVE_JOB_BASE;
}

static void count_one(unsigned long *count)
{
    __atomic_add_fetch(count, 1, __ATOMIC_RELAXED);
}

/* 0, or minus an error. */
static long find(long id, semaphore **found)
{
    if (id < PARLEY_SEMAPHORE_ID(0, 0) || PARLEY_SEMAPHORE_JOB(id) >= PARLEY_MAX_JOBS)
        return -nx_error_no_semaphore;
    if (PARLEY_SEMAPHORE_JOB(id) != 0)
        return -nx_error_other_jobs_semaphore;
    *found = &job()->semaphores[PARLEY_SEMAPHORE_NUMBER(id)];
    return __atomic_load_n(&(*found)->opened, __ATOMIC_ACQUIRE) ? 0 : -nx_error_no_semaphore;
}

long nx_native_open(long number, long count)
{
    if ((job()->places[0].start.capabilities & NX_SEVERAL_MACHINES) != 0)
        return -nx_error_one_machine_only;
    if (number < 0 || number >= PARLEY_MAX_SEMAPHORES)
        return -nx_error_no_semaphore;
    if (count < 0 || count > (job()->spins ? 1 : PARLEY_MAX_SEMAPHORE_COUNT))
        return -nx_error_bad_count;
    semaphore *const self = &job()->semaphores[number];
    const unsigned wanted = (unsigned)count + 1;
    unsigned opened = 0;
    if (__atomic_compare_exchange_n(&self->opened, &opened, wanted, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        if (job()->spins && count == 1)
            parley_spin_give((unsigned *)&self->word);
        return PARLEY_SEMAPHORE_ID(0, number);
    }
    return opened == wanted ? PARLEY_SEMAPHORE_ID(0, number) : -nx_error_other_count;
}

long nx_native_bind(long id, unsigned **word)
{
    semaphore *self;
    const long wrong = find(id, &self);
    *word = wrong == 0 && job()->spins ? (unsigned *)&self->word : NULL;
    return wrong == 0 ? (long)job()->delay : wrong;
}

static long count_of(const semaphore *self, int word)
{
    return (long)self->opened - 1 + word;
}

/* Sequentially consistent with V: either it sees the sleeper, or the sleeper sees the new count. */
static void sleep_on(semaphore *self, int word)
{
    __atomic_add_fetch(&self->sleepers, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &self->word, FUTEX_WAIT, word, NULL, NULL, 0);
    __atomic_sub_fetch(&self->sleepers, 1, __ATOMIC_SEQ_CST);
}

long nx_native_p(long id)
{
    semaphore *self;
    const long wrong = find(id, &self);
    if (wrong < 0 || job()->spins)
        return wrong < 0 ? wrong : -nx_error_no_such_call;
    count_one(&job()->counts.calls);
    int word = __atomic_load_n(&self->word, __ATOMIC_SEQ_CST), waited = 0;
    for (;;) {
        if (count_of(self, word) > 0) {
            if (__atomic_compare_exchange_n(&self->word, &word, word - 1, 0, __ATOMIC_SEQ_CST,
                                            __ATOMIC_SEQ_CST))
                return 0;
            continue;
        }
        if (!waited++)
            count_one(&job()->counts.waits);
        sleep_on(self, word);
        word = __atomic_load_n(&self->word, __ATOMIC_SEQ_CST);
    }
}

/* All sleepers look: one that was ended while it slept, and is counted for ever, must not be the only one who
 * hears. */
long nx_native_v(long id)
{
    semaphore *self;
    const long wrong = find(id, &self);
    if (wrong < 0 || job()->spins)
        return wrong < 0 ? wrong : -nx_error_no_such_call;
    count_one(&job()->counts.calls);
    int word = __atomic_load_n(&self->word, __ATOMIC_SEQ_CST);
    do {
        if (count_of(self, word) >= PARLEY_MAX_SEMAPHORE_COUNT)
            return -nx_error_count_too_large;
    } while (
        !__atomic_compare_exchange_n(&self->word, &word, word + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    if (__atomic_load_n(&self->sleepers, __ATOMIC_SEQ_CST) != 0) {
        count_one(&job()->counts.wakes);
        syscall(SYS_futex, &self->word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    }
    return 0;
}

/* None has had its V where an id is wrong. */
long nx_native_v_all(const long *ids, long count)
{
    long all = 0;
    semaphore *found;
    if (count < 0 || count > PARLEY_MOST_AT_ONCE)
        return -nx_error_bad_argument;
    for (long i = 0; i < count && all == 0; i++)
        all = find(ids[i], &found);
    if (all < 0)
        return all;
    for (long i = 0; i < count; i++) {
        const long one = nx_native_v(ids[i]);
        all = one < 0 ? one : all;
    }
    return all;
}

long nx_native_read_counts(struct parley_semaphore_counts *counts)
{
    *counts = job()->counts;
    return 0;
}
