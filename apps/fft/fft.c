/* SPDX-License-Identifier: MIT */
/* The parallel fast Fourier transform: log2(nodes) stages exchange points, the others are local. For each
 * number of points it checks the spectrum, then measures the time from start to end on the slowest node, and
 * each node's time inside the message system. */
#include "../support/one_process.h"
#include "check.h"
#include "data_set.h"
#include "measurement.h"
#include "options.h"

static void must_be_right(double worst, const char *what, long points)
{
    if (worst <= 1)
        return;
    if (mynode() == 0)
        fprintf(stderr, "fft: %ld points: the spectrum of %s is wrong, by %g times what rounding explains\n",
                points, what, worst);
    exit(1);
}

static double check(struct data_set *set, enum signal_kind kind, const char *what)
{
    data_set_fill(set, kind);
    data_set_transform(set);
    double worst = check_spectrum(set, kind);
    must_be_right(worst, what, set->points);
    return worst;
}

static void run_size(const struct fft_options *options, long points)
{
    struct data_set set;
    double error = 0;
    data_set_make(&set, points, buffers_are_shared(options->buffers), options->layout, options->alignment);
    if (options->check) {
        error = check(&set, signal_known, "a tone and an impulse");
        double of_noise = check(&set, signal_noise, "noise");
        error = error > of_noise ? error : of_noise;
    }
    for (long i = 0; i < options->warm_up; i++) {
        data_set_fill(&set, signal_noise);
        gsync();
        data_set_transform(&set);
    }
    struct measurement measurement;
    measurement_take(&measurement, &set, options->samples);
    measurement_show(&measurement, &set, error, check_digest(&set));
    measurement_report(&measurement, &set, check_digest(&set));
    measurement_free(&measurement);
    data_set_free(&set);
}

int main(int count, char **arguments)
{
    struct fft_options options;
    const char *wrong = fft_parse(&options, count, arguments, numnodes());
    if (!wrong && !options.help)
        wrong = buffers_refused(options.buffers);
    if (wrong || options.help) {
        if (mynode() == 0)
            wrong ? fprintf(stderr, "fft: %s\n", wrong) : printf("%s", fft_help);
        return wrong ? 2 : 0;
    }
    if (mynode() == 0)
        printf("fft: %ld nodes, %s buffers %s multiples of %ld, %s\n", numnodes(),
               buffers_are_shared(options.buffers) ? "shared" : "private",
               options.layout == layout_together ? "together from" : "at", options.alignment, nx_design());
    measurement_heading();
    for (long i = 0; i < options.size_count; i++)
        run_size(&options, options.sizes[i]);
    return 0;
}
