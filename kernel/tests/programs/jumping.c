/* SPDX-License-Identifier: MIT */
/* A message handler that does not return, or that does and sends and receives meanwhile: the argument says
 * where it interrupts, and how it ends. */
#include <nx.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static jmp_buf before;
static volatile long handled;
static const char *how;

static void answer(long type, long count, long node, long pid)
{
    (void)type, (void)count;
    handled++;
    if (strcmp(how, "returns"))
        longjmp(before, 1);
    csend(6, 0, 0, node, pid);
    crecv(7, 0, 0);
}

/* With more on its stack than the handler had above it. */
static __attribute__((noinline)) void send_from_below(void)
{
    volatile char room[65536];
    for (unsigned i = 0; i < sizeof room; i++)
        room[i] = 1;
    csend(8, 0, 0, mynode(), 0);
    room[0] = 2; /* so that it is there meanwhile */
}

static void be_interrupted(void)
{
    if (!strcmp(how, "waits")) {
        crecv(9, 0, 0);
    } else if (!strcmp(how, "collects")) {
        gsync();
    } else {
        while (!handled)
            ;
    }
}

static void go_on(void)
{
    if (!strcmp(how, "below"))
        send_from_below();
    else if (strcmp(how, "ends"))
        csend(8, 0, 0, mynode(), 0);
}

int main(int count, char **words)
{
    how = words[count - 1];
    if (mynode() == 0) {
        if (!setjmp(before)) { /* first of all: the handler can run as soon as node 1 is told */
            hrecv(5, 0, 0, answer);
            csend(4, 0, 0, 1, 0);
            be_interrupted();
        }
        go_on();
        printf("went on after %ld\n", handled);
        return 0;
    }
    crecv(4, 0, 0);
    csend(5, 0, 0, 0, 0);
    if (!strcmp(how, "returns")) {
        crecv(6, 0, 0);
        csend(7, 0, 0, 0, 0);
    }
    return 0;
}
