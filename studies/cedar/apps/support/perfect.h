/* SPDX-License-Identifier: MIT */
/* A program with the loop structure of one of the Perfect Benchmarks (inputs.h) over Cedar's loops. It keeps
 * two vectors of points; every loop reads one and writes the other, section by section, with the program's
 * own kernel, so that who runs an iteration makes no difference to a single bit. The arguments:
 *
 *   --scale N       N times as many time steps (1)
 *   --length N      sections of N percent of their length (100)
 *   --clusters N    spread over N clusters (1)
 *   --flat          SDOALLs with CDOALLs in them as XDOALLs over the same sections
 *   --merged        neighbouring loops of one kind and grain as one over the sections of both, which then
 *                   read nothing of each other's: another sum, of the same work with fewer barriers
 *   --sequential    without the loop runtime, by plain loops in their order
 *   --messages      without it, over the nodes of the job, who compute shares and send each other points
 *
 * It prints the sum of all points, which is the same in every way to run it, and how long it took. */
#ifndef PARLEY_CEDAR_PERFECT_H
#define PARLEY_CEDAR_PERFECT_H

#include "studies/cedar/apps/support/inputs.h"
#include "studies/cedar/apps/support/shares.h"

#include <cedar.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Computes `length` points from those at the same place, of which it may read one more at either end. */
typedef void section_kernel(double *to, const double *from, long length);

enum { processors_of_a_cluster = 8, most_scale = 1000000 };

struct perfect {
    const struct program_input *input;
    section_kernel *kernel;
    long steps, percent, clusters;
    int sequential, flat, merged, messages;
    long points;       /* of each vector, beside one at either end */
    double *from, *to; /* their first points */
    struct owners from_owners, to_owners;
    long length, inner; /* of the loop that runs */
};
static struct perfect program;

static void run_section(long section, void *unused)
{
    const long at = section * program.length;
    program.kernel(program.to + at, program.from + at, program.length);
    (void)unused;
}

static void run_outer(long iteration, void *unused)
{
    const long first = iteration * program.inner, last = first + program.inner - 1;
    if (!program.sequential)
        cedar_cdoall(first, last, run_section, unused);
    else
        for (long section = first; section <= last; section++)
            run_section(section, unused);
}

static void each_in_order(long count, cedar_body *body)
{
    for (long i = 0; i < count; i++)
        body(i, NULL);
}

/* What was written is read next. */
static void exchange(void)
{
    double *const written = program.to;
    const struct owners owners = program.to_owners;
    program.to = program.from;
    program.from = written;
    program.to_owners = program.from_owners;
    program.from_owners = owners;
}

static void refuse_memory(long count)
{
    fprintf(stderr, "%s: there is no memory for %ld points.\n", program.input->name, count);
    exit(2);
}

/* By messages: what this node will read of what others have computed, for its share. */
static void get_points(const struct shares *shares)
{
    if (!pass_all(program.from, &program.from_owners, shares))
        refuse_memory(program.points);
}

/* By messages: this node's share of a loop. */
static void run_share(long sections, long nodes)
{
    const struct shares shares = {sections, program.length, nodes};
    get_points(&shares);
    if (mynode() < nodes)
        for (long at = first_section(&shares, mynode()); at < first_section(&shares, mynode() + 1); at++)
            run_section(at, NULL);
    take_over(&program.to_owners, &shares);
}

static long scaled(long length)
{
    const long percent = length * program.percent / 100;
    return percent > 1 ? percent : 1;
}

static void run_loop(const struct loop_input *loop)
{
    program.length = scaled(loop->length);
    program.inner = loop->inner;
    const long sections = loop->outer * loop->inner;
    if (program.messages)
        run_share(sections, numnodes());
    else if (loop->construct == sdoall && program.sequential)
        each_in_order(loop->outer, run_outer);
    else if (loop->construct == sdoall && !program.flat)
        cedar_sdoall(0, loop->outer - 1, run_outer, NULL);
    else if (program.sequential)
        each_in_order(sections, run_section);
    else
        cedar_xdoall(0, sections - 1, run_section, NULL);
    exchange();
}

static int go_together(const struct loop_input *one, const struct loop_input *other)
{
    return one->construct == other->construct && one->length == other->length &&
           (one->construct == xdoall || one->inner == other->inner);
}

/* The loop that begins with this one, which then is the first that is not in it. */
static struct loop_input next_loop(const struct loop_input **at)
{
    struct loop_input loop = *(*at)++;
    if (!program.merged)
        return loop;
    if (loop.construct == xdoall) {
        loop.outer *= loop.inner;
        loop.inner = 1;
    }
    for (; go_together(&loop, *at); ++*at)
        loop.outer += loop.construct == xdoall ? (*at)->outer * (*at)->inner : (*at)->outer;
    return loop;
}

