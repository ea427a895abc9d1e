/* SPDX-License-Identifier: MIT */
/* The stress test of Lumetta's thesis (section 5.3.2): several nodes send requests to node 0 as fast as they
 * can, so many altogether, and each has its reply. First one node does, then two, up to all others. A number
 * is the time that node 0 takes for all of them, by message: the mean of samples, with half of its interval
 * of confidence. Who sent what is checked by counts and sums, for not every port keeps a sender's order. */
#include "apps/support/am_job.h"
#include "apps/support/one_process.h"
#include "studies/clumps/apps/support/figures.h"
#include "studies/clumps/apps/support/numbers.h"

#include <unistd.h>

enum {
    handler_take = 1,
    handler_answer,
    handler_wake,
    most_samples = 1000,
    most_nodes = 1024,
    most_unanswered = 256
};

static long samples = 5, messages = 10000, writers, unanswered = most_unanswered, warm;
static const struct number numbers[] = {
    {"--samples", &samples, 1, most_samples, "of each number of writers"},
    {"--messages", &messages, 1, 10000000, "of all writers together, in a sample"},
    {"--writers", &writers, 0, most_nodes - 1, "0: one, two, up to all nodes but one"},
    {"--unanswered", &unanswered, 1, most_unanswered,
     "requests of a writer that may be without their replies"},
    {"--warm", &warm, 0, 1000000, "requests of each writer before anything is measured"},
};

static struct {
    long taken, answered, wrong, woken;
    long count[most_nodes], sum[most_nodes];
} seen;

static void take(void *token, int node, int word)
{
    seen.taken++;
    seen.count[node]++;
    seen.sum[node] += word;
    am_must(AM_Reply1(token, handler_answer, word));
}

static void take_answer(void *token, int word)
{
    (void)token;
    (void)word;
    seen.answered++;
}

static void take_wake(void *token)
{
    (void)token;
    seen.woken++;
}

/* Writers are nodes 1 and up, the first ones with one message more where it does not come out even. */
static long share_of(long node, long many, long all)
{
    return node == 0 || node > many ? 0 : all / many + (node <= all % many);
}

static void check(long many, long all)
{
    for (long node = 1; node < numnodes(); node++) {
        const long share = share_of(node, many, all);
        seen.wrong += seen.count[node] != share || seen.sum[node] != share * (share - 1) / 2;
        seen.count[node] = seen.sum[node] = 0;
    }
    seen.taken = 0;
}

/* A node that does not take part leaves its processor, and memory, alone until node 0 wakes it. */
static void rest(void)
{
    static long rests;
    enum { microseconds = 1000 };
    for (rests++; seen.woken < rests; am_must(AM_Poll(am_job.bundle)))
        usleep(microseconds);
}

static void wake_others(long many)
{
    for (long node = many + 1; node < numnodes(); node++)
        am_must(AM_Request0(am_job.endpoint, (int)node, handler_wake));
}

/* Nodes that share a processor get nowhere by polling. */
static void wait_or_poll(void)
{
    if (numnodes() > nx_processors())
        am_must(AM_WaitSema(am_job.bundle));
    am_must(AM_Poll(am_job.bundle));
}

/* Node 0's time for so many messages, in us each. */
static double sample(long many, long all)
{
    const long share = share_of(mynode(), many, all);
    seen.answered = 0;
    am_job_meet();
    if (mynode() > many)
        rest();
    const unsigned long since = nx_cycles();
    for (long i = 0; i < share; i++)
        am_must(AM_Request2(am_job.endpoint, 0, handler_take, (int)mynode(), (int)i));
    while (mynode() == 0 ? seen.taken < all : seen.answered < share)
        wait_or_poll();
    const unsigned long took = nx_cycles() - since;
    if (mynode() == 0) {
        check(many, all);
        wake_others(many);
    }
    seen.wrong += seen.answered != share;
    return (double)took * 1e6 / nx_cycles_per_second() / (double)all;
}

static void measure(long many)
{
    static double each[most_samples];
    (void)sample(many, messages); /* finds everything cold */
    for (long i = 0; i < samples; i++)
        each[i] = sample(many, messages);
    if (mynode() != 0)
        return;
    char name[40];
    snprintf(name, sizeof name, "%ld writer%s", many, many == 1 ? "" : "s");
    figure_tell("many_to_one", name, 0, "us", each, samples);
}

int main(int argc, char **argv)
{
    read_numbers("many_to_one", numbers, sizeof numbers / sizeof *numbers, argc, argv);
    if (numnodes() < 2 || numnodes() > most_nodes || writers >= numnodes()) {
        if (mynode() == 0)
            fprintf(stderr,
                    "many_to_one: one node takes what the others send, so it wants 2 to %d nodes, and more "
                    "of them than writers.\n",
                    most_nodes);
        return 2;
    }
    am_job_begin();
    am_must(AM_SetHandler(am_job.endpoint, handler_take, take));
    am_must(AM_SetHandler(am_job.endpoint, handler_answer, take_answer));
    am_must(AM_SetHandler(am_job.endpoint, handler_wake, take_wake));
    am_must(AM_SetExpectedResources(am_job.endpoint, (int)numnodes(), (int)unanswered));
    const long first = writers ? writers : 1, last = writers ? writers : numnodes() - 1;
    if (warm) /* each place of the queues has been used, and lies where messages leave it */
        (void)sample(last, last * warm);
    for (long many = first; many <= last; many++)
        measure(many);
    am_job_meet();
    if (seen.wrong)
        fprintf(stderr, "many_to_one: node %ld: %ld counts were wrong\n", mynode(), seen.wrong);
    long wrong = seen.wrong, work;
    gisum(&wrong, 1, &work);
    if (mynode() == 0 && !wrong)
        printf("many_to_one: %s, all messages right\n", nx_design());
    return wrong != 0;
}
