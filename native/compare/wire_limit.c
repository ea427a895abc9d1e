/* SPDX-License-Identifier: MIT */
/* What the machine allows: exchanges that are written by hand for one sender and one receiver, which know
 * what comes next. There are no tags, no queues of what nobody waits for, no checks, and nobody sleeps. So
 * this is no message system, and is ranked with none: it is what others are measured by.
 *
 *     measure-limit [-n RANKS] --way WAY TEST...
 *
 *   line      a ring of entries of one cache line: a number, and up to 56 bytes
 *   lines     entries of as many lines as the bytes fill, with a number in each: written last to first and
 *             looked at first to last, so that all are on their way at once
 *   two-lines the same with half of the bytes in each of two lines, however few they are: for a message
 *             system whose own words fill a part of the first
 *   once      the receiver copies from the sender's buffer, while the sender waits
 *   twice     both sides copy, one into shared memory and one out of it, of large messages piece by piece
 *   shared    both sides copy from the sender's buffer into the receiver's, each what the other has not begun
 *   pointer   a ring of one line that hands a buffer over, whatever its length
 *   ring      a bounded queue with an index for each of the two, which reads the other's each time, as
 *             Boost's lock-free ring of one producer and one consumer does: for streams
 *
 * The collectives are the same in each: a counter for barriers, a line that all read, a line of each that all
 * read. A sender overtakes its receiver by no more than a window of the tests (measure.c), and a broadcast's
 * roots take turns, so entries and lines that are written again have been read. */
#define _GNU_SOURCE
#include "native/compare/own_ranks.h"
#include "native/compare/wire.h"

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    line_bytes = 56,
    most_lines = 3,
    entries = 128, /* more than a window and its answer */
    piece = 1 << 13,
    slots = 8,
    share = 1 << 12, /* that one side copies before it looks for more */
    ring_words = 1 << 12,
    turns = 2 * most_own_ranks, /* broadcasts until a line is written again */
    looks_until_yield = 64,
};
static const size_t shared_bytes = (size_t)1 << 28; /* of which what is used becomes memory */

struct line {
    _Alignas(64) uint64_t number;
    char bytes[line_bytes];
};
struct entry {
    struct line lines[most_lines];
};
struct slot {
    _Alignas(64) uint64_t number;
    _Alignas(64) char bytes[piece];
};

/* A copy that both sides make. */
struct shared_copy {
    _Alignas(64) uint64_t number; /* of the message; the receiver writes it last */
    char *to;
    _Alignas(64) uint64_t begun; /* shares */
    _Alignas(64) uint64_t done;
};

/* From one of two ranks to the other. */
struct channel {
    struct line ring_of_lines[entries];
    struct entry ring_of_entries[entries];
    struct slot slots[slots];
    struct shared_copy
        copies[2]; /* of one message, and of the next, which nobody begins before that is over */
    _Alignas(64) uint64_t taken;   /* pieces or messages that the receiver has copied; it writes */
    _Alignas(64) uint64_t written; /* words of `words` that hold messages; the sender writes */
    _Alignas(64) uint64_t read;    /* words of them that are free again; the receiver writes */
    _Alignas(64) uint64_t words[ring_words];
};

/* What all ranks share. */
struct together {
    _Alignas(64) uint64_t came;
    _Alignas(64) uint64_t met;
    struct line broadcasts[turns];
    struct line sums[2][most_own_ranks];
};

struct way {
    const char *name;
    size_t longest; /* bytes */
    void (*send)(struct channel *channel, void **buffer, size_t bytes);
    void (*receive)(struct channel *channel, void **buffer, size_t bytes);
};

static int rank, ranks, is_crowded;
static struct channel *channels; /* by the receiver's rank */
static struct together *together;
static const struct way *way;
static uint64_t sent, received; /* entries or pieces; of the ring: words */

