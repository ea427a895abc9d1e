/* SPDX-License-Identifier: MIT */
#include "options.h"

#include "force.h"
#include "search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char harpy_help[] =
    "harpy: n processes search a network of phonemes for the sentence that fits an utterance best\n"
    "  --variant N       how they share the forward step (default 1)\n"
    "                    0  serial: one process, the reference\n"
    "                    1  static, fused: equal parts of the candidates\n"
    "                    2  dynamic, fused: candidates from a pool\n"
    "                    3  dynamic, split: first all pairs, then, after a barrier, all checks\n"
    "                    4  dynamic, split, asynchronous: no barrier\n"
    "                    5  as 4, with a stack of pairs for each process, and stealing\n"
    "  --beam N          give up states this far below the best, in hundredths (default 120)\n"
    "  --grammar FILE    words and their network (default: a synthetic one)\n"
    "  --names N         synthetic grammar: how many made-up names it has (default 50)\n"
    "  --table FILE      match table of an utterance (default: synthetic ones)\n"
    "  --utterances N    synthetic utterances (default 5)\n"
    "  --noise N         of them, in percent of how far phonemes are apart (default 100)\n"
    "  --seed N          of all that is synthetic (default 1)\n"
    "  --work N          make each unit of work longer, by N turns of a loop for a pair (default 0)\n"
    "  --units yes|no    time each unit of work, which makes all of them longer (default no)\n"
    "  --write grammar|table|work\n"
    "                    show the grammar, the first utterance's table, or every unit of work, and stop\n";

static char complaint[200];

static const char *complain(const char *option, const char *value, const char *wanted)
{
    snprintf(complaint, sizeof complaint, "%s%s%s: %s", option, value ? " " : "", value ? value : "", wanted);
    return complaint;
}

/* Which of the words it is, or -1. */
static int choice(const char *value, const char *const words[], int count)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(value, words[i]))
            return i;
    return -1;
}

struct number_option {
    const char *name;
    long *value;
    long least, most;
};

static const char *parse_number(const struct number_option *option, const char *text)
{
    char range[60], *after;
    const long value = strtol(text, &after, 10);
    if (after != text && !*after && value >= option->least && value <= option->most) {
        *option->value = value;
        return 0;
    }
    snprintf(range, sizeof range, "a number from %ld to %ld", option->least, option->most);
    return complain(option->name, text, range);
}

static const char *parse_units(struct harpy_options *options, const char *value)
{
    static const char *const words[] = {"no", "yes"};
    options->units = choice(value, words, 2);
    return options->units < 0 ? complain("--units", value, "yes or no") : 0;
}

static const char *parse_written(struct harpy_options *options, const char *value)
{
    static const char *const words[] = {"", "grammar", "table", "work"};
    const int chosen = choice(value, words + 1, 3);
    options->written = (enum harpy_written)(chosen + 1);
    return chosen < 0 ? complain("--write", value, "grammar, table or work") : 0;
}

static const char *parse_one(struct harpy_options *options, const char *name, const char *value)
{
    const struct number_option numbers[] = {
        {"--variant", &options->variant, 0, variants - 1},
        {"--beam", &options->beam, 1, 1000000000},
        {"--names", &options->names, 1, 10000},
        {"--utterances", &options->utterances, 1, 100},
        {"--noise", &options->noise, 0, 1000},
        {"--seed", &options->seed, 0, 0x7fffffffffff},
        {"--work", &options->work, 0, 10000000},
    };
    if (!strcmp(name, "--grammar"))
        return options->grammar = value, (const char *)0;
    if (!strcmp(name, "--table"))
        return options->table = value, (const char *)0;
    if (!strcmp(name, "--units"))
        return parse_units(options, value);
    if (!strcmp(name, "--write"))
        return parse_written(options, value);
    for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (!strcmp(name, numbers[i].name))
            return parse_number(&numbers[i], value);
    return complain(name, 0, "no such option (try --help)");
}

const char *harpy_parse(struct harpy_options *options, int count, char **arguments)
{
    *options = (struct harpy_options){
        .variant = 1, .beam = 120, .names = 50, .utterances = 5, .noise = 100, .seed = 1};
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
    if (options->table)
        options->utterances = 1;
    return 0;
}

const char *harpy_refuse(const struct harpy_options *options, long processes)
{
    if (processes > most_processes)
        return "there are at most 12 processes, so take NODES=12 or fewer";
    if (options->variant == variant_serial && processes > 1)
        return "--variant 0 is one process's search: take NODES=1, or --variant 1 to 5";
    return 0;
}
