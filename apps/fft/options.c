/* SPDX-License-Identifier: MIT */
#include "options.h"

const char fft_help[] =
    "fft: transforms complex points that are distributed over the nodes, and measures it\n"
    "  --points 1024,2048            numbers of points, powers of two from 128 to 1048576\n"
    "                                (default 128, 256, 512, 1024, 2048)\n"
    "  --samples N                   timed transforms of each (default 9)\n"
    "  --warm-up N                   transforms of each before the first that is timed (default 0)\n"
    "  --align BYTES                 buffers lie at multiples of this, a power of two (default 65536)\n"
    "  --layout apart|together       each at such a multiple, or a node's one after another from one on\n"
    "                                (default apart)\n"
    "  --buffers auto|private|shared message buffers: as the design needs, or as said (default auto)\n"
    "  --check yes|no                compare the spectrum with other algorithms (default yes)\n";

enum { most_samples = 1000, least_alignment = 16, most_alignment = 1 << 20 };

static char complaint[200];

static const char *complain(const char *option, const char *value, const char *wanted)
{
    snprintf(complaint, sizeof complaint, "%s%s%s: %s", option, *value ? " " : "", value, wanted);
    return complaint;
}

static int is_power_of_two(long number)
{
    return number > 0 && (number & (number - 1)) == 0;
}

/* The number at `text` if it lies in the range and is followed by one of `ends`, else -1. */
static long number(const char *text, char **after, const char *ends, long lowest, long highest)
{
    long value = strtol(text, after, 10);
    if (*after == text || !strchr(ends, **after) || value < lowest || value > highest)
        return -1;
    return value;
}

static const char *parse_sizes(struct fft_options *options, const char *text)
{
    const char *next = text;
    char *after;
    for (options->size_count = 0; options->size_count < most_sizes; next = after + 1) {
        long points = number(next, &after, ",", fewest_points, most_points);
        if (!is_power_of_two(points))
            return complain("--points", text, "powers of two from 128 to 1048576, with commas between them");
        options->sizes[options->size_count++] = points;
        if (!*after)
            return 0;
    }
    return complain("--points", text, "too many numbers");
}

static const char *parse_number(long *value, const char *option, const char *text, long lowest, long highest)
{
    char *after;
    static char wanted[64];
    *value = number(text, &after, "", lowest, highest);
    if (*value >= 0)
        return 0;
    snprintf(wanted, sizeof wanted, "a number from %ld to %ld", lowest, highest);
    return complain(option, text, wanted);
}

static const char *parse_alignment(long *alignment, const char *text)
{
    const char *wrong = parse_number(alignment, "--align", text, least_alignment, most_alignment);
    if (wrong || is_power_of_two(*alignment))
        return wrong;
    return complain("--align", text, "a power of two");
}

static const char *parse_one(struct fft_options *options, const char *option, const char *value)
{
    if (!strcmp(option, "--points"))
        return parse_sizes(options, value);
    if (!strcmp(option, "--samples"))
        return parse_number(&options->samples, option, value, 1, most_samples);
    if (!strcmp(option, "--warm-up"))
        return parse_number(&options->warm_up, option, value, 0, most_samples);
    if (!strcmp(option, "--align"))
        return parse_alignment(&options->alignment, value);
    if (!strcmp(option, "--buffers"))
        return buffers_parse(&options->buffers, value) ? 0
                                                       : complain(option, value, "auto, private or shared");
    if (!strcmp(option, "--layout")) {
        options->layout = strcmp(value, "together") ? layout_apart : layout_together;
        return options->layout == layout_together || !strcmp(value, "apart")
                   ? 0
                   : complain(option, value, "apart or together");
    }
    if (!strcmp(option, "--check")) {
        options->check = !strcmp(value, "yes");
        return options->check || !strcmp(value, "no") ? 0 : complain(option, value, "yes or no");
    }
    return complain(option, "", "no such option (try --help)");
}

static const char *refuse(const struct fft_options *options, long nodes)
{
    if (!is_power_of_two(nodes)) {
        snprintf(complaint, sizeof complaint, "%ld nodes: their number must be a power of two", nodes);
        return complaint;
    }
    for (long i = 0; i < options->size_count; i++)
        if (options->sizes[i] < 2 * nodes) {
            snprintf(complaint, sizeof complaint, "%ld points are too few for %ld nodes: each needs two",
                     options->sizes[i], nodes);
            return complaint;
        }
    return 0;
}

const char *fft_parse(struct fft_options *options, int count, char **arguments, long nodes)
{
    *options = (struct fft_options){
        .sizes = {128, 256, 512, 1024, 2048}, .size_count = 5, .samples = 9, .alignment = 65536, .check = 1};
    for (int i = 1; i < count; i += 2) {
        if (!strcmp(arguments[i], "--help")) {
            options->help = 1;
            return 0;
        }
        if (i + 1 == count)
            return complain(arguments[i], "", "no such option, or its value is missing (try --help)");
        const char *wrong = parse_one(options, arguments[i], arguments[i + 1]);
        if (wrong)
            return wrong;
    }
    return refuse(options, nodes);
}
