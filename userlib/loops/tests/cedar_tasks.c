/* SPDX-License-Identifier: MIT
 * Cluster tasks: each sums up a table in its cluster's memory by loops over its cluster's processors, and
 * has a word on its stack. Prints what is the same with any number of processors, and where the tables and
 * the stacks lie: the numbers of the windows of clusters' memories, -1 for none. With a word as argument it
 * does what ends in a sentence. */
#include <cedar.h>
#include <stdio.h>
#include <string.h>

enum { entries = 500, most = 4 };
#define WINDOWS 0x320000000000UL
#define WINDOW_BYTES 0x2000000000UL

struct part {
    long *table, sum, window_of_stack;
    int cluster, wrong;
};

static long window_of(const volatile void *place)
{
    const unsigned long window = ((unsigned long)place - WINDOWS) / WINDOW_BYTES;
    return window < most ? (long)window : -1;
}

static void add(long entry, void *given)
{
    struct part *part = given;
    __atomic_fetch_add(&part->sum, part->table[entry], __ATOMIC_RELAXED);
    if (cedar_cluster() != part->cluster)
        __atomic_store_n(&part->wrong, 1, __ATOMIC_RELAXED);
}

static void add_up(void *given)
{
    struct part *part = given;
    volatile long own = 0;
    part->window_of_stack = window_of(&own);
    cedar_cdoall(0, entries - 1, add, part);
    cedar_cdoall(0, entries - 1, add, part);
}

static void nothing(long number, void *data)
{
    (void)number, (void)data;
}
static void spread_out(void *data)
{
    cedar_xdoall(1, 2, nothing, data);
}
static void finish(void *data)
{
    (void)data;
}
static void await_self(void *data)
{
    while (__atomic_load_n((int *)data, __ATOMIC_ACQUIRE) == 0)
        ;
    cedar_await_task(*(int *)data);
}

static void do_wrong(const char *word)
{
    static int number;
    if (strcmp(word, "cluster") == 0)
        cedar_start_task(cedar_clusters(), spread_out, NULL);
    if (strcmp(word, "number") == 0)
        cedar_await_task(3);
    if (strcmp(word, "twice") == 0) {
        struct part part = {cedar_cluster_memory(0, entries * sizeof(long)), 0, 0, 0, 0};
        const int task = cedar_start_task(0, add_up, &part);
        cedar_await_task(task);
        cedar_await_task(task);
    }
    if (strcmp(word, "spread") == 0)
        cedar_await_task(cedar_start_task(0, spread_out, NULL));
    if (strcmp(word, "self") == 0) {
        const int task = cedar_start_task(0, await_self, &number);
        __atomic_store_n(&number, task, __ATOMIC_RELEASE);
        for (;;)
            ;
    }
    if (strcmp(word, "many") == 0)
        for (int i = 0; i < 65; i++)
            cedar_start_task(0, finish, NULL);
    if (strcmp(word, "memory") == 0)
        cedar_cluster_memory(0, 1UL << 60);
    if (strcmp(word, "memory-of-none") == 0)
        cedar_cluster_memory(-1, 8);
}

int main(int argc, char **argv)
{
    static struct part parts[most];
    int tasks[most];
    if (argc > 1) {
        do_wrong(argv[1]);
        return 0;
    }
    const int clusters = cedar_clusters() < most ? cedar_clusters() : most;
    for (int round = 0; round < 2; round++)
        for (int at = 0; at < clusters; at++) {
            struct part *const part = &parts[at];
            *part = (struct part){part->table, 0, 0, at, 0};
            if (part->table == NULL)
                part->table = cedar_cluster_memory(at, entries * sizeof(long));
            for (int entry = 0; entry < entries; entry++)
                part->table[entry] = entry + at;
            tasks[at] = cedar_start_task(at, add_up, part);
            if (round == 1)
                continue;
            cedar_await_task(tasks[at]);
        }
    cedar_xdoall(1, 3, nothing, NULL);
    for (int at = 0; at < clusters; at++)
        cedar_await_task(tasks[at]);
    for (int at = 0; at < clusters; at++)
        printf("task %d: sum %ld, %d wrong, table %ld, stack %ld\n", at, parts[at].sum, parts[at].wrong,
               window_of(parts[at].table), parts[at].window_of_stack);
    return 0;
}
