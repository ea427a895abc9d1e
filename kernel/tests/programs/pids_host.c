/* SPDX-License-Identifier: MIT */
/* A host program in C: two processes on each node, ends awaited one by one, places used again, refusals. */
#include "pids.h"

#include <cube.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

#define CHECK(condition) \
    ((condition) ? (void)0 : (void)(failures++, printf("host, line %d: %s\n", __LINE__, #condition)))

/* An int as K&R code passes it where a long is read: with garbage in the upper half. */
static long loose(long value)
{
    return (long)(0x5a5a5a5a00000000 | (unsigned)value);
}

static void tell(int order, long node, long pid)
{
    csend(type_order, &order, sizeof order, node, pid);
}

static void refusals(void)
{
    CHECK(_load("no such program", -1, 0) == -1 && errno == EQBADFIL);
    CHECK(_load("pids_node", numnodes(), 0) == -1 && errno == EQNODE);
    CHECK(_load("pids_node", 0, -3) == -1 && errno == EQPID);
    CHECK(_waitall(-1, -1) == 0);
    CHECK(_killcube(-1, -1) == 0);
    long node, pid, status;
    CHECK(_waitone(-1, -1, &node, &pid, &status) == -1 && errno == EQNOPROC);
    CHECK(_csend(1, &node, 4, myhost() + 1, 0) == -1 && errno == EQNODE);
    CHECK(_csend(1, &node, 4, 0, 9) == -1 && errno == EQPID);
    CHECK(mynode() == myhost() && myhost() == numnodes());
}

/* A pid that a program has is nobody else's, nor while messages still find it by that pid; and of a load that
 * was refused for it nothing stays. */
static void taken(void)
{
    for (int times = 0; times < 2; times++) {
        int order;
        tell(order_rename, 0, 0);
        crecv(type_answer, &order, sizeof order);
        CHECK(infopid() == (times == 0 ? other_pid : 0));
        CHECK(_load("pids_node", -1, other_pid) == -1 && errno == EQUSEPID);
    }
}

/* Every process answers with what it is. */
static void greet(long pid)
{
    int seen[64] = {0}, answer[3];
    tell(order_greet, -1, pid);
    for (int i = 0; i < numnodes(); i++) {
        crecv(type_answer, answer, sizeof answer);
        CHECK(infocount() == sizeof answer && infopid() == pid && answer[1] == pid);
        CHECK(answer[0] == infonode() && !seen[infonode()]++);
        CHECK(answer[2] == numnodes() * (numnodes() - 1) / 2); /* a gisum among those of the same pid */
    }
}

/* What the next program in a place finds of what its killed predecessor had not received. */
static int left_after(void (*kill)(long node, long pid))
{
    int value = 70;
    csend(type_left, &value, sizeof value, 0, 17);
    kill(0, 17);
    load("pids_node", 0, 17);
    tell(order_look, 0, 17);
    crecv(type_answer, &value, sizeof value);
    return value;
}

static void ends(void)
{
    int node[] = {-1, -1}, pid[] = {-1, -1}, status[] = {-1, -1}; /* where nx.h says long */
    tell(order_end, 0, 17);
    waitone(loose(0), loose(17), node, pid, status);
    CHECK(node[0] == 0 && pid[0] == 17 && status[0] == 0);
    CHECK(node[1] == -1 && pid[1] == -1 && status[1] == -1);
    load("pids_node", 0, 17); /* its place is free again */
    tell(order_flood, -1, 17);
    waitall(loose(-1), loose(17));
    static char bytes[flood_bytes];
    for (int i = 0; i < numnodes(); i++) { /* the last message of each first: all must be here */
        CHECK(iprobe(type_answer));
        crecv(type_answer, bytes, 0);
    }
    for (int i = 0; i < flood_messages * numnodes(); i++) {
        CHECK(iprobe(-1));
        crecv(type_flood, bytes, flood_bytes);
    }
    CHECK(!iprobe(-1));
    CHECK(_csend(type_order, &node, 4, 0, 17) == 0); /* nobody is there any more, and nobody hears */
}

static int question, answers;

static void answer(long type, long count, long node, long pid)
{
    CHECK(type == type_ask && count == sizeof question && pid == 17);
    hrecv(type_ask, &question, sizeof question, answer);
    csend(type_reply, &question, sizeof question, node, pid);
    answers++;
}

/* The nodes end only when handlers have run in waitall. */
static void handlers_while_waiting(void)
{
    hrecv(type_ask, &question, sizeof question, answer);
    load("pids_node", -1, 17);
    tell(order_ask, -1, 17);
    waitall(-1, 17);
    CHECK(answers == numnodes());
    hrecv(type_ask, 0, 0, 0);
}

/* An end must have been waited for before the place is free. */
static void not_waited_for(void)
{
    tell(order_end, 1, 0);
    CHECK(_load("pids_node", 1, 0) == -1 && errno == EQUSEPID);
    waitall(1, 0);
    load("pids_node", 1, 0);
}

int main(void)
{
    getcube("cube", "d1", NULL, 0);
    setpid(loose(host_pid));
    CHECK(mypid() == host_pid);
    refusals();
    load("pids_node", -1, 0);
    CHECK(_load("pids_node", 0, 0) == -1 && errno == EQUSEPID);
    taken();
    load("/usr/somebody/bin/pids_node", -1, 17); /* a pid of the program's own choice */
    CHECK(_load("pids_node", 0, 18) == -1 && errno == EQPID);
    greet(0);
    greet(17);
    CHECK(left_after(killproc) == 70);
    CHECK(left_after(killcube) == 0);
    ends();
    handlers_while_waiting();
    not_waited_for();
    killproc(loose(0), loose(0));
    load("pids_node", loose(0), loose(0));
    killcube(loose(-1), loose(-1));
    relcube("cube");
    printf(failures ? "host: %d failures\n" : "host: all is well\n", failures);
    return failures != 0;
}
