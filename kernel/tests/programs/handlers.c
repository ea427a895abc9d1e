/* SPDX-License-Identifier: MIT */
/* What hrecv and its kin promise, on three nodes. Node 0 is interrupted, node 1 sends. */
#include <errno.h>
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { type_plain = 7, type_go = 8, type_answer = 9, words = 4, bytes = words * sizeof(int) };

static volatile int runs, last_value, inside, nested, type_told, count_told, node_told, pid_told;
static int *buffer, *extra, *letter;
static int failures;

#define CHECK(condition)   \
    ((condition) ? (void)0 \
                 : (void)(failures++, printf("node %ld, line %d: %s\n", mynode(), __LINE__, #condition)))

static void note(long type, long count, long node, long pid)
{
    nested += inside++;
    last_value = buffer[0];
    type_told = (int)type, count_told = (int)count, node_told = (int)node, pid_told = (int)pid;
    runs++;
    inside--;
}

static void note_and_post(long type, long count, long node, long pid)
{
    note(type, count, node, pid);
    hrecv(type_plain, buffer, bytes, note_and_post);
}

static void wait_for_runs(int wanted)
{
    while (runs < wanted) /* no call at all: only an interruption ends this */
        __asm__ volatile("" ::: "memory");
}

/* Node 1 sends when node 0 says so: everything before is done. */
static void send_on_demand(int messages)
{
    for (int i = 0; i < messages; i++) {
        crecv(type_go, letter, bytes);
        letter[0] = 100 + i;
        csend(type_plain, letter, bytes, 0, 0);
    }
}

static void demand(void)
{
    csend(type_go, extra, 4, 1, 0);
}

static void computing(void)
{
    if (mynode() == 1)
        send_on_demand(2);
    if (mynode() != 0)
        return;
    hrecv(type_plain, buffer, bytes, note);
    demand();
    wait_for_runs(1);
    CHECK(last_value == 100 && type_told == type_plain && count_told == bytes);
    CHECK(node_told == 1 && pid_told == 0);
    demand(); /* one shot: this one is for crecv */
    crecv(type_plain, buffer, bytes);
    CHECK(runs == 1 && buffer[0] == 101);
}

static void posting_again(void)
{
    if (mynode() == 1)
        send_on_demand(50);
    if (mynode() != 0)
        return;
    hrecv(type_plain, buffer, bytes, note_and_post);
    for (int i = 1; i <= 50; i++) {
        demand();
        wait_for_runs(i);
        CHECK(last_value == 99 + i);
    }
    hrecv(type_plain, 0, 0, 0);
}

static void cancelled(void)
{
    if (mynode() == 1)
        send_on_demand(1);
    if (mynode() != 0)
        return;
    hrecv(type_plain, buffer, bytes, note);
    hrecv(type_plain, 0, 0, 0);
    demand();
    crecv(type_plain, buffer, bytes);
    CHECK(runs == 0 && buffer[0] == 100);
}

/* The waits go on after the handler has run. */
static void waiting(void)
{
    if (mynode() == 1) {
        crecv(type_go, letter, bytes);
        for (int i = 0; i < 3; i++) {
            letter[0] = i;
            csend(type_plain, letter, bytes, 0, 0);
            crecv(type_go, letter, bytes); /* its handler has run */
            csend(type_answer, letter, 4 * (i + 1), 0, 0);
        }
    }
    if (mynode() != 0)
        return;
    hrecv(type_plain, buffer, bytes, note_and_post);
    demand();
    wait_for_runs(1);
    demand();
    crecv(type_answer, extra, bytes);
    CHECK(infocount() == 4 && infotype() == type_answer);
    wait_for_runs(2);
    demand();
    cprobe(type_answer);
    CHECK(infocount() == 8);
    crecv(type_answer, extra, bytes);
    wait_for_runs(3);
    long id = irecv(type_answer, extra, bytes);
    csend(type_go, letter, 4, 1, 0);
    msgwait(id);
    CHECK(infocount() == 12 && runs == 3);
    hrecv(type_plain, 0, 0, 0);
}

/* The handler runs although its process does nothing but wait, and the sender needs it to. */
static void reply(long type, long count, long node, long pid)
{
    note(type, count, node, pid);
    csend(type_answer, buffer, count, node, pid);
}

static void while_waiting(void)
{
    if (mynode() == 1) {
        for (int i = 0; i < 3; i++) {
            crecv(type_go, letter, bytes);
            letter[0] = 5;
            csend(type_plain, letter, bytes, 0, 0);
            crecv(type_answer, letter, bytes);
            csend(type_go, letter, 4, 0, 0); /* only now can node 0's wait end */
        }
        gsync();
        csend(type_plain, letter, bytes, 0, 0);
        crecv(type_answer, letter, bytes);
        gsync();
        return;
    }
    if (mynode() == 0) {
        hrecv(type_plain, buffer, bytes, reply);
        demand();
        crecv(type_go, extra, bytes);
        CHECK(runs == 1);
        hrecv(type_plain, buffer, bytes, reply);
        demand();
        cprobe(type_go);
        crecv(type_go, extra, bytes);
        CHECK(runs == 2);
        hrecv(type_plain, buffer, bytes, reply);
        demand();
        msgwait(irecv(type_go, extra, bytes));
        CHECK(runs == 3);
        hrecv(type_plain, buffer, bytes, reply);
    }
    gsync();
    gsync(); /* node 1 comes here when the handler has answered */
    CHECK(mynode() != 0 || runs == 4);
}

/* Node 1 sends the next message when a handler has answered the last. */
static void reply_and_post(long type, long count, long node, long pid)
{
    reply(type, count, node, pid);
    hrecv(type_plain, buffer, bytes, reply_and_post);
}

static void while_sleeping(void)
{
    enum { messages = 12 };
    int sleeps = 0;
    for (int i = 0; i < messages && mynode() == 1; i++) {
        csend(type_plain, letter, bytes, 0, 0);
        crecv(type_answer, letter, bytes);
    }
    if (mynode() != 0)
        return;
    hrecv(type_plain, buffer, bytes, reply_and_post);
    double start = dclock();
    for (; runs < messages; sleeps++)
        CHECK(usleep(300000) == 0);
    CHECK(sleeps < 4 && dclock() - start >= sleeps * 0.3);
    hrecv(type_plain, 0, 0, 0);
}

#include "handlers_cases.h"
#include "handlers_sends.h"

/* Where blocks change owner there are no receives for handlers, and sends all the same. */
static void sending_blocks(void)
{
    void *block = 0;
    buffer = nx_alloc(bytes);
    buffer[0] = 6;
    hsend(type_plain, nx_alloc(bytes), bytes, mynode(), 0, note);
    wait_for_runs(1);
    CHECK(count_told == bytes && node_told == mynode() && type_told == type_plain && last_value == 6);
    crecvp(type_plain, &block, bytes);
    CHECK(infocount() == bytes && _hsend(type_plain, 0, 0, mynode(), 0, 0) == -1 && errno == EQHND);
}

static const struct {
    const char *sentence;
    void (*run)(void);
} tests[] = {
    {"a handler runs while the program computes, and once", computing},
    {"a handler that posts itself runs for every message", posting_again},
    {"hrecv without a handler takes it back", cancelled},
    {"crecv, cprobe and msgwait find their own messages beside a handler's", waiting},
    {"handlers run while the program waits in crecv, cprobe, msgwait and gsync", while_waiting},
    {"handlers run while the program sleeps, and the sleep goes on", while_sleeping},
    {"messages to oneself run handlers", to_oneself},
    {"hrecv fires at once when its message is there", already_there},
    {"a handler that posts another inside itself ends before that one runs", one_at_a_time},
    {"masktrap defers, nests by save and restore, and runs what is due", masked},
    {"a handler may wait in crecvx; info and errno of the program stay", blocking_inside},
    {"hsend and hsendrecv run their handlers when they are done", sending},
    {"hsendrecv runs its handler when both halves are done", both_halves},
    {"hrecvx selects a sender, and hands its value on", selected},
    {"handlers run while the program waits in csend for its receivers", in_csend},
    {"handlers run while the program waits in csend for the job's budget", out_of_budget},
    {"a storm of handlers disturbs neither computing nor the heap", storm},
};

int main(void)
{
    enum { count = sizeof tests / sizeof tests[0] };
    int failed = 0;
    if (nx_hands_over()) {
        CHECK(_hrecv(type_plain, &failures, 4, note) == -1 && errno == EQPARAM);
        sending_blocks();
        printf("%d passed, %d failed\n", !failures, failures);
        return failures;
    }
    buffer = nx_alloc(bytes), extra = nx_alloc(bytes), letter = nx_alloc(bytes);
    memset(letter, 0, bytes);
    for (int i = 0; i < count; i++) {
        gsync();
        runs = nested = failures = 0;
        gsync();
        tests[i].run();
        long bad = failures, work;
        gisum(&bad, 1, &work);
        failed += bad != 0;
        if (mynode() == 0)
            printf("%s: %s\n", bad ? "FAILED" : "passed", tests[i].sentence);
    }
    if (mynode() == 0)
        printf("%d passed, %d failed\n", count - failed, failed);
    return failed != 0;
}
