/* SPDX-License-Identifier: MIT */
/* A toolkit under a Fortran program: what is long here is INTEGER there. For nxcc -long32. */
#include <cube.h>
#include <stdio.h>
#include <time.h>

#define MAKETYPE(type, node) ((long)((type) | ((node) << 17)))

struct record {
    long kind, node;
    unsigned long size;
    double value;
};

static long times_sent;

long nodeid_()
{
    return mynode();
}

void snd_(type, buffer, length, node) long *type, *length, *node;
char *buffer;
{
    times_sent++;
    csend(MAKETYPE(*type, mynode()), buffer, *length, *node, 0);
}

void rcv_(type, buffer, length, received, node) long *type, *length, *received, *node;
char *buffer;
{
    crecv(MAKETYPE(*type, *node), buffer, *length);
    *received = infocount();
}

void report_(value) long *value;
{
    long found[3], now, below = -1, guard = 7;
    sscanf("3 4", "%ld %ld", &found[0], &found[1]);
    time(&now);
    printf("kit %ld %ld %ld %5ld %d %.3s %lu\n", *value, found[1], below, guard, (int)sizeof(struct record),
           ctime(&now), (unsigned long)times_sent);
}
