/* SPDX-License-Identifier: MIT */
/* A ring of Active Messages. A request of two words goes from node 0 through every node back to node 0, each
 * node checks it and sends it on; then nodes 0 and 1 exchange a request and its reply, and beside it, in
 * turn, a csend and a crecv without bytes each way, where the design has these. Node 0 prints and reports the
 * medians of the batches. */
#include "../support/am_job.h"
#include "../support/one_process.h"
#include "../support/own_table.h"

#include <stdlib.h>
#include <string.h>

enum { handler_ring = 1, handler_ask = 2, handler_answer = 3, type_nx = 7, most_samples = 1000 };

static struct {
    long samples;
    long trips; /* of a batch */
    long polls; /* that a node which waits makes before it waits in a call */
} options = {15, 200, 1};

/* As AM_JOB_UNTIL, with so many polls before each wait. */
#define UNTIL(condition)                                                           \
    for (long polls = 1; am_must(AM_Poll(am_job.bundle)), !(condition); polls++) { \
        if (polls % options.polls == 0)                                            \
            am_must(AM_WaitSema(am_job.bundle));                                   \
    }

static struct {
    long laps; /* how many times the ring's message has been here */
    int word;
    long answers;
    long asked;
    long wrong;
} seen;

/* How many of each there have been when the batch is over. What a batch begins with may come before a node
 * has left the meeting before it. */
static long laps_due, answers_due, asked_due;

static void take_ring(void *token, int lap, int word)
{
    (void)token;
    seen.wrong += lap != (int)seen.laps;
    seen.word = word;
    seen.laps++;
}

static void take_question(void *token, int word)
{
    seen.asked++;
    am_must(AM_Reply1(token, handler_answer, word + 1));
}

static void take_answer(void *token, int word)
{
    (void)token;
    seen.wrong += word != (int)seen.answers + 1;
    seen.answers++;
}

static double nanoseconds(unsigned long cycles)
{
    return (double)cycles * 1e9 / nx_cycles_per_second();
}

/* A node's word is its predecessor's and its own number more. */
static void send_on(int lap, int word)
{
    const int next = (int)((mynode() + 1) % numnodes());
    am_must(AM_Request2(am_job.endpoint, next, handler_ring, lap, word + (int)mynode()));
}

static void ring_batch(void)
{
    const int whole = (int)(numnodes() * (numnodes() - 1) / 2);
    for (long lap = laps_due, end = laps_due += options.trips; lap < end; lap++) {
        if (mynode() == 0)
            send_on((int)lap, 0);
        UNTIL(seen.laps > lap);
        if (mynode() == 0)
            seen.wrong += seen.word != whole;
        else
            send_on((int)lap, seen.word);
    }
}

static void answer_batch(void)
{
    asked_due += options.trips;
    if (mynode() == 1)
        UNTIL(seen.asked >= asked_due);
    if (mynode() != 0)
        return;
    for (long i = answers_due, end = answers_due += options.trips; i < end; i++) {
        am_must(AM_Request1(am_job.endpoint, 1, handler_ask, (int)i));
        UNTIL(seen.answers > i);
    }
}

static void nx_batch(void)
{
    void *nothing = 0;
    for (long i = 0; i < options.trips && mynode() < 2; i++) {
        if (mynode() == 0)
            csend(type_nx, 0, 0, 1, 0);
        crecvp(type_nx, &nothing, 0);
        if (mynode() == 1)
            csend(type_nx, 0, 0, 0, 0);
    }
}

static double time_of(void (*batch)(void))
{
    am_job_meet();
    const unsigned long start = nx_cycles();
    batch();
    return nanoseconds(nx_cycles() - start) / (double)options.trips;
}

static int by_size(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void show(const char *name, double *samples)
{
    qsort(samples, (size_t)options.samples, sizeof *samples, by_size);
    nx_report(name, 0, "none", "ns", samples, options.samples);
    table_printf("%-24s %12.2f us %12.2f %12.2f\n", name, samples[options.samples / 2] / 1e3,
                 samples[options.samples / 4] / 1e3, samples[options.samples * 3 / 4] / 1e3);
}

static const char *parse(int count, char **words)
{
    for (int i = 1; i < count; i += 2) {
        char *end = 0;
        long *value = !strcmp(words[i], "--samples") ? &options.samples
                      : !strcmp(words[i], "--trips") ? &options.trips
                      : !strcmp(words[i], "--polls") ? &options.polls
                                                     : 0;
        if (!value || i + 1 == count)
            return "am_ring takes --samples N, --trips N and --polls N";
        *value = strtol(words[i + 1], &end, 10);
        if (*end || *value < 1 || options.samples > most_samples || options.trips > 1000000 ||
            options.polls > 1000000)
            return "--samples is 1 to 1000, --trips and --polls are 1 to 1000000";
    }
    return numnodes() < 2 ? "a ring needs at least 2 nodes" : 0;
}

int main(int count, char **words)
{
    static double ring[most_samples], answered[most_samples], by_nx[most_samples];
    const char *wrong = parse(count, words);
    if (wrong) {
        if (mynode() == 0)
            fprintf(stderr, "am_ring: %s\n", wrong);
        return 2;
    }
    const int has_nx = !(nx_capabilities() & NX_ACTIVE_MESSAGES_ONLY);
    am_job_begin();
    am_must(AM_SetHandler(am_job.endpoint, handler_ring, take_ring));
    am_must(AM_SetHandler(am_job.endpoint, handler_ask, take_question));
    am_must(AM_SetHandler(am_job.endpoint, handler_answer, take_answer));
    am_job_meet();
    for (int i = -1; i < options.samples; i++) { /* the first batches warm up */
        const int at = i < 0 ? 0 : i;
        ring[at] = time_of(ring_batch);
        answered[at] = time_of(answer_batch);
        if (has_nx)
            by_nx[at] = time_of(nx_batch);
    }
    am_job_meet();
    if (seen.wrong)
        fprintf(stderr, "am_ring: node %ld: %ld messages were wrong\n", mynode(), seen.wrong);
    long all_wrong = seen.wrong, work;
    gisum(&all_wrong, 1, &work);
    if (all_wrong)
        return 1;
    if (mynode() == 0) {
        printf("am_ring: %ld nodes, %s, all messages right\n", numnodes(), nx_design());
        show("round the ring", ring);
        show("request and reply", answered);
        if (has_nx)
            show("csend and crecv", by_nx);
    }
    return 0;
}
