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

/* One side: the word that it writes, that which it polls, and the value there that is no news. */
struct player {
    volatile unsigned *out, *in;
    unsigned stale;
};

static struct player near_side(struct ping_pong_cells *cells, enum ping_pong_lines lines)
{
    return (struct player){&cells->there, lines == one_line ? &cells->there : &cells->back, 0};
}

static struct player far_side(struct ping_pong_cells *cells, enum ping_pong_lines lines)
{
    return (struct player){lines == one_line ? &cells->there : &cells->back, &cells->there, 0};
}

/* x86-64 keeps the stores of one processor in order, so that a volatile word is enough to hand a turn over.
 * In a word that both write, what this side has written is no news to it. */
static inline void write_turn(struct player *player, unsigned value)
{
    *player->out = value;
    if (player->out == player->in)
        player->stale = value;
}

/* With fewer processors than nodes the other side may not be running: then the processor is given away now
 * and then. */
static inline unsigned await_turn(struct player *player)
{
    for (;;) {
        for (long spins = patience; spins; spins--) {
            unsigned value = *player->in;
            if (value != player->stale)
                return player->stale = value;
            nx_pause();
        }
        flick();
    }
}

void ping_pong_serve(struct ping_pong_cells *cells, enum ping_pong_lines lines)
{
    struct player player = far_side(cells, lines);
    for (unsigned value; (value = await_turn(&player)) != finished;)
        write_turn(&player, value + 1);
}

static void bounce(struct player *player, unsigned *turn, long rounds)
{
    while (rounds--) {
        write_turn(player, *turn + 1);
        *turn = await_turn(player);
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
static long calibrated(struct player *player, unsigned *turn)
{
    long rounds = 1;
    while (rounds < most_rounds) {
        unsigned long start = nx_cycles();
        bounce(player, turn, rounds);
        if (nanoseconds(nx_cycles() - start) >= sample_ns)
            break;
        rounds *= 2;
    }
    return rounds;
}

void ping_pong_measure(struct ping_pong_cells *cells, enum ping_pong_lines lines)
{
    double samples[sample_count];
    struct player player = near_side(cells, lines);
    unsigned turn = 0;
    long rounds = calibrated(&player, &turn);
    for (int i = 0; i < sample_count; i++) {
        unsigned long start = nx_cycles();
        bounce(&player, &turn, rounds);
        samples[i] = nanoseconds(nx_cycles() - start) / (double)rounds;
    }
    write_turn(&player, finished);
    show(lines == one_line ? "bare ping-pong" : "two-line ping-pong", samples);
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
