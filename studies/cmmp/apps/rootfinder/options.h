/* SPDX-License-Identifier: MIT */
/* What the rootfinder is asked for. */
#ifndef PARLEY_ROOTFINDER_OPTIONS_H
#define PARLEY_ROOTFINDER_OPTIONS_H

#include "carrier.h"
#include "lengths.h"

struct rootfinder_options {
    struct lengths lengths;
    enum carrier_kind carrier;
    int together; /* semaphores: one call wakes all */
    long roots;
    long every; /* of the roots that there are: each, each second, ... */
    long fixed; /* steps beside authentic lengths */
    int help;
};

extern const char rootfinder_help[];

/* Null, or what is wrong; the text lasts until the next call. */
const char *rootfinder_parse(struct rootfinder_options *options, int count, char **arguments);

#endif
