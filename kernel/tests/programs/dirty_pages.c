/* SPDX-License-Identifier: MIT */
/* Pages that policy processes write for a process that waits: as many as it has written to since they were
 * written last, also where they could only be read in between. Node 0 writes to some pages of its own and
 * waits; node 1 wakes it when it surely waits. The argument: what a revolution of the disk takes, in
 * nanoseconds. 2 nodes. */
#include <nx.h>
#include <nx_semaphores.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { page = 4096, most = 9, rounds = 4 };
static const int touched[] = {0, most, 1};
enum { groups = sizeof touched / sizeof *touched, before_groups = 2 };

static char pages[most][page] __attribute__((aligned(page)));
static int failures;

static void check(int holds, const char *what, long value)
{
    if (holds)
        return;
    fprintf(stderr, "%s: %ld\n", what, value);
    failures++;
}

static struct parley_semaphore_counts now(void)
{
    struct parley_semaphore_counts counts;
    nx_semaphore_counts(&counts);
    return counts;
}

static void wait_once(long semaphore, int count, double *shortest)
{
    for (int i = 0; i < count; i++)
        pages[i][0]++;
    const double began = dclock();
    P(semaphore);
    const double took = dclock() - began;
    *shortest = took < *shortest ? took : *shortest;
}

static void be_woken(long semaphore, double rotation)
{
    const char *kind = nx_semaphores();
    const int eager = !strncmp(kind, "policy-0", 8) || !strncmp(kind, "policy-1:0s", 11);
    unsigned long others = 0; /* pages that it writes to anyhow: its stack, its variables */
    double ignored = 0;
    wait_once(semaphore, most, &ignored);
    check(mprotect(pages, sizeof pages, PROT_READ) == 0, "mprotect", 0);
    wait_once(semaphore, 0, &ignored); /* a search that finds pages that nobody can write to */
    check(mprotect(pages, sizeof pages, PROT_READ | PROT_WRITE) == 0, "mprotect", 1);
    for (int group = 0; group < groups; group++) {
        double shortest = 1e9;
        wait_once(semaphore, touched[group], &shortest); /* what was dirty before */
        const struct parley_semaphore_counts before = now();
        shortest = 1e9;
        for (int round = 0; round < rounds; round++)
            wait_once(semaphore, touched[group], &shortest);
        const struct parley_semaphore_counts after = now();
        const unsigned long written = after.page_writes - before.page_writes;
        if (group == 0)
            others = written;
        const unsigned long wanted = eager ? others + (unsigned long)touched[group] * rounds : 0;
        check(written == wanted, "pages written", (long)written);
        check(after.page_reads - before.page_reads == written, "pages read",
              (long)(after.page_reads - before.page_reads));
        check(!eager || written >= rounds, "a wait with no page at all", (long)written);
        /* Two revolutions to write and check, one to read. */
        check(!eager || shortest >= 3 * touched[group] * rotation,
              "a wait shorter than the disk's time, in us", (long)(shortest * 1e6));
    }
}

int main(int count, char **arguments)
{
    const long semaphore = nx_semaphore(0, 0);
    const double rotation = count > 1 ? atof(arguments[1]) * 1e-9 : 0;
    gsync();
    if (mynode() == 0) {
        be_woken(semaphore, rotation);
        printf("dirty_pages %s: %d failures\n", nx_semaphores(), failures);
        return failures != 0;
    }
    for (unsigned long wait = 1; wait <= before_groups + groups * (rounds + 1); wait++) {
        while (now().waits < wait)
            nx_pause();
        V(semaphore);
    }
    return 0;
}
