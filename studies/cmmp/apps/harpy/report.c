/* SPDX-License-Identifier: MIT */
#include "report.h"

#include "apps/support/own_table.h"
#include "apps/support/traffic.h"

#include <nx.h>
#include <nx_semaphores.h>
#include <stdlib.h>
#include <string.h>

static double nanoseconds(double cycles)
{
    return cycles * 1e9 / nx_cycles_per_second();
}

static double *samples(long count)
{
    return harpy_memory(0, (unsigned long)count * sizeof(double));
}

static void make_step(struct step_report *step, long segments)
{
    *step = (struct step_report){samples(segments), samples(segments), samples(segments), 0, 0};
}

static void free_step(struct step_report *step)
{
    free(step->wall);
    free(step->spread);
    free(step->utilization);
}

void report_make(struct report *report, long segments, long processes, enum variant variant)
{
    *report = (struct report){.room = segments, .processes = processes, .variant = variant};
    make_step(&report->forward, segments);
    make_step(&report->pruning, segments);
    report->candidates = samples(segments);
    report->pairs = samples(segments);
    report->reached = samples(segments);
}

void report_free(struct report *report)
{
    free_step(&report->forward);
    free_step(&report->pruning);
    free(report->candidates);
    free(report->pairs);
    free(report->reached);
}

static void add_step(struct step_report *step, const struct step_times *times, double busy, long processes,
                     long from, long at)
{
    const double wall = (double)times->wall[from];
    step->wall[at] = nanoseconds(wall);
    step->spread[at] = nanoseconds((double)times->spread[from]);
    step->utilization[at] = wall > 0 ? 100 * busy / ((double)processes * wall) : 100;
    step->all_wall += wall;
    step->all_busy += busy;
}

void report_add(struct report *report, const struct search *search)
{
    const long processes = report->processes;
    for (long segment = 0; segment < search->segments && report->segments < report->room; segment++) {
        const long at = report->segments++;
        double forward = 0, pruning = 0;
        for (long i = 0; i < processes; i++) {
            forward += (double)search->members[i].busy_forward[segment];
            pruning += (double)search->members[i].busy_pruning[segment];
        }
        add_step(&report->forward, &search->forward, forward, processes, segment, at);
        add_step(&report->pruning, &search->pruning, pruning, processes, segment, at);
        report->candidates[at] = (double)search->workloads[segment].candidates;
        report->pairs[at] = (double)search->workloads[segment].pairs;
        report->reached[at] = (double)search->workloads[segment].reached;
    }
}

void report_add_serial(struct report *report, const struct serial_record *record, long segments)
{
    for (long segment = 0; segment < segments && report->segments < report->room; segment++) {
        const long at = report->segments++;
        report->candidates[at] = (double)record->workloads[segment].candidates;
        report->pairs[at] = (double)record->workloads[segment].pairs;
        report->reached[at] = (double)record->workloads[segment].reached;
    }
    report->serial_forward += (double)record->forward;
    report->serial_pruning += (double)record->pruning;
    report->elapsed += (double)(record->forward + record->pruning);
}

static const char *variant_name(enum variant variant)
{
    static const char *const names[] = {"serial", "V1", "V2", "V3", "V4", "V5"};
    return names[variant];
}

static void tell_all(const struct report *report, const char *name, const char *unit, const double *values,
                     long count)
{
    nx_report(name, report->processes, variant_name(report->variant), unit, values, count);
}

static void tell(const struct report *report, const char *name, const char *unit, double value)
{
    tell_all(report, name, unit, &value, 1);
}

/* How many segments have 1 to 10, 11 to 100, 101 to 1000 and more, in percent. */
static void tell_workload(const struct report *report, const char *const names[4], const double *values)
{
    double shares[4] = {0};
    for (long i = 0; i < report->segments; i++)
        shares[(values[i] > 10) + (values[i] > 100) + (values[i] > 1000)] += 100 / (double)report->segments;
    for (int i = 0; i < 4; i++)
        tell(report, names[i], "percent", shares[i]);
}

