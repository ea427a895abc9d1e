/* SPDX-License-Identifier: MIT */
/* The ring benchmark: a message goes from node 0 through every node back to node 0, and node 0 measures how
 * long that takes, for a range of message sizes. Node 0 leads: before every measurement it sends the plan
 * around, so that it can fit the number of trips to the speed of the design. Trips with checked contents lie
 * between the timed ones. */
#include "../support/one_process.h"
#include "../support/own_table.h"
#include "options.h"
#include "trip.h"
#include "yardsticks.h"

#include <nx.h>
#include <stdio.h>
#include <stdlib.h>

enum { yardstick_samples = 15 }; /* at most */

/* What all nodes do next; without samples the run is over. */
struct plan {
    long bytes;
    long samples;
    long trips;
    struct ping_pong_cells *cells; /* not null: bounce so many of these lines between the nodes 0 and 1 */
    enum ping_pong_lines lines;
};

static const double batch_ns = 2e6;

static unsigned seed_of(const struct plan *plan, long sample)
{
    return (unsigned)(plan->bytes * 31 + sample * 7919 + 1);
}

/* The time a trip took, in nanoseconds, in every batch of the plan. */
static void run_batches(struct trip *trip, const struct plan *plan, double *samples)
{
    for (long sample = 0; sample < plan->samples; sample++) {
        unsigned seed = seed_of(plan, sample);
        trip_checked(trip, seed);
        unsigned long start = nx_cycles();
        for (long i = 0; i < plan->trips; i++)
            trip_timed(trip, seed);
        samples[sample] = nanoseconds(nx_cycles() - start) / (double)plan->trips;
    }
    trip_checked(trip, seed_of(plan, plan->samples));
}

static void lead_batches(struct trip *trip, struct plan *plan, double *samples)
{
    around(plan, sizeof *plan);
    run_batches(trip, plan, samples);
}

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void show(long bytes, double *samples, long count)
{
    qsort(samples, (size_t)count, sizeof *samples, by_size);
    table_printf("%8ld %12.2f %12.2f %12.2f %12.2f\n", bytes, samples[count / 2] / 1e3,
                 samples[count / 4] / 1e3, samples[count * 3 / 4] / 1e3, samples[0] / 1e3);
}

static void lead_size(struct trip *trip, const struct ring_options *options, long bytes, double *samples)
{
    struct plan plan = {.bytes = bytes, .samples = 1, .trips = options->warm_up};
    trip_resize(trip, bytes);
    lead_batches(trip, &plan, samples);
    double fitting = batch_ns / (samples[0] + 1);
    plan.trips = fitting<1 ? 1 : fitting>(double) options->trips ? options->trips : (long)fitting;
    plan.samples = options->samples;
    lead_batches(trip, &plan, samples);
    nx_report("round trip", bytes, ring_access_name(options->access), "ns", samples, options->samples);
    show(bytes, samples, options->samples);
}

static void lead_ping_pong(enum ping_pong_lines lines, int count)
{
    struct plan plan = {.cells = nx_alloc_aligned(sizeof *plan.cells, _Alignof(struct ping_pong_cells)),
                        .lines = lines};
    if (!plan.cells) {
        nx_perror("ring: nx_alloc");
        exit(1);
    }
    plan.cells->there = plan.cells->back = 0;
    around(&plan, sizeof plan);
    ping_pong_measure(plan.cells, lines, count);
    gsync(); /* the other side has seen the last value: the lines may serve somebody else */
    nx_free(plan.cells);
}

/* Nodes of several machines have no lines in common that could bounce. */
static void lead_yardsticks(int count)
{
    if ((nx_capabilities() & NX_SEVERAL_MACHINES) == 0) {
        lead_ping_pong(one_line, count);
        lead_ping_pong(two_lines, count);
    }
    null_call_measure(count);
}

static void lead(struct trip *trip, const struct ring_options *options)
{
    double *samples = malloc((size_t)options->samples * sizeof *samples);
    if (!samples) {
        fprintf(stderr, "ring: no memory for %ld samples\n", options->samples);
        exit(1);
    }
    printf("ring: %ld nodes, access %s, %s\n", numnodes(), ring_access_name(options->access), nx_design());
    lead_yardsticks(options->samples < yardstick_samples ? (int)options->samples : yardstick_samples);
    table_printf("%8s %12s %12s %12s %12s\n", "bytes", "median us", "lower us", "upper us", "least us");
    for (long i = 0; i < options->size_count; i++)
        lead_size(trip, options, options->sizes[i], samples);
    struct plan end = {.samples = 0};
    around(&end, sizeof end);
    free(samples);
}

static void follow(struct trip *trip)
{
    struct plan plan;
    for (around(&plan, sizeof plan); plan.samples || plan.cells; around(&plan, sizeof plan)) {
        if (plan.cells) {
            if (mynode() == 1)
                ping_pong_serve(plan.cells, plan.lines);
            gsync();
            continue;
        }
        double ignored[plan.samples];
        if (plan.bytes != trip->bytes)
            trip_resize(trip, plan.bytes);
        run_batches(trip, &plan, ignored);
    }
}

int main(int count, char **arguments)
{
    struct ring_options options;
    const char *wrong = ring_parse(&options, count, arguments);
    if (!wrong && !options.help && numnodes() < 2)
        wrong = "a ring needs at least 2 nodes";
    if (wrong || options.help) {
        if (mynode() == 0)
            wrong ? fprintf(stderr, "ring: %s\n", wrong) : printf("%s", ring_help);
        return wrong ? 2 : 0;
    }
    struct trip trip = trip_of(options.access);
    mynode() == 0 ? lead(&trip, &options) : follow(&trip);
    nx_free(trip.buffer);
    return 0;
}
