/* SPDX-License-Identifier: MIT */
/* What threads share: memory, heap, files and processors. */
#define _GNU_SOURCE

#include "checks.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { pieces = 200, page = 4096 };

static void *fill_pieces(void *argument)
{
    char *kept[pieces];
    long right = 0;
    for (int i = 0; i < pieces; i++) {
        size_t bytes = (size_t)(i * 37 % 3000 + 1);
        kept[i] = malloc(bytes);
        memset(kept[i], (int)(long)argument + 1, bytes);
    }
    for (int i = 0; i < pieces; i++) {
        size_t bytes = (size_t)(i * 37 % 3000 + 1);
        right += kept[i][0] == (char)((long)argument + 1) && kept[i][bytes - 1] == (char)((long)argument + 1);
        free(kept[i]);
    }
    return (void *)right;
}

static int heap_is_shared(void)
{
    return in_team(fill_pieces, 0) == (long)team * pieces;
}

/* Pages come, change and go while the others' do. */
static void *map_pages(void *argument)
{
    long right = 0;
    for (int i = 0; i < 60; i++) {
        char *pages = mmap(0, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages == MAP_FAILED)
            return 0;
        long clean = pages[0] == 0 && pages[3 * page] == 0;
        memset(pages, (int)(long)argument + 1, 4 * page);
        sched_yield();
        right += clean && pages[4 * page - 1] == (char)((long)argument + 1) &&
                 mprotect(pages, page, PROT_READ) == 0 && munmap(pages, 4 * page) == 0;
    }
    return (void *)right;
}

static int pages_come_and_go(void)
{
    return in_team(map_pages, 0) == team * 60;
}

static volatile long *taken_away;
static volatile int over;

/* What is written would be an address of the machine's memory. */
static void *write_on(void *argument)
{
    while (!over)
        for (int i = 0; i < 4; i++)
            taken_away[i * page / (int)sizeof(long)] = 1 << 20;
    return argument;
}

/* Pages are taken away under threads that write to them, and what they write goes nowhere else. */
static int pages_are_taken_away(void)
{
    pthread_t thread[2];
    taken_away = mmap(0, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    over = 0;
    for (int i = 0; i < 2; i++)
        if (pthread_create(&thread[i], 0, write_on, 0))
            return 0;
    long right = 0;
    for (int i = 0; i < 400; i++) {
        right += madvise((void *)taken_away, 4 * page, MADV_DONTNEED) == 0;
        char *fresh = mmap(0, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        long empty = 1;
        for (int at = 0; at < 4 * page; at++)
            empty = empty && fresh[at] == 0;
        right += empty && munmap(fresh, 4 * page) == 0;
    }
    over = 1;
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], 0);
    return right == 800 && munmap((void *)taken_away, 4 * page) == 0;
}

static FILE *file;

static void *write_lines(void *argument)
{
    for (int i = 0; i < 100; i++)
        fprintf(file, "%ld %d\n", (long)argument, i);
    return 0;
}

static int files_are_shared(void)
{
    char name[40];
    int next[team] = {0}, lines = 0, number;
    long thread;
    snprintf(name, sizeof name, "threads-%d.txt", getpid());
    file = fopen(name, "w+");
    if (!file || in_team(write_lines, 0))
        return 0;
    rewind(file);
    while (fscanf(file, "%ld %d", &thread, &number) == 2 && thread >= 0 && thread < team)
        lines += next[thread]++ == number;
    fclose(file);
    unlink(name);
    return lines == team * 100;
}

static volatile char *volatile given;

static void *give_page(void *argument)
{
    char *pages = mmap(0, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *pages = 9;
    given = pages;
    return argument;
}

static int memory_outlives_its_maker(void)
{
    pthread_t thread;
    if (pthread_create(&thread, 0, give_page, 0) || pthread_join(thread, 0))
        return 0;
    return *given == 9 && munmap((void *)given, page) == 0;
}

/* Those that spin for each other need no more than a processor. */
static volatile int arrived;

static void *spin(void *argument)
{
    __atomic_add_fetch(&arrived, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&arrived, __ATOMIC_SEQ_CST) < team)
        ;
    return argument;
}

static int spinning_ends(void)
{
    arrived = 0;
    return in_team(spin, 0) == team * (team - 1) / 2;
}

/* A rank on Linux may be bound to some of the machine's. */
static int processors_are_seen(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) >= 1 &&
           CPU_COUNT(&set) <= sysconf(_SC_NPROCESSORS_ONLN);
}

static const struct check checks[] = {
    {"the heap serves all threads", heap_is_shared},
    {"pages come, change and go under all threads", pages_come_and_go},
    {"what is written to pages that are taken away goes nowhere", pages_are_taken_away},
    {"files are shared, and lines stay whole", files_are_shared},
    {"memory outlives the thread that mapped it", memory_outlives_its_maker},
    {"threads that spin for each other go on", spinning_ends},
    {"a program sees its processors", processors_are_seen},
};
const struct check_list sharing_checks = {checks, sizeof checks / sizeof checks[0]};
