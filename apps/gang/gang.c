/* SPDX-License-Identifier: MIT */
/* Gang scheduling, measured as in section 5.3 of the paper: create a gang and add members, schedule it and
 * collect processors, and how long ready members take to run; then collection under a load that floods all
 * processors, beside what the paper expects. It runs timeshared, so that its own processor is free for the
 * gangs: make run APP=gang NODES=1 PROCESSORS=16 */
#include "../support/one_process.h"

#include <math.h>
#include <nx.h>
#include <nx_errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_members = 16, most_samples = 2000, warm_up = 2 };

static long samples = 10;
static long load_kind; /* NX_LOAD_AT_RANDOM, or 0: whole slices */
static long only;      /* gangs of so many members alone, on a flooded machine; 0: all that there are */
static struct nx_gang_times times[most_samples];

static const double time_slice_ns = 10e6;

struct column {
    const char *name;
    size_t offset;
};

static const struct column columns[] = {
    {"create and add", offsetof(struct nx_gang_times, create_and_add)},
    {"schedule and collect", offsetof(struct nx_gang_times, schedule_and_collect)},
    {"ready to running, min", offsetof(struct nx_gang_times, ready_to_running_min)},
    {"ready to running, max", offsetof(struct nx_gang_times, ready_to_running_max)},
    {"single dispatch", offsetof(struct nx_gang_times, single_dispatch)},
};
enum { column_count = sizeof columns / sizeof *columns };

static double field(const struct nx_gang_times *one, size_t offset)
{
    return (double)*(const unsigned long *)((const char *)one + offset);
}

static void measure(long members, long load)
{
    for (long i = -warm_up; i < samples; i++)
        if (nx_measure_gang(members, load, &times[i < 0 ? 0 : i])) {
            if (errno == EQPRIV)
                fprintf(stderr,
                        "gang: its own gang keeps the processors that others should collect; run it with "
                        "SCHEDULE=timeshared\n");
            else if (errno == EQNOACT)
                fprintf(stderr, "gang: this kernel measures no gangs; boot build/measuring/kernel.elf\n");
            else
                nx_perror("gang");
            exit(1);
        }
}

/* The mean over the samples, reported as well. */
static double mean_of(const char *name, size_t offset, long members)
{
    static double values[most_samples];
    double sum = 0;
    for (long i = 0; i < samples; i++)
        sum += values[i] = field(&times[i], offset);
    nx_report(name, members, "", "ns", values, samples);
    return sum / (double)samples;
}

/* A standard one, of the mean over the samples. */
static double error_of(double mean, size_t offset)
{
    double squares = 0;
    for (long i = 0; i < samples; i++) {
        const double apart = field(&times[i], offset) - mean;
        squares += apart * apart;
    }
    return samples > 1 ? sqrt(squares / (double)(samples - 1) / (double)samples) : mean;
}

/* Gangs of 2 to 16 members; on a machine of one processor one of 1. */
static long first_of(long processors)
{
    return processors < 2 ? processors : 2;
}

static long last_of(long processors)
{
    return processors < most_members ? processors : most_members;
}

static long step_from(long members)
{
    return members < 8 ? 2 : 4;
}

/* What the paper expects for processes that give way at random. */
static double expected_collection(long members, double processors)
{
    return members < 2 ? 0 : time_slice_ns * (double)(members - 1) / (2 * (processors - 1));
}

static void show_idle_machine(long processors)
{
    printf("an idle machine; means of %ld, us\n%8s", samples, "members");
    for (int c = 0; c < column_count; c++)
        printf("  %22s", columns[c].name);
    printf("\n");
    for (long members = first_of(processors); members <= last_of(processors); members += step_from(members)) {
        measure(members, 0);
        printf("%8ld", members);
        for (int c = 0; c < column_count; c++)
            printf("  %22.2f", mean_of(columns[c].name, columns[c].offset, members) / 1e3);
        printf("\n");
    }
}

static void show_flooded_machine(long processors)
{
    const double n = (double)processors;
    const long first_members = only ? only : first_of(processors);
    const long last_members = only ? only : last_of(processors);
    printf("\nflooded: two computing processes a processor, %s slices of %.0f ms; means of %ld, ms\n",
           load_kind ? "random parts of" : "whole", time_slice_ns / 1e6, samples);
    printf("%8s  %8s  %8s  %26s  %26s\n", "members", "first", "collect", "Collect = TS(p-1)/(2(N-1))",
           "whole slices TS(p-1)/(N+1)");
    for (long members = first_members; members <= last_members; members += step_from(members)) {
        measure(members, 2 | load_kind);
        double first = mean_of("first, flooded", offsetof(struct nx_gang_times, first), members);
        double collect = mean_of("collect, flooded", offsetof(struct nx_gang_times, collect), members);
        double error = error_of(collect, offsetof(struct nx_gang_times, collect));
        nx_report("mean first, flooded", members, "", "ns", &first, 1);
        nx_report("mean collect, flooded", members, "", "ns", &collect, 1);
        nx_report("error of that mean", members, "", "ns", &error, 1);
        printf("%8ld  %8.3f  %8.3f  %26.3f  %26.3f\n", members, first / 1e6, collect / 1e6,
               expected_collection(members, n) / 1e6, time_slice_ns * (double)(members - 1) / (n + 1) / 1e6);
    }
    printf("First(TS, N) = TS/(2N) = %.3f ms\n", time_slice_ns / (2 * n) / 1e6);
}

static int parse(int argc, char **argv)
{
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (!strcmp(argv[i], "--samples"))
            samples = atol(value);
        else if (!strcmp(argv[i], "--load") && (!strcmp(value, "whole") || !strcmp(value, "random")))
            load_kind = *value == 'r' ? NX_LOAD_AT_RANDOM : 0;
        else if (!strcmp(argv[i], "--only"))
            only = atol(value);
        else
            return 0;
    }
    return samples >= 1 && samples <= most_samples && only >= 0 && only <= most_members;
}

int main(int argc, char **argv)
{
    long processors = nx_processors();
    if (!parse(argc, argv)) {
        fprintf(stderr,
                "gang: the options are --samples N, from 1 to %d, --load whole|random, and --only MEMBERS, "
                "from 1 "
                "to %d, which measures gangs of so many alone, on a flooded machine\n",
                most_samples, most_members);
        return 2;
    }
    if (mynode() != 0)
        return 0;
    if (only > processors) {
        fprintf(stderr, "gang: this machine has %ld processors, so --only takes no more\n", processors);
        return 2;
    }
    if (!only)
        show_idle_machine(processors);
    show_flooded_machine(processors);
    return 0;
}
