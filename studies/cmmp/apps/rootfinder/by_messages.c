/* SPDX-License-Identifier: MIT */
#include "carrier.h"

#include <nx.h>
#include <string.h>

/* Types of messages; a post's is greater by the node that sends it, so that each is received into the block
 * of its sender, which that node does not read any more. */
enum { wake_type = 100, post_type = 101 };

/* A message, to process 1 (a value) or from it (where the others go on). */
struct notice {
    long double value;
    struct interval interval;
    long double level;
    long root, stage;
    unsigned long sent; /* cycles */
    int over;
};

static int prepare(struct force *force, long process, long processes)
{
    const long most = process == 1 ? processes : 2;
    for (long other = 1; other < most; other++) {
        force->notices[other] = nx_alloc_aligned(sizeof(struct notice), _Alignof(struct notice));
        if (!force->notices[other])
            return 1;
        memset(force->notices[other], 0, sizeof(struct notice));
    }
    return 0;
}

static void end(struct force *force, long processes)
{
    for (long other = 1; other < processes; other++)
        if (force->notices[other])
            nx_free(force->notices[other]);
}

static void tell_all(struct force *force, long processes)
{
    for (long other = 1; other < processes; other++) {
        struct notice *const notice = force->notices[other];
        notice->interval = force->interval;
        notice->level = force->level;
        notice->root = force->root;
        notice->stage = force->stage;
        notice->over = force->over;
        notice->sent = nx_cycles();
        csend(wake_type, notice, sizeof *notice, other, 0);
    }
}

/* Where blocks change owner, the one that came is the next to go to the same process. */
static void lead(struct force *force, const struct task *task)
{
    for (long other = 1; other < task->processes; other++) {
        crecvp(post_type + other, &force->notices[other], sizeof(struct notice));
        force->members[other].value = ((const struct notice *)force->notices[other])->value;
    }
    const unsigned long found = force_find(force, task);
    tell_all(force, task->processes);
    force_told(force, found);
}

static void follow(struct force *force, long process, struct experience *experience)
{
    struct notice *notice = force->notices[1];
    notice->value = force->members[process - 1].value;
    csend(post_type + process - 1, notice, sizeof *notice, 0, 0);
    const unsigned long entered = nx_cycles();
    crecvp(wake_type, &force->notices[1], sizeof *notice);
    const unsigned long now = nx_cycles();
    notice = force->notices[1];
    if ((long)(notice->sent - entered) > 0)
        experience->wake_ns[experience->waits++] = force_nanoseconds(now - notice->sent);
    else
        experience->p_ns[experience->passes++] = force_nanoseconds(now - entered);
    force->interval = notice->interval;
    force->level = notice->level;
    force->root = notice->root;
    force->stage = notice->stage;
    force->over = notice->over;
}

static void stage(struct force *force, const struct task *task, long process, struct experience *experience)
{
    if (process == 1)
        lead(force, task);
    else
        follow(force, process, experience);
}

const struct carrier by_messages = {
    .tell_others = "csend to all others",
    .wake = "message to run",
    .pass = "crecv without a wait",
    .prepare = prepare,
    .end = end,
    .stage = stage,
};
