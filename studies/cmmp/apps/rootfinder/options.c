/* SPDX-License-Identifier: MIT */
#include "options.h"

#include "interval.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char rootfinder_help[] =
    "rootfinder: n processes look for the crossings of F(x), n points at a time, and wait for each other\n"
    "  --carry semaphores|messages|collective\n"
    "                   how they wait: in P; for messages, which the first process sends; or in one call "
    "that\n"
    "                   brings everybody all values (default semaphores)\n"
    "  --wake one-by-one|together\n"
    "                   semaphores: a V for each other process, or one call for all (default one-by-one)\n"
    "  --lengths authentic|constant|normal|exponential\n"
    "                   how long an evaluation takes: as F does, or as drawn (default authentic)\n"
    "  --mean STEPS     drawn lengths: their mean, in steps of F's series (default 2000)\n"
    "  --deviation N    normal lengths: standard deviation in percent of the mean (default 25)\n"
    "  --seed N         drawn lengths: which ones (default 1)\n"
    "  --work N         authentic lengths: make each evaluation N times (default 1)\n"
    "  --fixed STEPS    authentic lengths: so many steps of the series beside each (default 0)\n"
    "  --roots N        how many roots to find (default 50, all there are)\n"
    "  --every N        of the roots that there are each N-th is looked for (default 1)\n";

static char complaint[160];

static const char *complain(const char *option, const char *value, const char *wanted)
{
    snprintf(complaint, sizeof complaint, "%s%s%s: %s", option, value ? " " : "", value ? value : "", wanted);
    return complaint;
}

/* Which of so many names; -1: none. */
static int parse_name(const char *text, const char *(*name)(int), int names)
{
    for (int i = 0; i < names; i++)
        if (!strcmp(text, name(i)))
            return i;
    return -1;
}

static const char *wake_name_of(int together)
{
    return together ? "together" : "one-by-one";
}

static const char *length_name_of(int kind)
{
    return length_name((enum length_kind)kind);
}

static const char *carrier_name_of(int kind)
{
    return carrier_name((enum carrier_kind)kind);
}

struct number_option {
    const char *name;
    long *value;
    long least, most;
};

static const char *parse_number(const struct number_option *option, const char *text)
{
    static char range[60];
    char *after;
    const long value = strtol(text, &after, 10);
    if (after != text && !*after && value >= option->least && value <= option->most) {
        *option->value = value;
        return 0;
    }
    snprintf(range, sizeof range, "a number from %ld to %ld", option->least, option->most);
    return complain(option->name, text, range);
}

static const char *parse_one(struct rootfinder_options *options, long *work, const char *name,
                             const char *value)
{
    const struct number_option numbers[] = {
        {"--mean", &options->lengths.mean, 1, 1000000000},
        {"--deviation", &options->lengths.deviation, 0, 1000},
        {"--seed", (long *)&options->lengths.seed, 0, 0x7fffffffffffffff},
        {"--work", work, 1, 1000000},
        {"--roots", &options->roots, 1, root_count},
        {"--every", &options->every, 1, root_count},
        {"--fixed", &options->fixed, 0, 1000000000},
    };
    if (!strcmp(name, "--lengths")) {
        const int kind = parse_name(value, length_name_of, length_kinds);
        options->lengths.kind = (enum length_kind)kind;
        return kind >= 0 ? 0 : complain(name, value, "authentic, constant, normal or exponential");
    }
    if (!strcmp(name, "--carry")) {
        const int kind = parse_name(value, carrier_name_of, carrier_kinds);
        options->carrier = (enum carrier_kind)kind;
        return kind >= 0 ? 0 : complain(name, value, "semaphores, messages or collective");
    }
    if (!strcmp(name, "--wake")) {
        options->together = parse_name(value, wake_name_of, 2);
        return options->together >= 0 ? 0 : complain(name, value, "one-by-one or together");
    }
    for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (!strcmp(name, numbers[i].name))
            return parse_number(&numbers[i], value);
    return complain(name, 0, "no such option (try --help)");
}

const char *rootfinder_parse(struct rootfinder_options *options, int count, char **arguments)
{
    long work = 1;
    *options = (struct rootfinder_options){
        {length_authentic, 2000, 25, 1}, carried_by_semaphores, 0, root_count, 1, 0, 0};
    for (int i = 1; i < count; i += 2) {
        if (!strcmp(arguments[i], "--help")) {
            options->help = 1;
            return 0;
        }
        if (i + 1 == count)
            return complain(arguments[i], 0, "no such option, or its value is missing (try --help)");
        const char *wrong = parse_one(options, &work, arguments[i], arguments[i + 1]);
        if (wrong)
            return wrong;
    }
    if ((options->roots - 1) * options->every >= root_count)
        return "--every N leaves fewer roots of the 50 than --roots says: say a smaller --roots";
    if (options->lengths.kind == length_authentic)
        options->lengths.mean = work;
    return 0;
}
