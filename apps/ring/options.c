/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char ring_help[] =
    "ring: sends a message around a ring of nodes and measures the round trip\n"
    "  --access none|read|write|only-read\n"
    "                            what every node does with the words of a message (default none): read\n"
    "                            compares each with what was sent, only-read reads it and no more\n"
    "  --sizes 0,64,1024         message sizes in bytes (default 0, 8, 64, 100, 128, 256, ... 65536)\n"
    "  --maximum BYTES           go on doubling up to this size, at most 1048576 (default 65536)\n"
    "  --samples N               timed batches a size (default 15), and of each yardstick, 15 at most\n"
    "  --trips N                 most round trips a batch (default 200)\n"
    "  --warm-up N               round trips before the first batch (default 5)\n";

enum { largest_message = 1 << 20 };

static const char *const access_names[] = {"none", "read", "write", "only-read"};

static char complaint[160];

const char *ring_access_name(enum ring_access access)
{
    return access_names[access];
}

static const char *complain(const char *option, const char *value, const char *wanted)
{
    snprintf(complaint, sizeof complaint, "%s%s%s: %s", option, value ? " " : "", value ? value : "", wanted);
    return complaint;
}

static void default_sizes(struct ring_options *options, long maximum)
{
    static const long small[] = {0, 8, 64, 100};
    options->size_count = 0;
    for (unsigned i = 0; i < sizeof small / sizeof small[0]; i++)
        if (small[i] <= maximum)
            options->sizes[options->size_count++] = small[i];
    for (long bytes = 128; bytes <= maximum; bytes *= 2)
        options->sizes[options->size_count++] = bytes;
}

/* The number at `text` if it lies in the range and is followed by one of `ends`, else -1. */
static long number(const char *text, char **after, const char *ends, long lowest, long highest)
{
    long value = strtol(text, after, 10);
    if (*after == text || !strchr(ends, **after) || value < lowest || value > highest)
        return -1;
    return value;
}

static int parse_sizes(struct ring_options *options, const char *text)
{
    options->size_count = 0;
    for (;;) {
        char *after;
        long bytes = number(text, &after, ",", 0, largest_message);
        if (bytes < 0 || options->size_count == most_sizes)
            return 0;
        options->sizes[options->size_count++] = bytes;
        if (!*after)
            return 1;
        text = after + 1;
    }
}

static int parse_access(struct ring_options *options, const char *text)
{
    for (int i = access_none; i <= access_only_read; i++)
        if (!strcmp(text, access_names[i])) {
            options->access = (enum ring_access)i;
            return 1;
        }
    return 0;
}

static int parse_count(long *count, const char *text)
{
    char *after;
    long value = number(text, &after, "", 1, INT_MAX);
    if (value < 0)
        return 0;
    *count = value;
    return 1;
}

static const char *parse_one(struct ring_options *options, const char *option, const char *value)
{
    char *after;
    if (!strcmp(option, "--access"))
        return parse_access(options, value) ? 0 : complain(option, value, "none, read, write or only-read");
    if (!strcmp(option, "--sizes"))
        return parse_sizes(options, value) ? 0
                                           : complain(option, value, "numbers from 0 to 1048576 and commas");
    if (!strcmp(option, "--samples"))
        return parse_count(&options->samples, value) ? 0 : complain(option, value, "a number from 1");
    if (!strcmp(option, "--trips"))
        return parse_count(&options->trips, value) ? 0 : complain(option, value, "a number from 1");
    if (!strcmp(option, "--warm-up"))
        return parse_count(&options->warm_up, value) ? 0 : complain(option, value, "a number from 1");
    if (!strcmp(option, "--maximum")) {
        long maximum = number(value, &after, "", 0, largest_message);
        if (maximum < 0)
            return complain(option, value, "a number from 0 to 1048576");
        default_sizes(options, maximum);
        return 0;
    }
    return complain(option, 0, "no such option (try --help)");
}

const char *ring_parse(struct ring_options *options, int count, char **arguments)
{
    *options = (struct ring_options){.access = access_none, .samples = 15, .trips = 200, .warm_up = 5};
    default_sizes(options, 65536);
    for (int i = 1; i < count; i += 2) {
        if (!strcmp(arguments[i], "--help")) {
            options->help = 1;
            return 0;
        }
        if (i + 1 == count)
            return complain(arguments[i], 0, "no such option, or its value is missing (try --help)");
        const char *wrong = parse_one(options, arguments[i], arguments[i + 1]);
        if (wrong)
            return wrong;
    }
    return 0;
}
