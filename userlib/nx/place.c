/* SPDX-License-Identifier: MIT */
/* Who am I, how many are we, and which message was the last. */
#include "userlib/nx/operations.h"

#include <nx.h>

/* A plain call and its underscore twin that differ in the name only, because nothing can go wrong. */
#define NX_PLAIN(name, expression) \
    long name(void)                \
    {                              \
        return (expression);       \
    }                              \
    long _##name(void)             \
    {                              \
        return (expression);       \
    }

static long dimension(long nodes)
{
    long result = 0;
    while (nodes >> (result + 1))
        result++;
    return result;
}

NX_PLAIN(mynode, nx_process.node)
NX_PLAIN(myphysnode, nx_process.node) /* the machine is as large as the cube */
NX_PLAIN(numnodes, nx_process.nodes)
NX_PLAIN(mypid, nx_process.pid)
NX_PLAIN(myptype, nx_process.pid)
NX_PLAIN(myhost, nx_process.nodes)
NX_PLAIN(nodedim, dimension(nx_process.nodes))
NX_PLAIN(infotype, msginfo[0])
NX_PLAIN(infocount, msginfo[1])
NX_PLAIN(infonode, msginfo[2])
NX_PLAIN(infopid, msginfo[3])
NX_PLAIN(infoptype, msginfo[3])
