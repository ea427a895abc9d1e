/* SPDX-License-Identifier: MIT */
#include "yardsticks.h"

#include "../support/own_table.h"

#include <nx.h>
#include <stdio.h>

enum { most_rounds = 1000, patience = 1 << 16 };

static const unsigned finished = ~0u;
static const double sample_ns = 1e6;

double nanoseconds(unsigned long cycles)
{
    return (double)cycles * 1e9 / nx_cycles_per_second();
}

/* One side: the word that it writes, and that which it polls. */
struct player {
    volatile unsigned *out, *in;
};

static struct player near_side(struct ping_pong_cells *cells, enum ping_pong_lines lines)
{
    return (struct player){&cells->there, lines == one_line ? &cells->there : &cells->back};
}

static struct player far_side(struct ping_pong_cells *cells, enum ping_pong_lines lines)
{
    return (struct player){lines == one_line ? &cells->there : &cells->back, &cells->there};
}

/* Waits for another value than `stale`. With fewer processors than nodes the other side may not be running:
 * then the processor is given away now and then. */
static unsigned await_news(volatile unsigned *word, unsigned stale)
{
    for (;;) {
        for (long spins = patience; spins; spins--) {
            unsigned value = *word;
            if (value != stale)
                return value;
            nx_pause();
        }
        flick();
    }
}

/* What is no news to a player who has read one value and written the other. */
static unsigned stale_for(struct player player, unsigned read, unsigned written)
{
    return player.out == player.in ? written : read;
}

/* x86-64 keeps the stores of one processor in order, so that a volatile word is enough to hand a turn over.
 * */
void ping_pong_serve(struct ping_pong_cells *cells, enum ping_pong_lines lines)
{
    struct player player = far_side(cells, lines);
    unsigned stale = 0;
    for (unsigned value; (value = await_news(player.in, stale)) != finished;) {
        *player.out = value + 1;
        stale = stale_for(player, value, value + 1);
    }
}

/* The last turn. */
static unsigned bounce(struct player player, unsigned turn, long rounds)
{
    while (rounds--) {
        *player.out = turn + 1;
        turn = await_news(player.in, stale_for(player, turn, turn + 1));
    }
    return turn;
}

static void show(const char *name, const double *samples, int count)
{
    double least = samples[0];
    for (int i = 1; i < count; i++)
        least = samples[i] < least ? samples[i] : least;
    table_printf("%s: %.3f us at best\n", name, least / 1e3);
    nx_report(name, 0, "", "ns", samples, count);
}

/* Doubles the rounds until they take about a sample's time. */
static long calibrated(struct player player, unsigned *turn)
{
    long rounds = 1;
    while (rounds < most_rounds) {
        unsigned long start = nx_cycles();
        *turn = bounce(player, *turn, rounds);
        if (nanoseconds(nx_cycles() - start) >= sample_ns)
            break;
        rounds *= 2;
    }
    return rounds;
}

void ping_pong_measure(struct ping_pong_cells *cells, enum ping_pong_lines lines, int count)
{
    double samples[count];
    struct player player = near_side(cells, lines);
    unsigned turn = 0;
    long rounds = calibrated(player, &turn);
    for (int i = 0; i < count; i++) {
        unsigned long start = nx_cycles();
        turn = bounce(player, turn, rounds);
        samples[i] = nanoseconds(nx_cycles() - start) / (double)rounds;
    }
    *player.out = finished;
    show(lines == one_line ? "bare ping-pong" : "two-line ping-pong", samples, count);
}

void null_call_measure(int count)
{
    enum { calls = 500 };
    double samples[count];
    for (int i = 0; i < count; i++) {
        unsigned long start = nx_cycles();
        for (int call = 0; call < calls; call++)
            nx_null_call();
        samples[i] = nanoseconds(nx_cycles() - start) / calls;
    }
    show("null proxy call", samples, count);
}