/* A loop of the main cluster alone, over so many points. */
static void run_cluster_only(long points)
{
    program.length = points / processors_of_a_cluster;
    if (program.length == 0)
        return;
    if (program.messages)
        run_share(processors_of_a_cluster, numnodes());
    else if (program.sequential)
        each_in_order(processors_of_a_cluster, run_section);
    else
        cedar_cdoall(0, processors_of_a_cluster - 1, run_section, NULL);
    exchange();
}

static void run_serial(long points)
{
    if (program.messages) {
        program.length = points;
        run_share(1, 1);
    } else {
        program.kernel(program.to, program.from, points);
    }
    exchange();
}

static long points_of(const struct loop_input *loop)
{
    return loop->outer * loop->inner * scaled(loop->length);
}

static void run_program(void)
{
    const struct loop_input *const loops = program.input->loops;
    double spread = 0;
    for (const struct loop_input *loop = loops; loop->construct != no_loop; loop++)
        spread += (double)points_of(loop);
    const double only = program.input->cluster_only_percent / 100;
    const double serial = program.input->serial_percent / 100;
    const double all_loops = spread / (1 - only);
    for (long step = 0; step < program.steps; step++) {
        run_serial((long)(all_loops * serial / (1 - serial)));
        for (const struct loop_input *at = loops; at->construct != no_loop;) {
            const struct loop_input loop = next_loop(&at);
            run_loop(&loop);
        }
        run_cluster_only((long)(all_loops * only));
    }
}

static double *new_points(long count)
{
    double *const points = malloc((size_t)(count + 2) * sizeof *points);
    if (points == NULL)
        refuse_memory(count);
    for (long i = 0; i < count + 2; i++)
        points[i] = 1 + (double)(i % 17) / 16;
    return points + 1;
}

static void make_vectors(void)
{
    long loops = 2; /* beside those: the serial code and the loop of the main cluster */
    for (const struct loop_input *at = program.input->loops; at->construct != no_loop;) {
        const struct loop_input loop = next_loop(&at);
        if (points_of(&loop) > program.points)
            program.points = points_of(&loop);
        loops++;
    }
    program.from = new_points(program.points);
    program.to = new_points(program.points);
    if (program.messages && (!make_owners(&program.from_owners, program.points, loops) ||
                             !make_owners(&program.to_owners, program.points, loops)))
        refuse_memory(program.points);
}

static void refuse_arguments(const char *word, const char *wanted)
{
    fprintf(stderr, "%s: %s: %s is wanted.\n", program.input->name, word, wanted);
    exit(2);
}

static long number_after(int argc, char **argv, int at)
{
    char *end = NULL;
    const long number = at < argc ? strtol(argv[at], &end, 10) : 0;
    if (at == argc || *end != '\0' || number < 1 || number > most_scale)
        refuse_arguments(argv[at - 1], "a whole number from 1 to 1000000");
    return number;
}

static void read_arguments(int argc, char **argv)
{
    program.steps = 1, program.percent = 100, program.clusters = 1;
    for (int at = 1; at < argc; at++)
        if (strcmp(argv[at], "--sequential") == 0)
            program.sequential = 1;
        else if (strcmp(argv[at], "--flat") == 0)
            program.flat = 1;
        else if (strcmp(argv[at], "--merged") == 0)
            program.merged = 1;
        else if (strcmp(argv[at], "--messages") == 0)
            program.messages = 1;
        else if (strcmp(argv[at], "--scale") == 0)
            program.steps = number_after(argc, argv, ++at);
        else if (strcmp(argv[at], "--length") == 0)
            program.percent = number_after(argc, argv, ++at);
        else if (strcmp(argv[at], "--clusters") == 0)
            program.clusters = number_after(argc, argv, ++at);
        else
            refuse_arguments(
                argv[at],
                "--scale N, --length N, --clusters N, --flat, --merged, --sequential or --messages");
    if (program.messages && (program.sequential || program.flat || program.clusters != 1))
        refuse_arguments("--messages", "none of --sequential, --flat and --clusters");
}

static long now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000L + now.tv_nsec;
}

/* Node 0 has all points afterwards. */
static long time_by_messages(void)
{
    const struct shares all = {1, program.points, 1};
    gsync();
    const long began = now_ns();
    run_program();
    gsync();
    const long took = now_ns() - began;
    get_points(&all);
    return took;
}

static long time_here(void)
{
    if (!program.sequential)
        cedar_begin();
    const long began = now_ns();
    run_program();
    const long took = now_ns() - began;
    if (!program.sequential)
        cedar_end();
    return took;
}

static int run_perfect(const struct program_input *input, section_kernel *kernel, int argc, char **argv)
{
    program.input = input;
    program.kernel = kernel;
    read_arguments(argc, argv);
    if (!program.sequential && !program.messages)
        cedar_set_clusters((int)program.clusters);
    make_vectors();
    const long took = program.messages ? time_by_messages() : time_here();
    if (program.messages && mynode() != 0)
        return 0;
    double sum = 0;
    for (long i = 0; i < program.points; i++)
        sum += program.from[i];
    printf("%s: sum %.17g\n", input->name, sum);
    printf("%s: %ld ns\n", input->name, took);
    return 0;
}

#endif
