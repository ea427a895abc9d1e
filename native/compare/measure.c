/* SPDX-License-Identifier: MIT */
/* measure TEST...: what a message costs its user, over the message system that is linked (wire.h).
 *   pingpong    half a round trip, of every size
 *   oneway      8 bytes that come at random times
 *   stream      a message of 8 bytes among many, each window of 64 answered
 *   collectives barrier, broadcast and sum of 8 bytes, by all ranks
 *   lines       half a round trip of two bare cache lines: the yardstick, measured as all else is
 * Each measurement is one line,
 *   ROW,metric,bytes,least,lower quartile,median,upper quartile,most,yardstick before,yardstick after
 * in nanoseconds, of 61 short batches. The lower quartile stands for the undisturbed case on a machine that
 * others use, too. The yardstick is a message of two bare cache lines between the same two
 * ranks, taken just before and just after: hypervisors move processors, and only ratios within one line mean
 * something. Collectives of more than two ranks have none (0). */
#define _GNU_SOURCE
#include "native/compare/wire.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { batches = 61, window = 64, random_messages = 100, largest = 1 << 20 };

static const size_t sizes[] = {0, 8, 48, 64, 100, 128, 512, 1024, 2048, 4096, 16384, 65536, largest};
static const double batch_ns = 1.5e5; /* short, so that many fall between two disturbances */

static int rank, other;
static void *out, *in;
static uint64_t *lines;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static uint64_t ticks(void)
{
    return __builtin_ia32_rdtsc();
}

