/* SPDX-License-Identifier: MIT */
/* What the simplex program was asked to do. */
#ifndef PARLEY_SIMPLEX_OPTIONS_H
#define PARLEY_SIMPLEX_OPTIONS_H

#include "../support/buffers.h"
#include "mps_line.h"
#include "tableau.h"

struct simplex_options {
    enum distribution distribution;
    enum buffers_kind buffers;
    enum mps_format format;
    long samples;
    long rows, columns, seed; /* of a generated problem */
    const char *file;         /* null: generated */
    int show_solution;
    int write; /* show the problem instead of solving it */
    int help;
};

/* Null when all was understood, else what is wrong with the arguments. */
const char *simplex_parse(struct simplex_options *options, int count, char **arguments);

extern const char simplex_help[];

#endif
