/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <string.h>

void timing_make(struct timing *timing, long samples)
{
    size_t bytes = (size_t)samples * sizeof(double);
    *timing = (struct timing){samples, need_memory(bytes), need_memory(bytes), need_memory(bytes)};
}

void timing_free(struct timing *timing)
{
    free(timing->times);
    free(timing->message_times);
    free(timing->shares);
}

void timing_note(struct timing *timing, long sample, double seconds, double seconds_inside)
{
    timing->times[sample] = seconds * 1e9;
    timing->message_times[sample] = seconds_inside * 1e9 / (double)numnodes();
    timing->shares[sample] = 100 * seconds_inside / seconds / (double)numnodes();
}

void timing_combine(struct timing *timing)
{
    double *work = need_memory((size_t)timing->samples * sizeof *work);
    gdhigh(timing->times, timing->samples, work);
    gdsum(timing->message_times, timing->samples, work);
    gdsum(timing->shares, timing->samples, work);
    free(work);
}

static long sum_of_nodes(long value)
{
    long work;
    gisum(&value, 1, &work);
    return value;
}

static void show_size(long bytes, long count, long messages, const char *purpose)
{
    if (mynode() == 0 && messages > 0)
        printf("%8ld %8ld %6.2f%%  %s\n", bytes, count, 100 * (double)count / (double)messages, purpose);
}

/* Pivot lines are shorter when no artificial costs travel with them: what is shown is the mean. */
void report_messages(const struct solver *solver)
{
    long offers = sum_of_nodes(solver->offers.sent), choices = sum_of_nodes(solver->choices.sent);
    long pivots = sum_of_nodes(solver->pivots.sent), bytes = sum_of_nodes(solver->traffic.bytes);
    long messages = offers + choices + pivots, small = (offers + choices) * selection_bytes;
    double counts[] = {(double)messages, (double)bytes, (double)(offers + choices), (double)pivots};
    if (mynode() != 0)
        return;
    printf("%ld messages, %.0f bytes on average\n", messages,
           messages ? (double)bytes / (double)messages : 0);
    show_size(selection_bytes, offers + choices, messages, "pivot selection");
    show_size(pivots ? (bytes - small) / pivots : 0, pivots, messages, "pivot data");
    nx_report("messages", 0, "", "messages", &counts[0], 1);
    nx_report("bytes sent", 0, "", "bytes", &counts[1], 1);
    nx_report("selection messages", selection_bytes, "", "messages", &counts[2], 1);
    nx_report("pivot messages", pivots ? (bytes - small) / pivots : 0, "", "messages", &counts[3], 1);
}

void report_verdict(enum verdict verdict)
{
    double number = verdict;
    if (mynode() == 0)
        nx_report("verdict", 0, "", "verdict", &number, 1);
}

void report_timing(const struct timing *timing, const struct solver *solver)
{
    double steps = (double)solver->steps;
    if (mynode() != 0)
        return;
    nx_report("simplex time", 0, "", "ns", timing->times, timing->samples);
    nx_report("message time", 0, "", "ns", timing->message_times, timing->samples);
    nx_report("share", 0, "", "percent", timing->shares, timing->samples);
    nx_report("pivots", 0, "", "pivots", &steps, 1);
}

void report_solution(const struct solution *solution, const struct problem *problem, int all)
{
    if (mynode() != 0)
        return;
    printf("objective %.15g, largest violation %.2g\n", solution->objective, solution->violation);
    nx_report("objective", 0, "", "value", &solution->objective, 1);
    for (long j = 0; all && j < problem->column_names.count; j++)
        if (solution->columns[j] != 0)
            printf("  %-12s %.15g\n", problem->column_names.all[j], solution->columns[j]);
}
