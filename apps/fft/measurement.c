/* SPDX-License-Identifier: MIT */
#include "measurement.h"

#include "../support/own_table.h"

static double *need_numbers(long count)
{
    double *numbers = calloc((size_t)count, sizeof *numbers);
    if (!numbers) {
        fprintf(stderr, "fft: no memory for %ld samples\n", count);
        exit(1);
    }
    return numbers;
}

/* The vector becomes the nodes' sum, or their mean when nodes divide it. */
static void add_up(double *numbers, long count, double divisor)
{
    double *work = need_numbers(count);
    gdsum(numbers, count, work);
    for (long i = 0; i < count; i++)
        numbers[i] /= divisor;
    free(work);
}

static void take_largest(double *numbers, long count)
{
    double *work = need_numbers(count);
    gdhigh(numbers, count, work);
    free(work);
}

static void take_sample(struct measurement *measurement, struct data_set *set, long sample,
                        unsigned long reading_cost)
{
    data_set_fill(set, signal_noise);
    set->traffic = (struct traffic){0};
    gsync();
    unsigned long start = nx_cycles();
    data_set_transform(set);
    double time = (double)(nx_cycles() - start) / nx_cycles_per_second();
    double inside = traffic_seconds(&set->traffic, reading_cost);
    measurement->times[sample] = time * 1e9;
    measurement->message_times[sample] = inside * 1e9;
    measurement->shares[sample] = 100 * inside / time;
    measurement->node_times[mynode()] += inside * 1e9 / (double)measurement->samples;
}

void measurement_take(struct measurement *measurement, struct data_set *set, long samples)
{
    *measurement = (struct measurement){.samples = samples,
                                        .times = need_numbers(samples),
                                        .message_times = need_numbers(samples),
                                        .shares = need_numbers(samples),
                                        .node_times = need_numbers(numnodes())};
    unsigned long reading_cost = traffic_reading_cost();
    for (long sample = 0; sample < samples; sample++)
        take_sample(measurement, set, sample, reading_cost);
    take_largest(measurement->times, samples);
    add_up(measurement->message_times, samples, (double)numnodes());
    add_up(measurement->shares, samples, (double)numnodes());
    add_up(measurement->node_times, numnodes(), 1);
    double sent[] = {(double)set->traffic.messages, (double)set->traffic.bytes};
    add_up(sent, 2, 1);
    measurement->messages = (long)sent[0];
    measurement->bytes = (long)sent[1];
}

void measurement_free(struct measurement *measurement)
{
    free(measurement->times);
    free(measurement->message_times);
    free(measurement->shares);
    free(measurement->node_times);
}

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(const double *samples, long count)
{
    double *sorted = need_numbers(count);
    memcpy(sorted, samples, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, by_size);
    double middle = (sorted[count / 2] + sorted[(count - 1) / 2]) / 2;
    free(sorted);
    return middle;
}

void measurement_heading(void)
{
    if (mynode() == 0)
        table_printf("%8s %8s %8s %10s %11s %11s %7s %6s  %s\n", "points", "messages", "of bytes", "in all",
                     "time us", "inside us", "share", "error", "spectrum");
}

void measurement_show(const struct measurement *measurement, const struct data_set *set, double error,
                      unsigned long digest)
{
    if (mynode() != 0)
        return;
    long each = measurement->messages ? measurement->bytes / measurement->messages : 0;
    table_printf("%8ld %8ld %8ld %10ld %11.1f %11.1f %6.1f%% %6.3f  %016lx\n", set->points,
                 measurement->messages, each, measurement->bytes,
                 median(measurement->times, measurement->samples) / 1e3,
                 median(measurement->message_times, measurement->samples) / 1e3,
                 median(measurement->shares, measurement->samples), error, digest);
    printf("%8ld points, us inside, for each node:", set->points);
    for (long node = 0; node < numnodes(); node++)
        printf(" %.1f", measurement->node_times[node] / 1e3);
    printf("\n");
}

/* Rows are told apart by the bytes of all points: 16 times their number. The digest's first 48 bits fit a
 * row. */
void measurement_report(const struct measurement *measurement, const struct data_set *set,
                        unsigned long digest)
{
    if (mynode() != 0)
        return;
    long bytes = set->points * (long)sizeof(struct point);
    double messages = (double)measurement->messages, sent = (double)measurement->bytes;
    double spectrum = (double)(digest >> 16);
    nx_report("fft time", bytes, "", "ns", measurement->times, measurement->samples);
    nx_report("message time", bytes, "", "ns", measurement->message_times, measurement->samples);
    nx_report("share", bytes, "", "percent", measurement->shares, measurement->samples);
    nx_report("messages", bytes, "", "messages", &messages, 1);
    nx_report("bytes sent", bytes, "", "bytes", &sent, 1);
    nx_report("spectrum", bytes, "", "digest", &spectrum, 1);
}
