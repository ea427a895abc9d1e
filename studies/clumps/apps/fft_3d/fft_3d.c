/* SPDX-License-Identifier: MIT */
/* 3-D FFT of Lumetta's thesis (section 5.5): the Fourier transform of a cube of complex numbers, by Active
 * Messages. Nodes have slices of the cube by turns, [z][y][x]. In four phases they
 *
 *   transform each slice's rows along x, and turn each slice so that y lies in rows;
 *   transform rows along y and send them to their new nodes, which have slices of x by turns: in as many
 *     subphases as there are nodes; in each a node sends to one other, and between them all meet;
 *   transform along z, which lies in rows now;
 *   and send rows along y back, in subphases as before. What results lies as [z][x][y].
 *
 * A row is one medium message of `--side' numbers, which has its reply. `--sequential 1' on one node
 * transforms the whole cube in its place, one axis after the other, and prints the same sum, bit for bit.
 * Both compare some results with what the definition of the transform gives for them. */
#include "apps/support/am_job.h"
#include "apps/support/one_process.h"
#include "row_fft.h"
#include "studies/clumps/apps/support/common_start.h"
#include "studies/clumps/apps/support/figures.h"
#include "studies/clumps/apps/support/grid.h"
#include "studies/clumps/apps/support/message_counts.h"
#include "studies/clumps/apps/support/mixed.h"
#include "studies/clumps/apps/support/numbers.h"
#include "studies/clumps/apps/support/program.h"

#include <math.h>
#include <string.h>

enum {
    handler_row = 1,
    handler_row_back,
    handler_answer,
    most_samples = 100,
    most_nodes = 256,
    most_side = 8192 / sizeof(struct complex_number), /* one message */
    compared = 5,                                     /* results */
};

static long samples = 3, side = 16, sequential, seed = 1;
static const struct number numbers[] = {
    {"--samples", &samples, 1, most_samples, "how often it transforms"},
    {"--side", &side, 2, most_side, "of the cube, a power of two"},
    {"--seed", &seed, 1, 1 << 30, "of the numbers"},
    {"--sequential", &sequential, 0, 1, "1: in place, on one node"},
    MESSAGE_COUNTS_ARGUMENT,
    COMMON_START_ARGUMENT,
    REST_ARGUMENT,
};

static struct complex_number *slices; /* [own z][y][x], then [own z][x][y] */
static struct complex_number *turned; /* [own x][y][z] */
static struct complex_number *row;    /* one, on its way */
static struct {
    long requests, answered;
} here;

static struct complex_number first_number(long x, long y, long z)
{
    const uint64_t random = mixed_of((uint64_t)seed, (uint64_t)((z * side + y) * side + x));
    return (struct complex_number){mixed_part(random) - 0.5, mixed_part(mixed(random)) - 0.5};
}

static long own_slices(void)
{
    return (side - mynode() + numnodes() - 1) / numnodes();
}

/* ---- rows that travel ---- */

static void answer(void *token)
{
    count_reply(token);
    am_must(AM_Reply0(token, handler_answer));
}

/* Along y, of this x and z. */
static void put_row(const struct complex_number *from, long x, long z)
{
    struct complex_number *to = turned + x / numnodes() * side * side + z;
    for (long y = 0; y < side; y++)
        to[y * side] = from[y];
}

static void put_row_back(const struct complex_number *from, long x, long z)
{
    memcpy(slices + (z / numnodes() * side + x) * side, from, (size_t)side * sizeof *from);
}

static void take_row(void *token, void *bytes, size_t count, int x, int z)
{
    (void)count;
    put_row(bytes, x, z);
    answer(token);
}

static void take_row_back(void *token, void *bytes, size_t count, int x, int z)
{
    (void)count;
    put_row_back(bytes, x, z);
    answer(token);
}

static void take_answer(void *token)
{
    (void)token;
    here.answered++;
}

