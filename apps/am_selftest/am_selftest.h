/* SPDX-License-Identifier: MIT */
/* The frame of the Active Messages' selftest: a test is a sentence and a function that every node runs.
 * Between two tests all nodes meet, with their endpoints as they were in the beginning. */
#ifndef PARLEY_AM_SELFTEST_H
#define PARLEY_AM_SELFTEST_H

#include <am.h>
#include <nx.h>

struct test {
    const char *sentence;
    void (*run)(void);
};

struct test_list {
    const struct test *tests;
    int count;
};

extern const struct test_list message_tests, rule_tests, refusal_tests, job_tests;

/* Notes a failure of the running test and says where. */
void check(int holds, const char *condition, const char *file, int line);
#define CHECK(condition) check(!!(condition), #condition, __FILE__, __LINE__)

/* What the handlers of a test have seen. */
struct seen {
    long count;
    long sum;
    long returned; /* how many messages have come back, and of the last one: */
    int status;
    op_t opcode;
    struct am_returned what;
};
extern struct seen seen;

/* A handler that counts, and adds up its word; and handler 0, that notes what has come back. */
void count_short(void *token, int word);
void note_returned(int status, op_t opcode, void *what);
void forget(void);

#include "../support/am_job.h"

#endif