static uint64_t read_word(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static void write_word(uint64_t *word, uint64_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/* A look that follows another at once holds up the store that it waits for. */
static void await(const uint64_t *word, uint64_t value)
{
    for (int looks = 0; read_word(word) < value; looks++) {
        __builtin_ia32_pause();
        if (is_crowded && looks % looks_until_yield == looks_until_yield - 1)
            sched_yield();
    }
}

/* A line's bytes, by moves that may overlap. */
static inline void copy_line(char *to, const char *from, size_t bytes)
{
    typedef uint64_t two[2];
    const size_t step = bytes >= sizeof(two) ? sizeof(two) : bytes >= 8 ? 8 : 1;
    if (step == sizeof(two)) {
        for (size_t at = 0; at + sizeof(two) <= bytes; at += sizeof(two))
            memcpy(to + at, from + at, sizeof(two));
        memcpy(to + bytes - sizeof(two), from + bytes - sizeof(two), sizeof(two));
    } else if (step == 8) {
        memcpy(to, from, 8);
        memcpy(to + bytes - 8, from + bytes - 8, 8);
    } else {
        for (size_t at = 0; at < bytes; at++)
            to[at] = from[at];
    }
}

static void send_line(struct channel *channel, void **buffer, size_t bytes)
{
    struct line *const line = &channel->ring_of_lines[++sent % entries];
    copy_line(line->bytes, *buffer, bytes);
    write_word(&line->number, sent);
}

static void receive_line(struct channel *channel, void **buffer, size_t bytes)
{
    struct line *const line = &channel->ring_of_lines[++received % entries];
    await(&line->number, received);
    copy_line(*buffer, line->bytes, bytes);
}

static size_t part_of(size_t bytes, size_t first)
{
    return bytes - first < line_bytes ? bytes - first : line_bytes;
}

static size_t last_line(size_t bytes)
{
    return bytes == 0 ? 0 : (bytes - 1) / line_bytes;
}

static void send_lines(struct channel *channel, void **buffer, size_t bytes)
{
    struct line *const lines = channel->ring_of_entries[++sent % entries].lines;
    for (size_t left = last_line(bytes) + 1; left-- > 0;) {
        const size_t first = left * line_bytes;
        copy_line(lines[left].bytes, (const char *)*buffer + first, part_of(bytes, first));
        write_word(&lines[left].number, sent);
    }
}

static void receive_lines(struct channel *channel, void **buffer, size_t bytes)
{
    struct line *const lines = channel->ring_of_entries[++received % entries].lines;
    const size_t last = last_line(bytes);
    for (size_t line = 0; line <= last; line++)
        await(&lines[line].number, received);
    for (size_t line = 0; line <= last; line++)
        copy_line((char *)*buffer + line * line_bytes, lines[line].bytes, part_of(bytes, line * line_bytes));
}

/* Bytes in the first of two lines. */
static size_t half_of(size_t bytes)
{
    return (bytes / 2 + 7) / 8 * 8;
}

static void send_two_lines(struct channel *channel, void **buffer, size_t bytes)
{
    struct line *const lines = channel->ring_of_entries[++sent % entries].lines;
    const size_t half = half_of(bytes);
    copy_line(lines[1].bytes, (const char *)*buffer + half, bytes - half);
    write_word(&lines[1].number, sent);
    copy_line(lines[0].bytes, *buffer, half);
    write_word(&lines[0].number, sent);
}

static void receive_two_lines(struct channel *channel, void **buffer, size_t bytes)
{
    struct line *const lines = channel->ring_of_entries[++received % entries].lines;
    const size_t half = half_of(bytes);
    await(&lines[0].number, received);
    await(&lines[1].number, received);
    copy_line(*buffer, lines[0].bytes, half);
    copy_line((char *)*buffer + half, lines[1].bytes, bytes - half);
}

static void send_twice(struct channel *channel, void **buffer, size_t bytes)
{
    size_t at = 0;
    do {
        struct slot *const slot = &channel->slots[++sent % slots];
        const size_t part = bytes - at < piece ? bytes - at : piece;
        if (sent > slots)
            await(&channel->taken, sent - slots);
        memcpy(slot->bytes, (const char *)*buffer + at, part);
        write_word(&slot->number, sent);
        at += part;
    } while (at < bytes);
}

static void receive_twice(struct channel *channel, void **buffer, size_t bytes)
{
    size_t at = 0;
    do {
        struct slot *const slot = &channel->slots[++received % slots];
        const size_t part = bytes - at < piece ? bytes - at : piece;
        await(&slot->number, received);
        memcpy((char *)*buffer + at, slot->bytes, part);
        write_word(&channel->taken, received);
        at += part;
    } while (at < bytes);
}

static void send_once(struct channel *channel, void **buffer, size_t bytes)
{
    send_line(channel, (void *[]){buffer}, sizeof *buffer);
    if (bytes > 0)
        await(&channel->taken, sent);
}

static void receive_pointer(struct channel *channel, void **buffer, size_t bytes)
{
    (void)bytes;
    receive_line(channel, (void *[]){buffer}, sizeof *buffer);
}

static void receive_once(struct channel *channel, void **buffer, size_t bytes)
{
    void *from;
    receive_pointer(channel, &from, bytes);
    memcpy(*buffer, from, bytes);
    if (bytes > 0)
        write_word(&channel->taken, received);
}

static void send_pointer(struct channel *channel, void **buffer, size_t bytes)
{
    (void)bytes;
    send_line(channel, (void *[]){buffer}, sizeof *buffer);
}

/* Copies shares of the message until none is left and the other's are done, too. */
static void copy_shares(struct shared_copy *copy, const char *from, size_t bytes)
{
    const uint64_t all = (bytes + share - 1) / share;
    for (;;) {
        const uint64_t one = __atomic_fetch_add(&copy->begun, 1, __ATOMIC_RELAXED);
        if (one >= all)
            break;
        const size_t at = one * share;
        memcpy(copy->to + at, from + at, bytes - at < share ? bytes - at : share);
        __atomic_fetch_add(&copy->done, 1, __ATOMIC_RELEASE);
    }
    await(&copy->done, all);
}

static void send_shared(struct channel *channel, void **buffer, size_t bytes)
{
    send_pointer(channel, buffer, bytes);
    struct shared_copy *const copy = &channel->copies[sent % 2];
    await(&copy->number, sent);
    copy_shares(copy, *buffer, bytes);
}

static void receive_shared(struct channel *channel, void **buffer, size_t bytes)
{
    void *from;
    receive_pointer(channel, &from, bytes);
    struct shared_copy *const copy = &channel->copies[received % 2];
    copy->to = *buffer;
    copy->begun = copy->done = 0;
    write_word(&copy->number, received);
    copy_shares(copy, from, bytes);
}

/* Words from `at` on that a message takes, with those that it leaves behind since it does not fit there; at
 * least one. */
static uint64_t words_of(size_t bytes, uint64_t at, uint64_t *first)
{
    const uint64_t words = bytes == 0 ? 1 : (bytes + 7) / 8, before_end = ring_words - at % ring_words;
    *first = words <= before_end ? at % ring_words : 0;
    return words <= before_end ? words : before_end + words;
}

static void send_ring(struct channel *channel, void **buffer, size_t bytes)
{
    uint64_t first;
    sent += words_of(bytes, sent, &first);
    if (sent > ring_words)
        await(&channel->read, sent - ring_words);
    memcpy(&channel->words[first], *buffer, bytes);
    write_word(&channel->written, sent);
}

static void receive_ring(struct channel *channel, void **buffer, size_t bytes)
{
    uint64_t first;
    received += words_of(bytes, received, &first);
    await(&channel->written, received);
    memcpy(*buffer, &channel->words[first], bytes);
    write_word(&channel->read, received);
}

static const struct way ways[] = {
    {"line", line_bytes, send_line, receive_line},
    {"lines", most_lines *line_bytes, send_lines, receive_lines},
    {"two-lines", 2 * line_bytes, send_two_lines, receive_two_lines},
    {"twice", SIZE_MAX, send_twice, receive_twice},
    {"once", SIZE_MAX, send_once, receive_once},
    {"shared", SIZE_MAX, send_shared, receive_shared},
    {"pointer", SIZE_MAX, send_pointer, receive_pointer},
    {"ring", ring_words * 8 / 2, send_ring, receive_ring},
};

static const struct way *way_called(const char *name)
{
    for (size_t one = 0; one < sizeof ways / sizeof ways[0]; one++)
        if (name && !strcmp(name, ways[one].name))
            return &ways[one];
    fprintf(stderr,
            "measure-limit: --way takes line, lines, two-lines, once, twice, shared, pointer or ring%s%s\n",
            name ? ", not " : "", name ? name : "");
    exit(2);
}

void wire_begin(int *count, char ***words)
{
    ranks = own_ranks(count, words, shared_bytes);
    const int is_given = *count > 1 && !strcmp((*words)[1], "--way");
    way = way_called(is_given && *count > 2 ? (*words)[2] : NULL);
    (*words)[2] = (*words)[0];
    *words += 2;
    *count -= 2;
    is_crowded = ranks > sysconf(_SC_NPROCESSORS_ONLN);
    channels = wire_shared(2 * sizeof *channels);
    together = wire_shared(sizeof *together);
    rank = own_ranks_start();
}

size_t wire_longest(void)
{
    return way->longest;
}

void *wire_buffer(size_t bytes)
{
    const size_t whole = (bytes + 4095) / 4096 * 4096 + 4096;
    char *const of_all = wire_shared(whole * (size_t)ranks);
    return memset(of_all + whole * (size_t)rank, 1, whole);
}

void wire_send(void **buffer, size_t bytes, int to)
{
    way->send(&channels[to], buffer, bytes);
}

void wire_receive(void **buffer, size_t bytes, int from)
{
    (void)from;
    way->receive(&channels[rank], buffer, bytes);
}

void wire_barrier(void)
{
    static uint64_t number;
    number++;
    if (__atomic_add_fetch(&together->came, 1, __ATOMIC_ACQ_REL) == number * (uint64_t)ranks)
        write_word(&together->met, number);
    else
        await(&together->met, number);
}

void wire_broadcast(void *buffer, size_t bytes, int root)
{
    static uint64_t number;
    struct line *const line = &together->broadcasts[++number % turns];
    if (rank == root) {
        copy_line(line->bytes, buffer, bytes);
        write_word(&line->number, number);
    } else {
        await(&line->number, number);
        copy_line(buffer, line->bytes, bytes);
    }
}

void wire_sum(double *values, int count)
{
    static uint64_t number;
    struct line *const lines = together->sums[++number % 2];
    const size_t bytes = (size_t)count * sizeof *values;
    copy_line(lines[rank].bytes, (const char *)values, bytes);
    write_word(&lines[rank].number, number);
    memset(values, 0, bytes);
    for (int other = 0; other < ranks; other++) {
        await(&lines[other].number, number);
        for (int one = 0; one < count; one++)
            values[one] += ((const double *)lines[other].bytes)[one];
    }
}
