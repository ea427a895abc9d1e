/* SPDX-License-Identifier: MIT */
/* Leaves messages unreceived and receives unwaited for, and waits twice; what is to be told of it, the tests
 * know (kernel/tests/left_unreceived.py). */
#include <nx.h>

static char bytes[100], other[100];

static void hear(long type, long count, long node, long pid)
{
    (void)type, (void)count, (void)node, (void)pid;
}

static void be_first(void)
{
    for (int i = 0; i < 3; i++)
        csend(5, bytes, 100, 1, 0);
    csend(6, bytes, 0, 1, 0);
    csend(9, bytes, 4, 1, 0);
    irecv(7, bytes, 100);
    irecvx(8, other, 100, 1, 0, msginfo);
    hrecv(20, bytes, 100, hear); /* a handler may wait for ever */
}

static void be_second(void)
{
    crecv(9, bytes, 100);
    long id = isend(11, bytes, 8, 1, 0);
    msgwait(id);
    msgwait(id);
    msgwait(id);
    irecv(11, other, 100);
    msgignore(irecv(12, bytes, 0));
    csend(12, bytes, 0, 1, 0);
    iprobe(13);
}

int main(void)
{
    if (mynode() == 0)
        be_first();
    else
        be_second();
    gsync();
    return 0;
}
