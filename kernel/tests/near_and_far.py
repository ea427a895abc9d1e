# SPDX-License-Identifier: MIT
"""Of four nodes two are near each other. Node 1 has sent node 0 many requests, of which each poll takes four,
and then a far node has sent one: node 0 tells how many near ones it has taken before that."""

import re

PROGRAM = """
#include "apps/support/am_job.h"

#include <nx.h>
#include <stdio.h>

enum { near = 1, far, many = 200, sent = 7 };

static int near_ones, before = -1;
static void take_near(void *token)
{
    (void)token;
    near_ones++;
}
static void take_far(void *token)
{
    (void)token;
    before = near_ones;
}

static void tell_node_0(void)
{
    csend(sent, 0, 0, 0, 0); /* what has been sent to it before has come when this has */
}

int main(void)
{
    am_job_begin();
    am_must(AM_SetHandler(am_job.endpoint, near, take_near));
    am_must(AM_SetHandler(am_job.endpoint, far, take_far));
    am_must(AM_SetExpectedResources(am_job.endpoint, (int)numnodes(), 256));
    am_job_meet();
    if (mynode() == 1) {
        for (int i = 0; i < many; i++)
            am_must(AM_Request0(am_job.endpoint, 0, near));
        tell_node_0();
    }
    if (mynode() == 2) {
        am_must(AM_Request0(am_job.endpoint, 0, far));
        tell_node_0();
    }
    if (mynode() == 0) {
        crecv(sent, 0, 0);
        crecv(sent, 0, 0);
        while (before < 0)
            am_must(AM_Poll(am_job.bundle));
        printf("%d near ones before the far one\\n", before);
        fflush(stdout);
    }
    am_job_meet();
    return 0;
}
"""


def near_ones_before_the_far_one(said: str) -> int:
    return int(re.search(r"(\d+) near ones before the far one", said).group(1))
