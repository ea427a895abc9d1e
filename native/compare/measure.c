/* SPDX-License-Identifier: MIT */
/* measure TEST...: what a message costs its user, over the message system that is linked (wire.h).
 *   pingpong    half a round trip, of every size
 *   oneway      8 bytes that come at random times
 *   stream      a message of 8 and of 64 bytes among many, each window of 64 answered
 *   collectives barrier, broadcast and sum of 8 bytes, by all ranks
 *   lines       half a round trip of two bare cache lines: the yardstick, measured as all else is
 *   check       times nothing, and says whether what comes is what was sent
 * Each measurement is one line,
 *   ROW,metric,bytes,least,lower quartile,median,upper quartile,most,settled,yardstick,ratio
 * in nanoseconds, of 61 short batches. The lower quartile stands for the undisturbed case on a machine that
 * others use, too. The yardstick is a message of two bare cache lines between the same two ranks, taken
 * before and after each batch, since hypervisors move processors within milliseconds. A batch at whose ends
 * it differs is left out; `settled` says how many remain. `yardstick` is the median of theirs, and `ratio`
 * the lower quartile of each batch's time over its own yardstick: only such ratios mean something.
 * Collectives of more than two ranks have none (0). */
#define _GNU_SOURCE
#include "native/compare/wire.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { batches = 61, window = 64, random_messages = 100, largest = 1 << 20 };

static const size_t sizes[] = {0, 8, 32, 48, 64, 100, 128, 512, 1024, 2048, 4096, 16384, 65536, largest};
static const size_t streamed[] = {8, 64};
static const double batch_ns = 1.5e5; /* short, so that many fall between two disturbances */
static const double settled_within = 1.2;

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
    enum { tries = 4, rounds = 60 };
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

/* The batches of one measurement, and the yardsticks between them. */
struct sample {
    double times[batches], yardsticks[batches + 1];
};

/* Orders the values. */
static double quantile(double *values, int count, double part)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
    return values[(int)(part * (count - 1) + 0.5)];
}

