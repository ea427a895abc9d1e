/* SPDX-License-Identifier: MIT */
/* What hrecv and its kin promise, on three nodes. Node 0 is interrupted, node 1 sends. */
#include <errno.h>
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void to_oneself(void)
{
    if (mynode() != 0)
        return;
    hrecv(type_plain, buffer, bytes, note);
    letter[0] = 55;
    csend(type_plain, letter, bytes, 0, 0);
    wait_for_runs(1);
    CHECK(last_value == 55 && node_told == 0);
}

static void already_there(void)
{
    if (mynode() == 1) {
        letter[0] = 3;
        msgwait(isend(type_plain, letter, bytes, 0, 0));
    }
    if (mynode() != 0)
        return;
    cprobe(type_plain);
    hrecv(type_plain, buffer, bytes, note);
    CHECK(runs == 1 && last_value == 3);
}

static void masked(void)
{
    if (mynode() == 1)
        send_on_demand(1);
    if (mynode() != 0)
        return;
    hrecv(type_plain, buffer, bytes, note);
    CHECK(masktrap(1) == 0);
    long before = masktrap(1);
    CHECK(before == 1);
    demand();
    for (double until = dclock() + 0.05; dclock() < until;)
        ;
    CHECK(runs == 0);
    masktrap(before);
    CHECK(runs == 0);
    if (!nx_needs_shared()) /* where a sender's buffer is only lent, nothing comes until we take it */
        while (iprobe(-1))
            ;
    CHECK(masktrap(0) == 1);
    wait_for_runs(1);
    CHECK(runs == 1 && masktrap(0) == 0);
}

/* A handler may wait for another node's message. */
static void ask(long type, long count, long node, long pid)
{
    long info[8];
    note(type, count, node, pid);
    csend(type_go, extra, 4, 2, 0);
    crecvx(type_answer, extra, bytes, 2, -1, info);
    CHECK(info[0] == type_answer && info[1] == bytes && info[2] == 2 && extra[0] == 77);
}

static void blocking_inside(void)
{
    if (mynode() == 1) {
        letter[0] = 1;
        csend(type_plain, letter, bytes, 0, 0);
    }
    if (mynode() == 2) {
        crecv(type_go, letter, bytes);
        letter[0] = 77;
        csend(type_answer, letter, bytes, 0, 0);
    }
    if (mynode() != 0)
        return;
    errno = 4711;
    msginfo[1] = 12345;
    hrecv(type_plain, buffer, bytes, ask);
    while (!runs || inside)
        __asm__ volatile("" ::: "memory");
    CHECK(errno == 4711 && infocount() == 12345);
}

static void sending(void)
{
    if (mynode() == 1) {
        crecv(type_plain, letter, bytes);
        crecv(type_go, letter, bytes);
        CHECK(infonode() == 0);
        csend(type_answer, letter, bytes, 0, 0);
    }
    if (mynode() != 0)
        return;
    hsend(type_plain, letter, 8, 1, 0, note);
    wait_for_runs(1);
    CHECK(count_told == 8 && node_told == 1 && type_told == type_plain);
    hsendrecv(type_go, letter, 4, 1, 0, type_answer, buffer, bytes, note);
    wait_for_runs(2);
    CHECK(type_told == type_answer && count_told == bytes && node_told == 1);
}

static long value_told;

static void with_value(long type, long count, long node, long pid, long value)
{
    value_told = value;
    note(type, count, node, pid);
}

static void selected(void)
{
    if (mynode() == 1 || mynode() == 2) {
        letter[0] = (int)mynode();
        csend(type_plain, letter, bytes, 0, 0);
    }
    if (mynode() == 1)
        crecv(type_go, letter, bytes);
    if (mynode() != 0)
        return;
    hrecvx(-1, buffer, bytes, 2, -1, with_value, 31);
    wait_for_runs(1);
    CHECK(node_told == 2 && last_value == 2 && value_told == 31);
    crecv(type_plain, buffer, bytes);
    CHECK(infonode() == 1 && buffer[0] == 1);
    hsendx(type_go, letter, 4, 1, 0, with_value, 32);
    wait_for_runs(2);
    CHECK(value_told == 32);
}

static void allocate(long type, long count, long node, long pid)
{
    void *block = malloc(24 + (size_t)runs % 500);
    memset(block, 0x5a, 24);
    note_and_post(type, count, node, pid);
    double x = runs;
    x = x * 3.25 - 1;
    long double y = (long double)x / 3;
    CHECK(y < x);
    free(block);
}

__attribute__((noinline)) static double leaf(const double *numbers, int count)
{
    double here[8]; /* below the stack pointer */
    for (int i = 0; i < 8; i++)
        here[i] = 0;
    for (int i = 0; i < count; i++)
        here[i & 7] += numbers[i] * 1.5;
    return here[0] + here[1] + here[2] + here[3] + here[4] + here[5] + here[6] + here[7];
}

/* Interruptions everywhere: the computation, its stack, the heap and the output are as without. */
static void storm(void)
{
    enum { messages = 300 };
    if (mynode() == 1)
        for (int i = 0; i < messages; i++)
            csend(type_plain, letter, bytes, 0, 0);
    if (mynode() != 0)
        return;
    double numbers[64], expected = 0;
    for (int i = 0; i < 64; i++)
        expected += (numbers[i] = i) * 1.5;
    hrecv(type_plain, buffer, bytes, allocate);
    long double product = 1;
    for (int round = 0; runs < messages; round++) {
        char *text = malloc(32 + (size_t)round % 700), line[40];
        snprintf(line, sizeof line, "%d %g", round, expected);
        strcpy(text, line);
        CHECK(leaf(numbers, 64) == expected);
        product = product * 1.0000001L;
        CHECK(strcmp(text, line) == 0);
        free(text);
    }
    CHECK(nested == 0 && product >= 1);
    hrecv(type_plain, 0, 0, 0);
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
    {"messages to oneself run handlers", to_oneself},
    {"hrecv fires at once when its message is there", already_there},
    {"masktrap defers, nests by save and restore, and runs what is due", masked},
    {"a handler may wait in crecvx; info and errno of the program stay", blocking_inside},
    {"hsend and hsendrecv run their handlers when they are done", sending},
    {"hrecvx selects a sender, and hands its value on", selected},
    {"a storm of handlers disturbs neither computing nor the heap", storm},
};

int main(void)
{
    enum { count = sizeof tests / sizeof tests[0] };
    int failed = 0;
    if (nx_hands_over()) {
        CHECK(_hrecv(type_plain, &failures, 4, note) == -1 && errno == EQPARAM);
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
