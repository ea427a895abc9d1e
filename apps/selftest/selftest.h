/* SPDX-License-Identifier: MIT */
/* The selftest's frame: a test is a sentence and a function that every node runs; what it promises depends on
 * the design, so a test names what it needs. Between two tests all nodes meet, and all kept blocks are freed.
 * */
#ifndef PARLEY_SELFTEST_H
#define PARLEY_SELFTEST_H

#include <errno.h>
#include <nx.h>

enum need {
    need_nothing = 0,
    need_copies = 1,     /* crecv and irecv, so no pointer transfer */
    need_buffering = 2,  /* csend returns before the receiver takes the message */
    need_protection = 4, /* a wrong buffer is an error of the call */
    need_handing_over = 8,
    need_shared = 16, /* unshared buffers are refused */
    need_three_nodes = 32,
    need_own_buffers = 64, /* csend leaves the buffer to its sender: it neither gives nor lends it away */
    need_one_machine = 128 /* all nodes see each other's blocks */
};

struct test {
    const char *sentence;
    void (*run)(void);
    unsigned needs;
};

struct test_list {
    const struct test *tests;
    int count;
};

extern const struct test_list pair_tests, selection_tests, argument_tests, request_tests, completion_tests,
    refusal_tests, collective_tests, reduction_tests;

/* Notes a failure of the running test and says where. */
void check(int holds, const char *condition, const char *file, int line);
#define CHECK(condition) check(!!(condition), #condition, __FILE__, __LINE__)

/* A block that is freed after the test; `words` counted up from `first` in it. */
void *fresh(long bytes);
int *counted(long words, int first);
int counts(const void *block, long words, int first);

/* crecvp into a block that is freed after the test. */
void *take(long typesel, long maximum);

/* Sends a counted message that the sender does not wait for; it is waited for after the test. */
void post(long type, long words, int first, long node);

#endif