static void report(const char *metric, size_t bytes, const struct sample *sample)
{
    double times[batches], units[batches], ratios[batches];
    int settled = 0;
    for (int i = 0; i < batches; i++) {
        const double before = sample->yardsticks[i], after = sample->yardsticks[i + 1];
        if (before > settled_within * after || after > settled_within * before)
            continue;
        times[settled] = sample->times[i];
        units[settled] = (before + after) / 2;
        ratios[settled] = units[settled] > 0 ? times[settled] / units[settled] : 0;
        settled++;
    }
    printf("ROW,%s,%zu", metric, bytes);
    for (int quarter = 0; quarter <= 4; quarter++)
        printf(",%.2f", settled ? quantile(times, settled, quarter / 4.0) : 0);
    printf(",%d,%.2f,%.4f\n", settled, settled ? quantile(units, settled, 0.5) : 0,
           settled ? quantile(ratios, settled, 0.25) : 0);
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

/* Each rank is the root in its turn, and so has to wait for the broadcast before. Whole turns, so that a
 * batch ends with what rank 0 hears of all others: where ranks wait for time slices a batch has but one turn,
 * and less of it would be what rank 0 takes to send. */
static void broadcast(size_t bytes, int count)
{
    static char value[64];
    for (int i = 0; i < count; i++)
        for (int root = 0; root < wire_ranks(); root++)
            wire_broadcast(value, bytes, root);
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
    struct sample sample = {0};
    run(bytes, 20);
    const double began = now();
    run(bytes, 10);
    double count = batch_ns / ((now() - began) / 10);
    count = count < 1 ? 1 : count > 20000 ? 20000 : count;
    if (rank != 0)
        count = 0;
    wire_sum(&count, 1); /* what rank 0 says */
    for (int batch = 0; batch < batches; batch++) {
        if (pair)
            sample.yardsticks[batch] = yardstick();
        else
            wire_barrier();
        const double start = now();
        run(bytes, (int)count);
        sample.times[batch] = (now() - start) / (int)count / per;
    }
    sample.yardsticks[batches] = pair ? yardstick() : 0;
    if (rank == 0)
        report(metric, bytes, &sample);
}

static void measure_sizes(const char *metric, exchange *run, const size_t *of, size_t count, double per)
{
    for (size_t size = 0; size < count; size++)
        if (of[size] <= wire_longest())
            measure(metric, run, of[size], per, 1);
}

/* Without a rhythm: in a ping-pong both sides fall into step. The sender waits for a random while before each
 * message, which carries the time of its sending. A batch's value is the mean of its best nine tenths. */
static void one_way(void)
{
    static double late[random_messages];
    struct sample sample;
    uint64_t seed = 42;
    const double began = now();
    const uint64_t first = ticks();
    while (now() - began < 5e6)
        ;
    const double scale = (now() - began) / (double)(ticks() - first);
    ping_pong(0, 10);
    for (int batch = -1; batch < batches; batch++) {
        sample.yardsticks[batch < 0 ? 0 : batch] = yardstick();
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
            sample.times[batch] = total / (random_messages * 9 / 10);
    }
    sample.yardsticks[batches] = yardstick();
    if (rank == 1)
        report("oneway", 8, &sample);
}

static void collectives(void)
{
    char names[3][32];
    const char *const what[] = {"barrier", "broadcast", "sum"};
    for (int i = 0; i < 3; i++)
        snprintf(names[i], sizeof names[i], "%s-%d", what[i], wire_ranks());
    const int pair = wire_ranks() == 2;
    measure(names[0], barrier, 0, 1, pair);
    measure(names[1], broadcast, 8, wire_ranks(), pair);
    measure(names[2], sum, 8, 1, pair);
}

static void wrong(const char *what, size_t bytes)
{
    fprintf(stderr, "measure: rank %d: %s of %zu bytes is not what was sent\n", rank, what, bytes);
    exit(1);
}

/* The value of a byte of the i-th message. */
static char sent_byte(size_t i, size_t at)
{
    return (char)(i * 31 + at * 7 + at / 256);
}

static void check_messages(size_t bytes)
{
    for (size_t i = 0; i < 2 * window; i++) {
        const int sends = (i & 1) == (size_t)rank;
        for (size_t at = 0; sends && at < bytes; at++)
            ((char *)out)[at] = sent_byte(i, at);
        if (sends)
            wire_send(&out, bytes, other);
        else
            wire_receive(&in, bytes, other);
        for (size_t at = 0; !sends && at < bytes; at++)
            if (((char *)in)[at] != sent_byte(i, at))
                wrong("a message", bytes);
        void *const received = in;
        in = out;
        out = received;
    }
}

/* A window of messages at once, each from a buffer of its own, since some systems hand buffers over. */
static void check_window(size_t bytes)
{
    static void *many[window];
    for (size_t i = 0; i < window; i++)
        many[i] = wire_buffer(bytes);
    for (size_t i = 0; i < window; i++) {
        void **const buffer = rank == 0 ? &many[i] : &in;
        for (size_t at = 0; rank == 0 && at < bytes; at++)
            ((char *)*buffer)[at] = sent_byte(i, at);
        if (rank == 0)
            wire_send(buffer, bytes, other);
        else
            wire_receive(buffer, bytes, other);
        for (size_t at = 0; rank != 0 && at < bytes; at++)
            if (((char *)*buffer)[at] != sent_byte(i, at))
                wrong("a message of many", bytes);
    }
}

static void check(void)
{
    for (size_t size = 0; wire_ranks() == 2 && size < sizeof sizes / sizeof sizes[0]; size++)
        if (sizes[size] <= wire_longest())
            check_messages(sizes[size]);
    for (size_t size = 0; wire_ranks() == 2 && size < sizeof streamed / sizeof streamed[0]; size++)
        if (streamed[size] <= wire_longest())
            check_window(streamed[size]);
    for (int i = 0; i < 1000; i++) {
        const int root = i % wire_ranks();
        double value = rank == root ? i : -1, sum = rank + i;
        wire_broadcast(&value, sizeof value, root);
        if (value != i)
            wrong("a broadcast", sizeof value);
        wire_sum(&sum, 1);
        if (sum != wire_ranks() * (i + (wire_ranks() - 1) / 2.0))
            wrong("a sum", sizeof sum);
        wire_barrier();
    }
}

int main(int count, char **words)
{
    wire_begin(&count, &words);
    if (count == 1) { /* what a start takes, until all ranks know of each other */
        wire_barrier();
        wire_end();
        return 0;
    }
    rank = wire_rank();
    other = 1 - rank;
    out = wire_buffer(largest);
    in = wire_buffer(largest);
    lines = wire_shared(4096);
    for (int i = 1; i < count; i++) {
        wire_barrier();
        if (!strcmp(words[i], "pingpong"))
            measure_sizes("pingpong", ping_pong, sizes, sizeof sizes / sizeof sizes[0], 2);
        else if (!strcmp(words[i], "stream"))
            measure_sizes("stream", stream, streamed, sizeof streamed / sizeof streamed[0], window);
        else if (!strcmp(words[i], "oneway"))
            one_way();
        else if (!strcmp(words[i], "lines"))
            measure("lines", two_lines, 0, 2, 1);
        else if (!strcmp(words[i], "collectives"))
            collectives();
        else if (!strcmp(words[i], "check"))
            check();
        else {
            fprintf(stderr, "measure: there is no test %s\n", words[i]);
            return 2;
        }
    }
    wire_end();
    return 0;
}
