/* SPDX-License-Identifier: MIT */
/* Four nodes, two on each machine, end each other, await each other's ends and give themselves other pids, as
 * on one machine. */
#include <nx.h>

#include <stdio.h>
#include <stdlib.h>

enum { ready = 1, done = 2, never = 3, early = 4, left_with = 6 };

static void receive(long type)
{
    char byte;
    crecv(type, &byte, sizeof byte);
}

static void tell(long type, long node, long pid)
{
    char byte = 0;
    csend(type, &byte, sizeof byte, node, pid);
}

/* It has sent all of this before it ends. */
static void leave(long messages)
{
    for (long number = 0; number < messages; ++number)
        tell(early, 0, 0);
    exit(left_with);
}

int main(void)
{
    enum { messages = 20, pid = 9 };
    switch (mynode()) {
    case 1: /* is ended by node 2, from the other machine */
        tell(ready, 2, 0);
        receive(never);
        return 1;
    case 2:
        receive(ready);
        killproc(1, 0);
        tell(done, 0, 0);
        leave(messages);
        return 1;
    case 3: /* is ended by node 0, from the other machine, by its other pid */
        setpid(pid);
        tell(ready, 0, 0);
        receive(done);
        tell(ready, 0, 0);
        for (;;) { }
    default: break;
    }
    long node = -1, ended = -1, status = -1;
    receive(ready);
    tell(done, 3, pid);
    receive(ready);
    receive(done);
    waitone(2, -1, &node, &ended, &status);
    printf("ending: node %ld has ended with status %ld\n", node, status);
    for (long number = 0; number < messages; ++number)
        if (!iprobe(early))
            printf("ending: message %ld has not come before the end\n", number);
        else
            receive(early);
    killcube(3, pid);
    waitall(-1, -1);
    const int is_left = _waitone(-1, -1, &node, &ended, &status) >= 0;
    printf("ending: all have ended, %s\n", is_left ? "and one was not awaited" : "and all were awaited");
    return 0;
}
