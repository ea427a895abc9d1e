/* SPDX-License-Identifier: MIT */
/* What searches have taken, added up over the utterances by the process that tells it. */
#ifndef PARLEY_HARPY_REPORT_H
#define PARLEY_HARPY_REPORT_H

#include "search.h"

/* A step of every segment of every utterance; times in nanoseconds. Utilization: what all processes were
 * busy, over the number of processes times the time from the end of the barrier before to the last one's
 * arrival at the barrier after. A process that waits, at a barrier or for work, is not busy. */
struct step_report {
    double *wall, *spread, *utilization;
    double all_wall, all_busy;
};

struct report {
    long room, segments, processes;
    enum variant variant;
    struct step_report forward, pruning;
    double *candidates, *pairs, *reached;
    double elapsed, serial_forward, serial_pruning;
    double checksum, score;
};

void report_make(struct report *report, long segments, long processes, enum variant variant);
void report_free(struct report *report);

/* An utterance that all processes have searched. */
void report_add(struct report *report, const struct search *search);

/* One that the serial search has searched, with a record of its workloads. */
void report_add_serial(struct report *report, const struct serial_record *record, long segments);

/* To the run's record, and on standard output where it makes no table of its own. */
void report_tell(const struct report *report);

/* A process's own units of work, without what it costs to read the clock. */
void report_units(const struct unit_times *times, long processes, enum variant variant);

#endif
