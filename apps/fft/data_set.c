/* SPDX-License-Identifier: MIT */
#include "data_set.h"

#include <stdint.h>

/* Stage s over the network: points `reach` = points / 2^(s+1) apart meet; reach is a multiple of a node's
 * part. */
static long reach_of(const struct data_set *set, int stage)
{
    return set->points >> (stage + 1);
}

static long partner_of(const struct data_set *set, int stage)
{
    return mynode() ^ reach_of(set, stage) / (2 * set->half);
}

static int is_low(const struct data_set *set, int stage)
{
    return mynode() < partner_of(set, stage);
}

static struct point *turns_of(const struct data_set *set, int stage)
{
    return set->turns + (stage + 1) * set->half;
}

static void fill_turns(struct data_set *set)
{
    fft_fill_turns(set->turns, 0, set->half, set->half);
    for (int stage = 0; stage < fft_log2(numnodes()); stage++) {
        long first = mynode() * 2 * set->half + (is_low(set, stage) ? 0 : set->half);
        long reach = reach_of(set, stage);
        fft_fill_turns(turns_of(set, stage), first % reach, reach, set->half);
    }
}

static int has_spare(void)
{
    return numnodes() > 1 && !nx_hands_over();
}

static void take_apart(struct data_set *set, long bytes, long alignment)
{
    set->lower = buffers_take(set->shared, bytes, alignment);
    set->upper = buffers_take(set->shared, bytes, alignment);
    if (has_spare())
        set->spare = buffers_take(set->shared, bytes, alignment);
}

/* What nx_alloc takes and aligns at least: no block lies nearer to another. */
enum { least_block = 256 };

/* A block of its own, so many bytes beyond some multiple of the alignment. nx_alloc says nothing of where its
 * blocks lie, so others are taken until one lies there. */
static void *shared_at(long bytes, long alignment, long offset)
{
    struct passed {
        struct passed *before;
    } *last = 0, *block = buffers_take(1, bytes, 16);
    while ((long)((uintptr_t)block % (uintptr_t)alignment) != offset % alignment) {
        block->before = last;
        last = block;
        block = buffers_take(1, bytes, 16);
    }
    while (last) {
        struct passed *before = last->before;
        buffers_return(1, last);
        last = before;
    }
    return block;
}

static void take_shared_together(struct data_set *set, long bytes, long alignment)
{
    long next = bytes < least_block ? least_block : bytes;
    set->lower = shared_at(bytes, alignment, 0);
    set->upper = shared_at(bytes, alignment, next);
    if (has_spare())
        set->spare = shared_at(bytes, alignment, 2 * next);
}

static void take_together(struct data_set *set, long bytes, long alignment)
{
    /* By turns, or nodes would keep from each other what they pass over. */
    for (long turn = 0; set->shared && turn < numnodes(); turn++) {
        if (turn == mynode())
            take_shared_together(set, bytes, alignment);
        gsync();
    }
    if (set->shared)
        return;
    set->region = buffers_take(0, 3 * bytes, alignment);
    set->lower = set->region;
    set->upper = set->region + set->half;
    if (has_spare())
        set->spare = set->region + 2 * set->half;
}

void data_set_make(struct data_set *set, long points, int shared, enum layout layout, long alignment)
{
    *set = (struct data_set){.points = points, .half = points / (2 * numnodes()), .shared = shared};
    long bytes = set->half * (long)sizeof(struct point);
    (layout == layout_together ? take_together : take_apart)(set, bytes, alignment);
    set->turns = buffers_take(0, bytes * (fft_log2(numnodes()) + 1), 64);
    fill_turns(set);
}

void data_set_free(struct data_set *set)
{
    if (set->region)
        buffers_return(0, set->region);
    else {
        buffers_return(set->shared, set->lower);
        buffers_return(set->shared, set->upper);
        buffers_return(set->shared, set->spare);
    }
    buffers_return(0, set->turns);
}

void data_set_fill(struct data_set *set, enum signal_kind kind)
{
    long first = mynode() * 2 * set->half;
    for (long i = 0; i < set->half; i++) {
        set->lower[i] = signal_at(kind, first + i, set->points);
        set->upper[i] = signal_at(kind, first + set->half + i, set->points);
    }
}

struct point data_set_at(const struct data_set *set, long i)
{
    return i < set->half ? set->lower[i] : set->upper[i - set->half];
}

/* Sends `mine` away and returns what the partner sent. Partners both send first: isend never waits for
 * them. */
static struct point *exchange(struct data_set *set, struct point *mine, long type, long partner)
{
    long bytes = set->half * (long)sizeof *mine;
    void *theirs = set->spare;
    unsigned long start = nx_cycles();
    long id = isend(type, mine, bytes, partner, 0);
    crecvp(type, &theirs, bytes);
    msgwait(id);
    traffic_call(&set->traffic, start);
    traffic_sent(&set->traffic, bytes);
    if (!nx_hands_over())
        set->spare = mine;
    return theirs;
}

static void network_stage(struct data_set *set, int stage)
{
    long there = 2 * stage, back = there + 1, partner = partner_of(set, stage);
    if (is_low(set, stage)) {
        struct point *theirs = exchange(set, set->upper, there, partner);
        fft_butterflies(set->lower, theirs, turns_of(set, stage), 1, set->half);
        set->upper = exchange(set, theirs, back, partner);
    } else {
        struct point *theirs = exchange(set, set->lower, there, partner);
        fft_butterflies(theirs, set->upper, turns_of(set, stage), 1, set->half);
        set->lower = exchange(set, theirs, back, partner);
    }
}

void data_set_transform(struct data_set *set)
{
    for (int stage = 0; stage < fft_log2(numnodes()); stage++)
        network_stage(set, stage);
    fft_butterflies(set->lower, set->upper, set->turns, 1, set->half);
    fft_stages(set->lower, set->half, set->turns, set->half);
    fft_stages(set->upper, set->half, set->turns, set->half);
}
