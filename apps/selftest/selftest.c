/* SPDX-License-Identifier: MIT */
/* NX/2's promises, tested inside a booted machine on two or more nodes, under whatever design carries the
 * messages. Node 0 prints a line a test and at last "N passed, N failed"; the exit status is 1 when a test
 * failed anywhere. */
#include "selftest.h"

#include "../support/one_process.h"

#include <stdio.h>
#include <stdlib.h>

enum { most_kept = 4096 };

static struct {
    const char *sentence;
    long failures;
    void *blocks[most_kept];
    int block_count;
    long sends[most_kept];
    int send_count;
} running;

void check(int holds, const char *condition, const char *file, int line)
{
    if (holds)
        return;
    running.failures++;
    fprintf(stderr, "node %ld: %s: not so: %s (%s:%d)\n", mynode(), running.sentence, condition, file, line);
}

static void keep(void *block)
{
    if (block && running.block_count < most_kept)
        running.blocks[running.block_count++] = block;
}

void *fresh(long bytes)
{
    void *block = nx_alloc(bytes);
    if (!block) {
        nx_perror("selftest: nx_alloc");
        exit(1);
    }
    keep(block);
    return block;
}

int *counted(long words, int first)
{
    int *block = fresh(words * (long)sizeof(int));
    for (long i = 0; i < words; i++)
        block[i] = first + (int)i;
    return block;
}

int counts(const void *block, long words, int first)
{
    const int *word = block;
    for (long i = 0; i < words; i++)
        if (word[i] != first + (int)i)
            return 0;
    return 1;
}

void *take(long typesel, long maximum)
{
    void *block = 0;
    crecvp(typesel, &block, maximum);
    keep(block);
    return block;
}

void post(long type, long words, int first, long node)
{
    void *block = words ? counted(words, first) : 0;
    running.sends[running.send_count++] = isend(type, block, words * (long)sizeof(int), node, 0);
}

static void clean_up(void)
{
    while (running.send_count)
        msgwait(running.sends[--running.send_count]);
    gsync();
    while (running.block_count) {
        void *block = running.blocks[--running.block_count];
        for (int i = 0; i < running.block_count; i++)
            if (running.blocks[i] == block)
                running.blocks[i] = 0;
        nx_free(block);
    }
}

static int has(enum nx_capability capability)
{
    return (nx_capabilities() & capability) != 0;
}

static unsigned available(void)
{
    unsigned result = has(NX_BLOCKS_CHANGE_OWNER) ? need_handing_over : need_copies;
    if (!has(NX_SENDS_AWAIT_DELIVERY))
        result |= need_buffering;
    if (has(NX_BUFFERS_ARE_CHECKED))
        result |= need_protection;
    if (has(NX_BUFFERS_MUST_BE_SHARED))
        result |= need_shared;
    if (!has(NX_BLOCKS_CHANGE_OWNER) && (has(NX_SENDS_AWAIT_DELIVERY) || !has(NX_BUFFERS_ARE_LENT)))
        result |= need_own_buffers;
    if (!has(NX_SEVERAL_MACHINES))
        result |= need_one_machine;
    if (numnodes() >= 3)
        result |= need_three_nodes;
    return result;
}

/* 1 when the test failed on some node. */
static int run(const struct test *test)
{
    running.sentence = test->sentence;
    running.failures = 0;
    test->run();
    clean_up();
    long failures = running.failures, work;
    gisum(&failures, 1, &work);
    if (mynode() == 0)
        printf("%s %s\n", failures ? "FAILED" : "passed", test->sentence);
    return failures != 0;
}

int main(void)
{
    const struct test_list *lists[] = {&pair_tests,       &selection_tests,  &argument_tests,
                                       &request_tests,    &completion_tests, &refusal_tests,
                                       &collective_tests, &reduction_tests};
    int passed = 0, failed = 0, left_out = 0;
    if (numnodes() < 2) {
        fprintf(stderr, "selftest: needs at least 2 nodes\n");
        return 2;
    }
    for (unsigned list = 0; list < sizeof lists / sizeof lists[0]; list++)
        for (int i = 0; i < lists[list]->count; i++) {
            const struct test *test = &lists[list]->tests[i];
            if ((test->needs & available()) != test->needs) {
                left_out++;
                continue;
            }
            run(test) ? failed++ : passed++;
        }
    if (mynode() == 0)
        printf("%d left out, because this design does not promise them\n%d passed, %d failed\n", left_out,
               passed, failed);
    return failed != 0;
}
