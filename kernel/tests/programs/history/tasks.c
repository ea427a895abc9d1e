/* SPDX-License-Identifier: MIT */
/* Dynamic load balancing with a counter that lives in a handler: the last node answers requests for the next
 * value while it works itself. The tasks are pieces of an integral of very different costs, done by adaptive
 * bisection; the integral of 1/(1+x^2) over (0,1) is a quarter of pi. Written as for the first compilers. */
#include <cube.h>
#include <math.h>
#include <stdio.h>

#define TYPE_NEXT 32768
#define TYPE_REPLY 32769
#define TYPE_RESULT 40000
#define LOOPS 3
#define TASKS 60

extern char *malloc();

static long request[2];
static long counter, waiting;
static int *waiters;
int me, procs, server;

static void serve();

fail(text, code) char *text;
{
    fprintf(stderr, "%d: %s (%d)\n", mynode(), text, code);
    fflush(stderr);
    killcube(-1L, -1L);
}

/* The next value of the counter; when there is no more work (procs < 0) waits until everybody has said so. */
long next_value(how)
long how;
{
    long message[2], reply, id;
    message[0] = how;
    message[1] = 1;
    id = irecv(TYPE_REPLY, (char *)&reply, sizeof reply);
    csend(TYPE_NEXT, (char *)message, sizeof message, server, 0);
    msgwait(id);
    if (infocount() != sizeof reply)
        fail("a reply has another length", infocount());
    return reply;
}

static void serve(type, length, node, pid) long type, length, node, pid;
{
    long old = masktrap(1), zero = 0;
    if (type != TYPE_NEXT || length != sizeof request)
        fail("a request has another length", length);
    if (request[0] > 0) {
        csend(TYPE_REPLY, (char *)&counter, sizeof counter, node, pid);
        counter += request[1];
    } else {
        waiters[waiting++] = node;
        if (waiting == -request[0]) {
            while (waiting > 0)
                csend(TYPE_REPLY, (char *)&zero, sizeof zero, waiters[--waiting], 0);
            counter = 0;
        }
    }
    hrecv(TYPE_NEXT, (char *)request, sizeof request, serve);
    masktrap(old);
}

double f(x)
double x;
{
    return 1.0 / (1.0 + x * x);
}

/* Simpson's rule, halved until both halves agree with the whole. */
double bisect(a, b, fa, fm, fb, whole, depth)
double a, b, fa, fm, fb, whole;
{
    double m = 0.5 * (a + b), fl = f(0.5 * (a + m)), fr = f(0.5 * (m + b));
    double left = (m - a) / 6.0 * (fa + 4.0 * fl + fm), right = (b - m) / 6.0 * (fm + 4.0 * fr + fb);
    if (depth == 0)
        return left + right;
    return bisect(a, m, fa, fl, fm, left, depth - 1) + bisect(m, b, fm, fr, fb, right, depth - 1);
}

double piece(task)
{
    double a = (double)task / TASKS, b = (double)(task + 1) / TASKS, m = 0.5 * (a + b);
    double whole = (b - a) / 6.0 * (f(a) + 4.0 * f(m) + f(b));
    return bisect(a, b, f(a), f(m), f(b), whole, 3 + task % 6);
}

/* Everybody's share goes to node 0, which takes them as they come. */
collect(sum, done, loop) double sum;
int done, loop;
{
    struct share {
        double sum;
        int done, node;
    } mine, his;
    int i, all = done;
    if (me != 0) {
        mine.sum = sum;
        mine.done = done;
        mine.node = me;
        csend(TYPE_RESULT + loop, (char *)&mine, sizeof mine, 0, mypid());
        return;
    }
    for (i = 1; i < procs; i++) {
        cprobe((long)(TYPE_RESULT + loop));
        if (infocount() > sizeof his)
            fail("a share is too long", infocount());
        crecv((long)(TYPE_RESULT + loop), (char *)&his, sizeof his);
        if (his.node != infonode())
            fail("a share comes from elsewhere", his.node);
        sum += his.sum;
        all += his.done;
    }
    if (all != TASKS || fabs(4.0 * sum - M_PI) > 1e-12)
        fail("wrong result", all);
    printf("loop %d: %d tasks, pi is %.12f\n", loop, all, 4.0 * sum);
}

main(argc, argv) char *argv[];
{
    int loop, done;
    long task;
    double sum;
    me = mynode();
    procs = numnodes();
    server = procs - 1;
    waiters = (int *)malloc(procs * sizeof(int));
    if (me == server)
        hrecv(TYPE_NEXT, (char *)request, sizeof request, serve);
    masktrap(0);
    gsync();
    for (loop = 0; loop < LOOPS; loop++) {
        for (sum = 0.0, done = 0; (task = next_value((long)procs)) < TASKS; done++)
            sum += piece((int)task);
        next_value((long)-procs);
        collect(sum, done, loop);
    }
    gsync();
    if (me == server)
        hrecv(TYPE_NEXT, 0L, 0L, 0);
    if (me == 0)
        printf("tasks: all loops agree on %d nodes\n", procs);
    exit(0);
}
