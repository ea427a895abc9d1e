/* SPDX-License-Identifier: MIT */
/* Timed transforms of noise. The calls are collective; node 0 shows and reports. */
#ifndef PARLEY_FFT_MEASUREMENT_H
#define PARLEY_FFT_MEASUREMENT_H

#include "data_set.h"

struct measurement {
    long samples;
    double *times;         /* of each transform, on the slowest node, in ns */
    double *message_times; /* inside the message system, the mean of the nodes, in ns */
    double *shares;        /* that part of the node's own time, the mean of the nodes, in percent */
    double *node_times;    /* for each node: inside the message system a transform, in ns */
    long messages;         /* of one transform, of all nodes */
    long bytes;
};

void measurement_take(struct measurement *measurement, struct data_set *set, long samples);
void measurement_free(struct measurement *measurement);

void measurement_heading(void);
void measurement_show(const struct measurement *measurement, const struct data_set *set, double error,
                      unsigned long digest);
void measurement_report(const struct measurement *measurement, const struct data_set *set,
                        unsigned long digest);

#endif