static int by_value(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

/* Messages of two lines, each written by one side and polled by the other. */
static void two_lines(size_t bytes, int count)
{
    uint64_t *const mine = lines + 8 * rank, *const others = lines + 8 * other;
    uint64_t number = __atomic_load_n(others, __ATOMIC_ACQUIRE);
    (void)bytes;
    for (int i = 0; i < count; i++) {
        ++number;
        if (rank == 0)
            __atomic_store_n(others, number, __ATOMIC_RELEASE);
        while (__atomic_load_n(mine, __ATOMIC_ACQUIRE) < number)
            ;
        if (rank != 0)
            __atomic_store_n(others, number, __ATOMIC_RELEASE);
    }
}

/* One way over two lines, the best of a few. */
static double yardstick(void)
{
    enum { tries = 6, rounds = 200 };
    double best = 1e18;
    for (int i = 0; i < tries; i++) {
        const double began = now();
        two_lines(0, rounds);
        const double one = (now() - began) / (2 * rounds);
        if (i > 0 && one < best)
            best = one;
    }
    return best;
}

static void report(const char *metric, size_t bytes, double *values, double before, double after)
{
    qsort(values, batches, sizeof *values, by_value);
    printf("ROW,%s,%zu,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f\n", metric, bytes, values[0], values[batches / 4],
           values[batches / 2], values[batches * 3 / 4], values[batches - 1], before, after);
    fflush(stdout);
}

typedef void exchange(size_t bytes, int count);

static void ping_pong(size_t bytes, int count)
{
    for (int i = 0; i < count; i++) {
        if (rank == 0)
            wire_send(&out, bytes, other);
        wire_receive(&in, bytes, other);
        if (rank != 0)
            wire_send(&out, bytes, other);
        void *const received = in; /* a buffer that was handed over goes back with the next message */
        in = out;
        out = received;
    }
}

static void stream(size_t bytes, int count)
{
    for (int i = 0; i < count; i++) {
        for (int one = 0; one < window; one++)
            if (rank == 0)
                wire_send(&out, bytes, other);
            else
                wire_receive(&in, bytes, other);
        if (rank == 0)
            wire_receive(&in, 0, other);
        else
            wire_send(&out, 0, other);
    }
}

static void barrier(size_t bytes, int count)
{
    (void)bytes;
    for (int i = 0; i < count; i++)
        wire_barrier();
}

/* Each rank is the root in its turn, and so has to wait for the broadcast before. */
static void broadcast(size_t bytes, int count)
{
    static char value[64];
    for (int i = 0; i < count; i++)
        wire_broadcast(value, bytes, i % wire_ranks());
}

static void sum(size_t bytes, int count)
{
    double value = 1;
    for (int i = 0; i < count; i++) {
        wire_sum(&value, (int)(bytes / sizeof value));
        value = 1;
    }
}

/* `per`: of these in one exchange. */
static void measure(const char *metric, exchange *run, size_t bytes, double per, int pair)
{
    double values[batches];
    run(bytes, 20);
    const double began = now();
    run(bytes, 10);
    double count = batch_ns / ((now() - began) / 10);
    count = count < 1 ? 1 : count > 20000 ? 20000 : count;
    if (rank != 0)
        count = 0;
    wire_sum(&count, 1); /* what rank 0 says */
    const double before = pair ? yardstick() : 0;
    for (int batch = 0; batch < batches; batch++) {
        if (!pair)
            wire_barrier();
        const double start = now();
        run(bytes, (int)count);
        values[batch] = (now() - start) / (int)count / per;
    }
    const double after = pair ? yardstick() : 0;
    if (rank == 0)
        report(metric, bytes, values, before, after);
}

/* Without a rhythm: in a ping-pong both sides fall into step. The sender waits for a random while before each
 * message, which carries the time of its sending. A batch's value is the mean of its best nine tenths. */
static void one_way(void)
{
    static double values[batches], late[random_messages];
    uint64_t seed = 42;
    const double began = now();
    const uint64_t first = ticks();
    while (now() - began < 5e6)
        ;
    const double scale = (now() - began) / (double)(ticks() - first);
    ping_pong(0, 10);
    const double before = yardstick();
    for (int batch = -1; batch < batches; batch++) {
        for (int i = 0; i < random_messages; i++) {
            if (rank == 0) {
                seed = seed * 6364136223846793005ull + 1;
                const uint64_t length = (seed >> 33) % 3000, start = ticks();
                while (ticks() - start < length)
                    ;
                const uint64_t stamp = ticks();
                memcpy(out, &stamp, sizeof stamp);
                wire_send(&out, sizeof stamp, other);
                wire_receive(&in, 0, other);
            } else {
                uint64_t stamp;
                wire_receive(&in, sizeof stamp, other);
                const uint64_t came = ticks();
                memcpy(&stamp, in, sizeof stamp);
                late[i] = (double)(int64_t)(came - stamp) * scale;
                wire_send(&out, 0, other);
            }
            void *const received = in;
            in = out;
            out = received;
        }
        qsort(late, random_messages, sizeof *late, by_value);
        double total = 0;
        for (int i = 0; i < random_messages * 9 / 10; i++)
            total += late[i];
        if (batch >= 0)
            values[batch] = total / (random_messages * 9 / 10);
    }
    const double after = yardstick();
    if (rank == 1)
        report("oneway", 8, values, before, after);
}

static void collectives(void)
{
    char names[3][32];
    const char *const what[] = {"barrier", "broadcast", "sum"};
    for (int i = 0; i < 3; i++)
        snprintf(names[i], sizeof names[i], "%s-%d", what[i], wire_ranks());
    const int pair = wire_ranks() == 2;
    measure(names[0], barrier, 0, 1, pair);
    measure(names[1], broadcast, 8, 1, pair);
    measure(names[2], sum, 8, 1, pair);
}

int main(int count, char **words)
{
    wire_begin(&count, &words);
    rank = wire_rank();
    other = 1 - rank;
    out = wire_buffer(largest);
    in = wire_buffer(largest);
    lines = wire_shared(4096);
    for (int i = 1; i < count; i++) {
        wire_barrier();
        if (!strcmp(words[i], "pingpong"))
            for (size_t size = 0; size < sizeof sizes / sizeof sizes[0]; size++)
                measure("pingpong", ping_pong, sizes[size], 2, 1);
        else if (!strcmp(words[i], "stream"))
            measure("stream", stream, 8, window, 1);
        else if (!strcmp(words[i], "oneway"))
            one_way();
        else if (!strcmp(words[i], "lines"))
            measure("lines", two_lines, 0, 2, 1);
        else if (!strcmp(words[i], "collectives"))
            collectives();
        else {
            fprintf(stderr, "measure: there is no test %s\n", words[i]);
            return 2;
        }
    }
    wire_end();
    return 0;
}
