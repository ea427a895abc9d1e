/* SPDX-License-Identifier: MIT */
/* What the ring was asked to measure. */
#ifndef PARLEY_RING_OPTIONS_H
#define PARLEY_RING_OPTIONS_H

/* read compares each word, only_read reads it and no more. */
enum ring_access { access_none, access_read, access_write, access_only_read };

enum { most_sizes = 64 };

struct ring_options {
    enum ring_access access;
    long sizes[most_sizes];
    long size_count;
    long samples; /* batches a size */
    long trips;   /* timed trips a batch, at most */
    long warm_up; /* trips before the first batch */
    int help;
};

const char *ring_access_name(enum ring_access access);

/* Null when all was understood, else what is wrong with the arguments. */
const char *ring_parse(struct ring_options *options, int count, char **arguments);

extern const char ring_help[];

#endif
