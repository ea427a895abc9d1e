/* SPDX-License-Identifier: MIT */
/* P and V. How they are made is asked once for each semaphore, when the process first names it. */
#include "userlib/nx/events.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/proxies.h"

#include <nx.h>
#include <nx_semaphores.h>

/* In the file of every program that waits at semaphores: what they are then matters to the runner. */
__attribute__((used)) static const char waiting_program[] = "@(#)parley: this program waits at semaphores";

/* What is known of one; by its number. */
struct binding {
    long id;        /* 0: nothing */
    unsigned *word; /* null: the kernel keeps the count */
    unsigned delay; /* turns between two looks at the word */
};

static struct binding bindings[PARLEY_MAX_SEMAPHORES];

struct nx_spin_word nx_spin_words[PARLEY_MAX_SEMAPHORES] = {{.id = 1}}; /* 0 is an id of number 0 */

/* From now on the program goes to the word by itself, and nothing is written into a trace. */
static void publish(const struct binding *binding)
{
    struct nx_spin_word *const spin = &nx_spin_words[PARLEY_SEMAPHORE_NUMBER(binding->id)];
    spin->word = binding->word;
    __atomic_store_n(&spin->id, binding->id, __ATOMIC_RELEASE); /* for handlers, which may come in between */
}

/* 0, or minus an error. A binding is the same whoever asks, so a handler in between does no harm. */
static __attribute__((noinline)) long bind(struct binding *binding, long id)
{
    const struct parley_receive_status found = nx_semaphores_bind(id);
    if (found.contents < 0)
        return found.contents;
    binding->word = (unsigned *)found.sender;
    binding->delay = (unsigned)found.contents;
    binding->id = id;
    if (binding->word && nx_process.start->trace_bytes == 0)
        publish(binding);
    return 0;
}

void nx_spin_delay(long semaphore)
{
    for (unsigned turn = bindings[PARLEY_SEMAPHORE_NUMBER(semaphore)].delay; turn; turn--)
        __asm__ volatile("");
    nx_pause();
}

static inline long look_up(struct binding *binding, long id)
{
    return __builtin_expect(binding->id != id, 0) ? bind(binding, id) : 0;
}

static long take(long id)
{
    struct binding *const binding = &bindings[PARLEY_SEMAPHORE_NUMBER(id)];
    const long wrong = look_up(binding, id);
    if (__builtin_expect(wrong < 0, 0))
        return wrong;
    nx_trace_event(nx_traced_p, PARLEY_SEMAPHORE_NUMBER(id), 0);
    if (!binding->word)
        return nx_semaphores_p(id).contents;
    while (!parley_spin_take(binding->word))
        nx_spin_delay(id);
    return 0;
}

static long give(long id)
{
    struct binding *const binding = &bindings[PARLEY_SEMAPHORE_NUMBER(id)];
    const long wrong = look_up(binding, id);
    if (__builtin_expect(wrong < 0, 0))
        return wrong;
    nx_trace_event(nx_traced_v, PARLEY_SEMAPHORE_NUMBER(id), 0);
    if (!binding->word)
        return nx_semaphores_v(id).contents;
    parley_spin_give(binding->word);
    return 0;
}

/* All are looked up before the first has its V, so that a wrong one stops none halfway. */
static long give_all(const long *ids, long count)
{
    if (count < 0)
        return -nx_error_bad_argument;
    int words = 0;
    for (long i = 0; i < count; i++) {
        struct binding *const binding = &bindings[PARLEY_SEMAPHORE_NUMBER(ids[i])];
        const long wrong = look_up(binding, ids[i]);
        if (wrong < 0)
            return wrong;
        words |= binding->word != 0;
    }
    for (long i = 0; i < count; i++) {
        nx_trace_event(nx_traced_v, PARLEY_SEMAPHORE_NUMBER(ids[i]), 0);
        if (words)
            parley_spin_give(bindings[PARLEY_SEMAPHORE_NUMBER(ids[i])].word);
    }
    long all = 0;
    for (long at = 0; at < count && !words; at += PARLEY_MOST_AT_ONCE) {
        const long left = count - at, some = left < PARLEY_MOST_AT_ONCE ? left : PARLEY_MOST_AT_ONCE;
        const long value = nx_semaphores_v_all(ids + at, some).contents;
        all = value < 0 ? value : all;
    }
    return all;
}

static long open(long number, long count)
{
    return nx_semaphores_open((int)number, count).contents;
}

long nx_semaphore(long number, long count)
{
    const long id = open(number, count);
    if (id < 0)
        nx_end_call("nx_semaphore", nx_sentence(-id), "number %d, count %ld", (int)number, count);
    return id;
}

void nx_p(long semaphore)
{
    const long value = take((int)semaphore);
    if (__builtin_expect(value < 0, 0))
        nx_fail_id("P", semaphore, -value);
}

void nx_v(long semaphore)
{
    const long value = give((int)semaphore);
    if (__builtin_expect(value < 0, 0))
        nx_fail_id("V", semaphore, -value);
}

/* For who does not include the header. */
void P(long semaphore)
{
    nx_p(semaphore);
}

void V(long semaphore)
{
    nx_v(semaphore);
}

void nx_v_all(const long *semaphores, long count)
{
    const long value = give_all(semaphores, count);
    if (value < 0)
        nx_fail("nx_v_all", -value);
}

long _nx_v_all(const long *semaphores, long count)
{
    const long value = give_all(semaphores, count);
    return value < 0 ? nx_set_errno(-value) : 0;
}

long _nx_semaphore(long number, long count)
{
    const long id = open(number, count);
    return id < 0 ? nx_set_errno(-id) : id;
}

long _P(long semaphore)
{
    const long value = take((int)semaphore);
    return value < 0 ? nx_set_errno(-value) : 0;
}

long _V(long semaphore)
{
    const long value = give((int)semaphore);
    return value < 0 ? nx_set_errno(-value) : 0;
}

const char *nx_semaphores(void)
{
    return nx_process.start->semaphore;
}

void nx_semaphore_counts(struct parley_semaphore_counts *counts)
{
    const long value = nx_semaphores_read_counts(counts).contents;
    if (value < 0)
        nx_fail("nx_semaphore_counts", -value);
}
