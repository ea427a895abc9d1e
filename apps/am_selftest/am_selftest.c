/* SPDX-License-Identifier: MIT */
/* What Active Messages promise, tested inside a job of two or more nodes, under whatever design carries them.
 * Node 0 prints a line a test and at last "N passed, N failed"; the exit status is 1 when a test failed
 * anywhere. What calls say on standard error of wrong arguments is part of these tests. */
#include "am_selftest.h"

#include "../support/one_process.h"

static struct {
    const char *sentence;
    long failures;
} running;

void check(int holds, const char *condition, const char *file, int line)
{
    if (holds)
        return;
    running.failures++;
    fprintf(stderr, "node %ld: %s: not so: %s (%s:%d)\n", mynode(), running.sentence, condition, file, line);
}

struct seen seen;

void count_short(void *token, int word)
{
    (void)token;
    seen.count++;
    seen.sum += word;
}

void note_returned(int status, op_t opcode, void *what)
{
    seen.returned++;
    seen.status = status;
    seen.opcode = opcode;
    seen.what = *(const struct am_returned *)what;
}

void forget(void)
{
    seen = (struct seen){.count = 0};
}

/* 1 when the test failed on some node. */
static int run(const struct test *test)
{
    running.sentence = test->sentence;
    running.failures = 0;
    forget();
    am_job_meet();
    test->run();
    am_job_meet();
    for (int handler = 1; handler < am_job_handler_come; handler++)
        am_must(AM_SetHandler(am_job.endpoint, handler, 0));
    am_must(AM_SetHandler(am_job.endpoint, 0, note_returned));
    am_must(AM_SetSeg(am_job.endpoint, 0, 0));
    am_must(AM_SetTag(am_job.endpoint, am_job_tag));
    am_must(AM_SetExpectedResources(am_job.endpoint, (int)numnodes(), 16));
    long failures = running.failures, work;
    gisum(&failures, 1, &work);
    if (mynode() == 0)
        printf("%s %s\n", failures ? "FAILED" : "passed", test->sentence);
    return failures != 0;
}

int main(void)
{
    const struct test_list *lists[] = {&message_tests, &rule_tests, &refusal_tests, &job_tests};
    int passed = 0, failed = 0;
    if (numnodes() < 2) {
        fprintf(stderr, "am_selftest: needs at least 2 nodes\n");
        return 2;
    }
    am_job_begin();
    am_must(AM_SetHandler(am_job.endpoint, 0, note_returned));
    for (unsigned list = 0; list < sizeof lists / sizeof lists[0]; list++)
        for (int i = 0; i < lists[list]->count; i++)
            run(&lists[list]->tests[i]) ? failed++ : passed++;
    if (mynode() == 0)
        printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