static void tell_workloads(const struct report *report)
{
    static const char *const candidates[] = {"candidates 1-10", "candidates 11-100", "candidates 101-1000",
                                             "candidates above 1000"};
    static const char *const pairs[] = {"pairs 1-10", "pairs 11-100", "pairs 101-1000", "pairs above 1000"};
    double one = 0;
    for (long i = 0; i < report->segments; i++)
        one += report->candidates[i] == 1 ? 100 / (double)report->segments : 0;
    tell_all(report, "candidates", "units", report->candidates, report->segments);
    tell_all(report, "pairs", "units", report->pairs, report->segments);
    tell_all(report, "states reached", "units", report->reached, report->segments);
    tell(report, "one candidate", "percent", one);
    tell_workload(report, candidates, report->candidates);
    tell_workload(report, pairs, report->pairs);
}

static double utilization(const struct report *report, const struct step_report *step)
{
    return step->all_wall > 0 ? 100 * step->all_busy / ((double)report->processes * step->all_wall) : 100;
}

static void tell_steps(const struct report *report)
{
    const struct step_report *const forward = &report->forward, *const pruning = &report->pruning;
    tell(report, "forward", "ns", nanoseconds(forward->all_wall));
    tell(report, "pruning", "ns", nanoseconds(pruning->all_wall));
    tell(report, "utilization", "percent", utilization(report, forward));
    tell(report, "pruning utilization", "percent", utilization(report, pruning));
    tell_all(report, "segment forward", "ns", forward->wall, report->segments);
    tell_all(report, "segment pruning", "ns", pruning->wall, report->segments);
    tell_all(report, "segment utilization", "percent", forward->utilization, report->segments);
    tell_all(report, "forward spread", "ns", forward->spread, report->segments);
    tell_all(report, "pruning spread", "ns", pruning->spread, report->segments);
}

static void tell_semaphores(const struct report *report)
{
    struct parley_semaphore_counts counts;
    nx_semaphore_counts(&counts);
    tell(report, "kernel P and V", "calls", (double)counts.calls);
    if (strncmp(nx_semaphores(), "spin", 4) == 0)
        return; /* who spins is counted by nobody */
    tell(report, "P that waited", "times", (double)counts.waits);
    tell(report, "V that woke", "times", (double)counts.wakes);
}

void report_tell(const struct report *report)
{
    tell(report, "search", "ns", nanoseconds(report->elapsed));
    tell(report, "serial forward", "ns", nanoseconds(report->serial_forward));
    tell(report, "serial pruning", "ns", nanoseconds(report->serial_pruning));
    if (report->variant != variant_serial)
        tell_steps(report);
    tell_workloads(report);
    tell(report, "segments", "segments", (double)report->segments);
    tell(report, "score", "hundredths", report->score);
    tell(report, "answer", "checksum", report->checksum);
    tell_semaphores(report);
    if (report->variant != variant_serial)
        table_printf("%s, %ld segments: forward %.3f ms at %.1f %%, pruning %.3f ms at %.1f %%\n",
                     variant_name(report->variant), report->segments,
                     nanoseconds(report->forward.all_wall) / 1e6, utilization(report, &report->forward),
                     nanoseconds(report->pruning.all_wall) / 1e6, utilization(report, &report->pruning));
    table_printf("serial, %ld segments: forward %.3f ms, pruning %.3f ms\n", report->segments,
                 nanoseconds(report->serial_forward) / 1e6, nanoseconds(report->serial_pruning) / 1e6);
}

void report_units(const struct unit_times *times, long processes, enum variant variant)
{
    static const char *const names[] = {"CHECKNEXT", "CHECKSTATE, update", "CHECKSTATE, none",
                                        "SAVESTATES, kept", "SAVESTATES, dropped"};
    const double reading = (double)traffic_reading_cost();
    for (int unit = 0; unit < units; unit++) {
        const long count = times->count[unit];
        double *const values = samples(count);
        for (long i = 0; i < count; i++)
            values[i] = nanoseconds(times->cycles[unit][i] > reading ? times->cycles[unit][i] - reading : 0);
        if (count)
            nx_report(names[unit], processes, variant_name(variant), "ns", values, count);
        free(values);
    }
}