static void send_row(long node, int handler, const struct complex_number *from, long x, long z)
{
    const long bytes = side * (long)sizeof *from;
    here.requests++;
    count_bulk(node, bytes);
    am_must(AM_RequestI2(am_job.endpoint, (int)node, handler, from, (size_t)bytes, (int)x, (int)z));
}

/* ---- the four phases ---- */

static void transform_rows(struct complex_number *rows, long count)
{
    for (long i = 0; i < count; i++)
        row_fft(rows + i * side);
}

static void turn_slice(struct complex_number *slice)
{
    for (long one = 0; one < side; one++)
        for (long other = 0; other < one; other++) {
            const struct complex_number kept = slice[one * side + other];
            slice[one * side + other] = slice[other * side + one];
            slice[other * side + one] = kept;
        }
}

/* Rows along y to the node that has their x. */
static void send_rows(long node)
{
    for (long z = mynode(); z < side; z += numnodes())
        for (long x = node; x < side; x += numnodes()) {
            struct complex_number *of = slices + (z / numnodes() * side + x) * side;
            row_fft(of);
            if (node == mynode())
                put_row(of, x, z);
            else
                send_row(node, handler_row, of, x, z);
        }
}

static void send_rows_back(long node)
{
    for (long x = mynode(); x < side; x += numnodes())
        for (long z = node; z < side; z += numnodes()) {
            const struct complex_number *of = turned + x / numnodes() * side * side + z;
            for (long y = 0; y < side; y++)
                row[y] = of[y * side];
            if (node == mynode())
                put_row_back(row, x, z);
            else
                send_row(node, handler_row_back, row, x, z);
        }
}

/* Each subphase a node sends to the one that is so many after it. */
static void in_subphases(void (*send)(long node))
{
    for (long after = 0; after < numnodes(); after++) {
        send((mynode() + after) % numnodes());
        AM_JOB_UNTIL(here.answered == here.requests);
        am_job_meet();
    }
}

static void fill(void)
{
    for (long z = mynode(); z < side; z += numnodes())
        for (long y = 0; y < side; y++)
            for (long x = 0; x < side; x++)
                slices[(z / numnodes() * side + y) * side + x] = first_number(x, y, z);
}

/* In us. */
static double transform(void)
{
    fill();
    message_counts_clear();
    am_job_meet();
    const unsigned long since = nx_cycles();
    transform_rows(slices, own_slices() * side);
    for (long slice = 0; slice < own_slices(); slice++)
        turn_slice(slices + slice * side * side);
    in_subphases(send_rows);
    transform_rows(turned, own_slices() * side);
    in_subphases(send_rows_back);
    return us_since(since);
}

/* ---- the same in place ---- */

/* Rows along an axis, whose numbers lie so far apart. */
static void transform_along(long stride)
{
    for (long first = 0; first < side * side * side; first++) {
        if (first / stride % side != 0)
            continue;
        for (long i = 0; i < side; i++)
            row[i] = slices[first + i * stride];
        row_fft(row);
        for (long i = 0; i < side; i++)
            slices[first + i * stride] = row[i];
    }
}

static double transform_in_place(void)
{
    fill();
    const unsigned long since = nx_cycles();
    transform_along(1);
    transform_along(side);
    transform_along(side * side);
    return us_since(since);
}

/* ---- what is told ---- */

/* The result at a place that this node has. */
static struct complex_number result_at(long x, long y, long z)
{
    const long slice = z / numnodes() * side;
    return sequential ? slices[(slice + y) * side + x] : slices[(slice + x) * side + y];
}

/* A sum in which each number counts with its place. */
static uint64_t sum_of_all(void)
{
    uint64_t mine = 0;
    for (long z = mynode(); z < side; z += numnodes())
        for (long y = 0; y < side; y++)
            for (long x = 0; x < side; x++) {
                const struct complex_number result = result_at(x, y, z);
                const uint64_t place = (uint64_t)((z * side + y) * side + x);
                mine ^= mixed_value(2 * place, result.real) ^ mixed_value(2 * place + 1, result.imaginary);
            }
    return sum_of_nodes(mine);
}

