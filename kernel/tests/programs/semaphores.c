/* SPDX-License-Identifier: MIT */
/* Semaphores as a program sees them: exclusion, stages, V before P, and what is refused. 3 nodes or more. */
#include <errno.h>
#include <nx.h>
#include <nx_semaphores.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { rounds = 100, mutex_number = 200, first_of_nodes = 0, full_number = 201, unused_number = 202 };

static long failures;

static void check(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "node %ld: %s\n", mynode(), what);
    failures++;
}

static int is_spin(void)
{
    return !strncmp(nx_semaphores(), "spin", 4);
}

struct shared {
    volatile long inside, entries, stage;
    unsigned posted;
};

static struct shared *share(void)
{
    struct shared *mine = 0, *all[64];
    if (mynode() == 0 && (mine = nx_alloc(sizeof *mine)))
        memset(mine, 0, sizeof *mine);
    gcol(&mine, sizeof mine, all, sizeof all, 0);
    return all[0];
}

static void exclude(struct shared *shared)
{
    const long mutex = nx_semaphore(mutex_number, 1);
    int crowded = 0;
    for (int round = 0; round < rounds; round++) {
        P(mutex);
        crowded |= shared->inside++ != 0;
        shared->entries++;
        shared->inside--;
        V(mutex);
    }
    check(!crowded, "two were inside at once");
    gsync();
    check(shared->entries == rounds * numnodes(), "somebody was not inside");
}

static void go_through_stages(struct shared *shared, const long *semaphores)
{
    int early = 0;
    for (int stage = 0; stage < rounds; stage++) {
        early |= shared->stage != stage;
        if (__atomic_add_fetch(&shared->posted, 1, __ATOMIC_ACQ_REL) < numnodes()) {
            P(semaphores[mynode()]);
            continue;
        }
        shared->posted = 0;
        shared->stage++;
        for (long node = 0; node < numnodes(); node++)
            if (node != mynode())
                V(semaphores[node]);
    }
    check(!early, "somebody went on before the stage was over");
}

/* One call wakes all others, and makes their next Ps not wait. */
static void wake_together(long node, const long *semaphores)
{
    long others[64], count = 0;
    for (long other = 0; other < numnodes(); other++)
        if (other != node)
            others[count++] = semaphores[other];
    for (int round = 0; round < rounds; round++) {
        if (mynode() == node)
            nx_v_all(others, count);
        else
            P(semaphores[mynode()]);
        gsync();
    }
}

static void refused(long value, int number, const char *sentence)
{
    check(value == -1 && errno == number, sentence);
}

static void misuse(long own)
{
    refused(_nx_semaphore(256, 0), EQPARAM, "number 256 was opened");
    refused(_nx_semaphore(-1, 0), EQPARAM, "number -1 was opened");
    refused(_nx_semaphore(unused_number, -1), EQPARAM, "a count of -1 was taken");
    refused(_nx_semaphore(unused_number, 65536), EQPARAM, "a count of 65536 was taken");
    refused(_nx_semaphore(mynode() + first_of_nodes, 1), EQPARAM, "another count was taken");
    refused(_P(own + unused_number - mynode()), EQPARAM, "P of one that nobody has opened");
    refused(_V(0), EQPARAM, "V of 0");
    refused(_V(-1), EQPARAM, "V of -1");
    refused(_P(own + 256), EQPRIV, "P of another job's");
    refused(_V(0x7fffff00), EQPARAM, "V of nonsense");
    refused(_nx_v_all(&own, -1), EQPARAM, "V of -1 semaphores");
    const long two[] = {own, own + unused_number - mynode()};
    refused(_nx_v_all(two, 2), EQPARAM, "V of two of which one is wrong");
    check(_nx_v_all(two, 0) == 0, "V of none is an error");
    if (is_spin()) {
        refused(_nx_semaphore(full_number, 2), EQPARAM, "spin took a count of 2");
        return;
    }
    const long full = nx_semaphore(full_number, 65535);
    if (mynode() == 0) {
        refused(_V(full), EQPARAM, "V beyond the largest count");
        P(full);
        V(full);
    }
}

/* Who counts what: P and V of this node's own semaphore, which wait for nobody. */
static void count_calls(long own)
{
    struct parley_semaphore_counts before, after;
    nx_semaphore_counts(&before);
    for (int round = 0; round < rounds; round++) {
        V(own);
        P(own);
    }
    nx_semaphore_counts(&after);
    check(after.calls - before.calls == (is_spin() ? 0 : 2 * rounds),
          "the calls are not as many as they were");
    check(after.waits == before.waits, "P waited although V came before");
}

int main(void)
{
    long semaphores[64];
    for (long node = 0; node < numnodes(); node++)
        semaphores[node] = nx_semaphore(first_of_nodes + node, 0);
    struct shared *const shared = share();
    if (!shared) {
        nx_perror("nx_alloc");
        return 1;
    }
    exclude(shared);
    go_through_stages(shared, semaphores);
    gsync();
    wake_together(1, semaphores);
    misuse(semaphores[mynode()]);
    gsync();
    if (mynode() == 0)
        count_calls(semaphores[0]);
    long all = failures;
    long work;
    gisum(&all, 1, &work);
    if (mynode() == 0)
        printf("semaphores %s: %ld failures\n", nx_semaphores(), all);
    return all != 0;
}
