/* SPDX-License-Identifier: MIT */
/* Every node makes a mistake of its own, in a plain call, which ends its program. */
#include <nx.h>
#include <stdio.h>
#include <unistd.h>

static long buffer[4];

static void no_handler(long type, long count, long node, long pid)
{
    (void)type, (void)count, (void)node, (void)pid;
}

static void csend_node(void)
{
    csend(1, buffer, 4, numnodes() + 2, 0);
}
static void csend_pid(void)
{
    csend(1, buffer, 4, 0, 7);
}
static void csend_type(void)
{
    csend(1000000000, buffer, 4, 0, 0);
}
static void csend_length(void)
{
    csend(1, buffer, -4, 0, 0);
}
static void csend_buffer(void)
{
    csend(1, (void *)0x123456789000, 4, 0, 0);
}
static void crecv_length(void)
{
    crecv(1, buffer, -1);
}
static void isend_all(void)
{
    isend(1, buffer, -8, -1, 0);
}
static void msgwait_id(void)
{
    msgwait(123456789);
}
static void msgcancel_id(void)
{
    msgcancel(-3);
}
static void hsend_handler(void)
{
    hsend(1, buffer, 4, 0, 0, 0);
}
static void hrecv_length(void)
{
    hrecv(-1, buffer, -4, no_handler);
}
static void setpid_pid(void)
{
    setpid(-1);
}
static void load_by_a_node(void)
{
    load("nobody", 0, 0);
}
static void gdsum_length(void)
{
    gdsum((double *)buffer, -2, (double *)buffer);
}
static void cread_file(void)
{
    cread(55, buffer, 8);
}

static void crecv_short(void)
{
    csend(5, buffer, 32, mynode(), 0);
    crecv(5, buffer, 8);
}

static void crecv_mask(void)
{
    csend(1, buffer, 32, mynode(), 0);
    crecv((int)0x80000007, buffer, 8);
}

static void csendrecv_short(void)
{
    csendrecv(7, buffer, 32, mynode(), 0, 7, buffer, 8);
}

static void csendrecv_length(void)
{
    csendrecv(7, buffer, -32, 0, 0, 7, buffer, 8);
}

static void gsendx_node(void)
{
    gsendx(8, buffer, 8, (long[]){-5}, 1);
}

static void hrecv_short(void)
{
    hrecv(6, buffer, 8, no_handler);
    csend(6, buffer, 32, mynode(), 0);
    for (;;)
        flick();
}

static void says_itself(void)
{
    if (_isend(1, buffer, 4, -5, 0) < 0)
        nx_perror("while sending");
    _exit(1);
}

static void too_many_ids(void)
{
    for (;;)
        irecv(1, buffer, 8);
}

static void (*const mistakes[])(void) = {
    csend_node,     csend_pid,    csend_type,      csend_length,     csend_buffer, crecv_length,
    isend_all,      msgwait_id,   msgcancel_id,    hsend_handler,    hrecv_length, setpid_pid,
    load_by_a_node, gdsum_length, cread_file,      crecv_short,      crecv_mask,   too_many_ids,
    says_itself,    hrecv_short,  csendrecv_short, csendrecv_length, gsendx_node,
};

int main(void)
{
    if (mynode() < (long)(sizeof mistakes / sizeof mistakes[0]))
        mistakes[mynode()]();
    printf("node %ld lives on\n", mynode());
    return 0;
}
