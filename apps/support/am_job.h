/* SPDX-License-Identifier: MIT */
/* An SPMD job of Active Messages on NX's nodes: one endpoint a node, every node's at the entry of its number,
 * and a meeting of all, in which messages are still taken. */
#ifndef PARLEY_APPS_AM_JOB_H
#define PARLEY_APPS_AM_JOB_H

#include <am.h>
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>

enum { am_job_tag = 0x5eadbeef, am_job_handler_come = 254, am_job_handler_go = 255 };

struct am_job {
    eb_t bundle;
    ep_t endpoint;
    en_t name;
    long come; /* at node 0: to all meetings so far */
    long meetings;
    long over;
};
__attribute__((weak)) struct am_job am_job; /* one a program, of however many files */

static inline void am_must(int answer)
{
    if (answer != AM_OK)
        exit(1); /* the call has said why */
}

static inline void am_job_come(void *token)
{
    (void)token;
    am_job.come++;
}

static inline void am_job_go(void *token)
{
    (void)token;
    am_job.over++;
}

/* Polls, and waits for messages in between, until it is so. */
#define AM_JOB_UNTIL(condition)                            \
    for (am_must(AM_Poll(am_job.bundle)); !(condition);) { \
        am_must(AM_WaitSema(am_job.bundle));               \
        am_must(AM_Poll(am_job.bundle));                   \
    }

/* A new endpoint has the tag, and every node's endpoint as destination. All nodes call this. */
static inline void am_job_begin(void)
{
    long sent;
    am_must(AM_Init());
    am_must(AM_AllocateBundle(AM_SEQ, &am_job.bundle));
    am_must(AM_AllocateEndpoint(am_job.bundle, &am_job.endpoint, &am_job.name));
    am_must(AM_SetEventMask(am_job.bundle, AM_NOTEMPTY));
    am_must(AM_SetTag(am_job.endpoint, am_job_tag));
    am_must(AM_SetHandler(am_job.endpoint, am_job_handler_come, am_job_come));
    am_must(AM_SetHandler(am_job.endpoint, am_job_handler_go, am_job_go));
    en_t *names = malloc((size_t)numnodes() * sizeof *names);
    if (!names)
        exit(1);
    gcol(&am_job.name, sizeof am_job.name, names, numnodes() * (long)sizeof *names, &sent);
    if (numnodes() > 256)
        am_must(AM_SetNumTranslations(am_job.endpoint, (int)numnodes()));
    for (int node = 0; node < numnodes(); node++)
        am_must(AM_Map(am_job.endpoint, node, names[node], am_job_tag));
    free(names);
    gsync(); /* whoever sends now finds the others ready */
}

/* Nobody goes on before everybody has come; all take messages meanwhile. */
static inline void am_job_meet(void)
{
    am_job.meetings++;
    am_must(AM_Request0(am_job.endpoint, 0, am_job_handler_come));
    if (mynode() == 0) {
        AM_JOB_UNTIL(am_job.come >= am_job.meetings * numnodes());
        for (int node = 0; node < numnodes(); node++)
            am_must(AM_Request0(am_job.endpoint, node, am_job_handler_go));
    }
    AM_JOB_UNTIL(am_job.over >= am_job.meetings);
}

#endif
