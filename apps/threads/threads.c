/* SPDX-License-Identifier: MIT */
/* What a program may do with threads, tried with those of the C library: as many as it likes on any number of
 * processors. Node 0 prints a line a check, and each node that finds a failure says so; at last come "N
 * passed, N failed" of all nodes together, and the exit status is 1 when a check failed anywhere.
 *   threads how      what else a program with threads may do, one at a time: see endings.c */
#include "checks.h"
#include "endings.h"

#include <nx.h>
#include <stdio.h>

long in_team(void *(*work)(void *), char *argument)
{
    pthread_t threads[team];
    long sum = 0;
    for (int i = 0; i < team; i++)
        if (pthread_create(&threads[i], 0, work, argument + i))
            return -1;
    for (int i = 0; i < team; i++) {
        void *answer;
        if (pthread_join(threads[i], &answer))
            return -1;
        sum += (long)answer;
    }
    return sum;
}

static int fails(const struct check *check)
{
    if (check->holds()) {
        if (mynode() == 0)
            printf("passed %s\n", check->sentence);
        return 0;
    }
    printf("FAILED on node %ld: %s\n", mynode(), check->sentence);
    return 1;
}

int main(int argc, char **argv)
{
    if (argc == 2)
        return end_by(argv[1]);
    const struct check_list *lists[] = {&making_checks, &waiting_checks, &sharing_checks};
    long passed = 0, failed = 0, work;
    for (unsigned list = 0; list < sizeof lists / sizeof lists[0]; list++)
        for (int i = 0; i < lists[list]->count; i++)
            fails(&lists[list]->checks[i]) ? failed++ : passed++;
    gisum(&passed, 1, &work);
    gisum(&failed, 1, &work);
    if (mynode() == 0)
        printf("%ld passed, %ld failed\n", passed, failed);
    return failed != 0;
}