/* The definition's sum over all numbers, which all nodes have a part of. */
static struct complex_number defined(long kx, long ky, long kz)
{
    static const double pi = 3.14159265358979323846;
    double sum[2] = {0, 0}, work[2];
    for (long z = mynode(); z < side; z += numnodes())
        for (long y = 0; y < side; y++)
            for (long x = 0; x < side; x++) {
                const struct complex_number number = first_number(x, y, z);
                const double angle = -2 * pi * (double)((kx * x + ky * y + kz * z) % side) / (double)side;
                sum[0] += number.real * cos(angle) - number.imaginary * sin(angle);
                sum[1] += number.real * sin(angle) + number.imaginary * cos(angle);
            }
    gdsum(sum, 2, work);
    return (struct complex_number){sum[0], sum[1]};
}

/* 1 where a result is not what it is by definition, up to rounding. */
static int is_wrong(void)
{
    const double most = 1e-12 * (double)(side * side * side);
    long wrong = 0, work;
    for (long i = 0; i < compared; i++) {
        const long x = (7 * i) % side, y = (5 * i) % side, z = (3 * i) % side;
        const struct complex_number right = defined(x, y, z);
        if (z % numnodes() != mynode())
            continue;
        const struct complex_number result = result_at(x, y, z);
        wrong |= !(hypot(result.real - right.real, result.imaginary - right.imaginary) <= most);
    }
    gior(&wrong, 1, &work);
    if (wrong && mynode() == 0)
        fprintf(stderr, "fft_3d: a result is not what the definition of the transform gives\n");
    return (int)wrong;
}

static int tell(const double *times)
{
    const uint64_t sum = sum_of_all();
    if (is_wrong())
        return 1;
    message_counts_tell("fft_3d");
    if (mynode() != 0)
        return 0;
    figure_tell("fft_3d", "time", side * (long)sizeof *slices, "us", times, samples);
    printf("fft_3d: sum %016llx\n", (unsigned long long)sum);
    printf("fft_3d: %s, all messages right\n", nx_design());
    return 0;
}

static int is_refused(void)
{
    const char *why = 0;
    if (sequential && numnodes() > 1)
        why = "--sequential 1 is for one node";
    else if (!is_power_of_two(side))
        why = "--side: a power of two is wanted";
    else if (numnodes() > side || numnodes() > most_nodes)
        why = "each node has a slice, so it wants at most 256 nodes, and no more than --side";
    if (why && mynode() == 0)
        fprintf(stderr, "fft_3d: %s.\n", why);
    return why != 0;
}

int main(int argc, char **argv)
{
    static double times[most_samples];
    read_numbers("fft_3d", numbers, sizeof numbers / sizeof *numbers, argc, argv);
    if (is_refused())
        return 2;
    slices = new_memory("fft_3d", own_slices() * side * side, sizeof *slices);
    turned = new_memory("fft_3d", own_slices() * side * side, sizeof *turned);
    row = new_memory("fft_3d", side, sizeof *row);
    row_fft_prepare(side);
    rest_as_told();
    am_job_begin();
    am_must(AM_SetHandler(am_job.endpoint, handler_row, take_row));
    am_must(AM_SetHandler(am_job.endpoint, handler_row_back, take_row_back));
    am_must(AM_SetHandler(am_job.endpoint, handler_answer, take_answer));
    am_job_meet(); /* queues are made with the first message */
    double (*const run)(void) = sequential ? transform_in_place : transform;
    if (!common_start.at)
        (void)run(); /* finds everything cold */
    await_common_start("fft_3d");
    for (long i = 0; i < samples; i++)
        times[i] = run();
    note_common_end();
    tell_common_start("fft_3d");
    return tell(times);
}
