/* SPDX-License-Identifier: MIT */
#include "yardsticks.h"

#include <nx.h>
#include <stdio.h>

enum { sample_count = 15, most_rounds = 1000, patience = 1 << 16 };

static const unsigned finished = ~0u;
static const double sample_ns = 1e6;

double nanoseconds(unsigned long cycles)
{
    return (double)cycles * 1e9 / nx_cycles_per_second();
}

/* Waits until the cell leaves the value last written. With fewer processors than nodes the other side may not
 * be running: then the processor is given away now and then. */
static unsigned await_change(struct ping_pong_cell *cell, unsigned written)
{
    for (;;) {
        for (long spins = patience; spins; spins--) {
            unsigned value = cell->value;
            if (value != written)
                return value;
            nx_pause();
        }
        flick();
    }
}

/* x86-64 keeps the stores of one processor in order, so that a volatile word is enough to hand a turn over.
 * */
void ping_pong_serve(struct ping_pong_cell *cell)
{
    unsigned written = 0;
    for (;;) {
        unsigned value = await_change(cell, written);
        if (value == finished)
            return;
        written = value + 1;
        cell->value = written;
    }
}

static void bounce(struct ping_pong_cell *cell, unsigned *turn, long rounds)
{
    while (rounds--) {
        cell->value = *turn + 1;
        *turn = await_change(cell, *turn + 1);
    }
}

static void show(const char *name, const double *samples)
{
    double least = samples[0];
    for (int i = 1; i < sample_count; i++)
        least = samples[i] < least ? samples[i] : least;
    printf("%s: %.3f us at best\n", name, least / 1e3);
    nx_report(name, 0, "", "ns", samples, sample_count);
}

/* Doubles the rounds until they take about a sample's time. */
static long calibrated(struct ping_pong_cell *cell, unsigned *turn)
{
    long rounds = 1;
    while (rounds < most_rounds) {
        unsigned long start = nx_cycles();
        bounce(cell, turn, rounds);
        if (nanoseconds(nx_cycles() - start) >= sample_ns)
            break;
        rounds *= 2;
    }
    return rounds;
}

void ping_pong_measure(struct ping_pong_cell *cell)
{
    double samples[sample_count];
    unsigned turn = 0;
    long rounds = calibrated(cell, &turn);
    for (int i = 0; i < sample_count; i++) {
        unsigned long start = nx_cycles();
        bounce(cell, &turn, rounds);
        samples[i] = nanoseconds(nx_cycles() - start) / (double)rounds;
    }
    cell->value = finished;
    show("bare ping-pong", samples);
}

void null_call_measure(void)
{
    enum { calls = 500 };
    double samples[sample_count];
    for (int i = 0; i < sample_count; i++) {
        unsigned long start = nx_cycles();
        for (int call = 0; call < calls; call++)
            nx_null_call();
        samples[i] = nanoseconds(nx_cycles() - start) / calls;
    }
    show("null proxy call", samples);
}
