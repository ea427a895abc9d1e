/* SPDX-License-Identifier: MIT */
#include "options.h"

const char simplex_help[] =
    "simplex: solves a linear problem whose tableau is distributed over the nodes\n"
    "  FILE                          problem in MPS format; - is standard input (default: generated)\n"
    "  --by columns|rows             what a node holds of the tableau (default columns)\n"
    "  --format auto|fixed|free      of the file (default auto)\n"
    "  --generate ROWS,COLUMNS,SEED  a problem of that size (default 99,150,1)\n"
    "  --write yes|no                show the problem in MPS format and stop (default no)\n"
    "  --solution yes|no             show every column that is not 0 (default no)\n"
    "  --samples N                   timed solutions (default 3)\n"
    "  --buffers auto|private|shared message buffers: as the design needs, or as said (default auto)\n";

static char complaint[300];

static const char *complain(const char *option, const char *value, const char *wanted)
{
    snprintf(complaint, sizeof complaint, "%s%s%s: %s", option, *value ? " " : "", value, wanted);
    return complaint;
}

static const char *parse_choice(int *choice, const char *option, const char *value, const char *const words[],
                                int count, const char *wanted)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(value, words[i])) {
            *choice = i;
            return 0;
        }
    return complain(option, value, wanted);
}

static const char *parse_yes(int *yes, const char *option, const char *value)
{
    static const char *const words[] = {"no", "yes"};
    return parse_choice(yes, option, value, words, 2, "yes or no");
}

static const char *parse_by(struct simplex_options *options, const char *value)
{
    static const char *const words[] = {"columns", "rows"};
    int choice = options->distribution;
    const char *wrong = parse_choice(&choice, "--by", value, words, 2, "columns or rows");
    options->distribution = (enum distribution)choice;
    return wrong;
}

static const char *parse_format(struct simplex_options *options, const char *value)
{
    static const char *const words[] = {"auto", "fixed", "free"};
    int choice = options->format;
    const char *wrong = parse_choice(&choice, "--format", value, words, 3, "auto, fixed or free");
    options->format = (enum mps_format)choice;
    return wrong;
}

static const char *parse_generate(struct simplex_options *options, const char *value)
{
    char rest;
    int found = sscanf(value, "%ld,%ld,%ld%c", &options->rows, &options->columns, &options->seed, &rest);
    if (found != 3 || options->rows < 1 || options->columns < 1 || options->rows > 5000 ||
        options->columns > 5000)
        return complain("--generate", value, "rows and columns from 1 to 5000, and a seed, with commas");
    return 0;
}

static const char *parse_samples(struct simplex_options *options, const char *value)
{
    char *after;
    options->samples = strtol(value, &after, 10);
    int good = after != value && !*after && options->samples >= 1 && options->samples <= 1000;
    return good ? 0 : complain("--samples", value, "a number from 1 to 1000");
}

static const char *parse_one(struct simplex_options *options, const char *option, const char *value)
{
    if (!strcmp(option, "--by"))
        return parse_by(options, value);
    if (!strcmp(option, "--format"))
        return parse_format(options, value);
    if (!strcmp(option, "--generate"))
        return parse_generate(options, value);
    if (!strcmp(option, "--samples"))
        return parse_samples(options, value);
    if (!strcmp(option, "--solution"))
        return parse_yes(&options->show_solution, option, value);
    if (!strcmp(option, "--write"))
        return parse_yes(&options->write, option, value);
    if (!strcmp(option, "--buffers"))
        return buffers_parse(&options->buffers, value) ? 0
                                                       : complain(option, value, "auto, private or shared");
    return complain(option, "", "no such option (try --help)");
}

const char *simplex_parse(struct simplex_options *options, int count, char **arguments)
{
    *options = (struct simplex_options){.samples = 3, .rows = 99, .columns = 150, .seed = 1};
    for (int i = 1; i < count; i++) {
        const char *word = arguments[i];
        if (!strcmp(word, "--help")) {
            options->help = 1;
            return 0;
        }
        if (strncmp(word, "--", 2)) {
            if (options->file)
                return complain(word, "", "one file is enough");
            options->file = word;
            continue;
        }
        if (i + 1 == count)
            return complain(word, "", "no such option, or its value is missing (try --help)");
        const char *wrong = parse_one(options, word, arguments[++i]);
        if (wrong)
            return wrong;
    }
    return 0;
}
