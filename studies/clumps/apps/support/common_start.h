/* SPDX-License-Identifier: MIT */
/* Jobs of one boot begin together by the machine's clock, which they share: each is ready before that time,
 * sleeps until then, and tells when it began and ended. So none is timed while another is being made. What a
 * job does first to find nothing cold it leaves out then, as the programs of Lumetta's thesis do: it would
 * have to be over before others are even made. For one file of a program. */
#ifndef PARLEY_CLUMPS_COMMON_START_H
#define PARLEY_CLUMPS_COMMON_START_H

#include <errno.h>
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static struct {
    long at;   /* ms of the machine's clock; 0: at once */
    long rest; /* likewise, until which it sleeps before it does anything; 0: it does not */
    double began, ended;
} common_start;

/* A row of the program's numbers. */
#define COMMON_START_ARGUMENT                 \
    {"--start", &common_start.at, 0, 3600000, \
     "ms of the machine's clock at which it begins, as other jobs do; 0: at once"}
/* And another, for a modelled machine: what spins while the others are made costs the host the most. */
#define REST_ARGUMENT                          \
    {"--rest", &common_start.rest, 0, 3600000, \
     "ms of the machine's clock until which it sleeps, as others are made; 0: it does not"}

/* In us. */
static inline double machine_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static inline void sleep_until(long milliseconds)
{
    const struct timespec at = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, 0) == EINTR)
        ;
}

/* Before anything that waits for other nodes. */
static inline void rest_as_told(void)
{
    if (common_start.rest)
        sleep_until(common_start.rest);
}

/* All nodes call this when they are ready. The program ends with a sentence where that is too late. */
static inline void await_common_start(const char *program)
{
    if (!common_start.at)
        return;
    gsync(); /* the others are ready, too */
    if (machine_clock() >= 1e3 * (double)common_start.at) {
        fprintf(stderr, "%s: it is ready after %.0f ms; a later --start is wanted.\n", program,
                machine_clock() / 1e3);
        exit(1);
    }
    sleep_until(common_start.at);
    common_start.began = machine_clock();
}

/* This node's part is over. */
static inline void note_common_end(void)
{
    common_start.ended = machine_clock();
}

/* All nodes call this; node 0 tells when the first of them began and the last ended. */
static inline void tell_common_start(const char *program)
{
    double work;
    if (!common_start.at)
        return;
    gdlow(&common_start.began, 1, &work);
    gdhigh(&common_start.ended, 1, &work);
    if (mynode() == 0)
        printf("%s: from %.1f to %.1f us of the machine's clock\n", program, common_start.began,
               common_start.ended);
}

#endif
