/* SPDX-License-Identifier: MIT */
/* What the FFT was asked to do. */
#ifndef PARLEY_FFT_OPTIONS_H
#define PARLEY_FFT_OPTIONS_H

#include "data_set.h"

enum { most_sizes = 32, fewest_points = 128, most_points = 1 << 20 };

struct fft_options {
    long sizes[most_sizes]; /* numbers of points */
    long size_count;
    long samples;
    long warm_up; /* transforms before the first that is timed */
    long alignment;
    enum layout layout;
    enum buffers_kind buffers;
    int check;
    int help;
};

/* Null when all was understood and can be done on `nodes` nodes, else what is wrong. */
const char *fft_parse(struct fft_options *options, int count, char **arguments, long nodes);

extern const char fft_help[];

#endif
