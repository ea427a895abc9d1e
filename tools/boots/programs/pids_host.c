/* SPDX-License-Identifier: MIT */
/* A host program in C: two processes on each node, ends awaited one by one, places used again, refusals. */
#include <cube.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

#define CHECK(condition) \
    ((condition) ? (void)0 : (void)(failures++, printf("host, line %d: %s\n", __LINE__, #condition)))

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

/* Every process answers with what it is. */
static void greet(long pid)
{
    int seen[64] = {0}, order = (int)pid, answer[3];
    csend(1, &order, sizeof order, -1, pid);
    for (int i = 0; i < numnodes(); i++) {
        crecv(2, answer, sizeof answer);
        CHECK(infocount() == sizeof answer && infopid() == pid && answer[1] == pid);
        CHECK(answer[0] == infonode() && !seen[infonode()]++);
        CHECK(answer[2] == numnodes() * (numnodes() - 1) / 2); /* a gisum among those of the same pid */
    }
}

int main(void)
{
    getcube("cube", "d1", NULL, 0);
    setpid(100);
    CHECK(mypid() == 100);
    refusals();
    load("pids_node", -1, 0);
    CHECK(_load("pids_node", 0, 0) == -1 && errno == EQUSEPID);
    load("/usr/somebody/bin/pids_node", -1, 17); /* a pid of the program's own choice */
    CHECK(_load("pids_node", 0, 18) == -1 && errno == EQPID);
    greet(0);
    greet(17);
    int end = -1;
    csend(1, &end, sizeof end, 0, 17);
    long node = -1, pid = -1, status = -1;
    waitone(0, 17, &node, &pid, &status);
    CHECK(node == 0 && pid == 17 && status == 0);
    load("pids_node", 0, 17); /* its place is free again */
    csend(1, &end, sizeof end, -1, 17);
    waitall(-1, 17);
    CHECK(!iprobe(-1));
    killproc(0, 0);
    load("pids_node", 0, 0);
    killcube(-1, -1);
    relcube("cube");
    printf(failures ? "host: %d failures\n" : "host: all is well\n", failures);
    return failures != 0;
}
