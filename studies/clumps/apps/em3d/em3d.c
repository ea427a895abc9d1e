/* SPDX-License-Identifier: MIT */
/* EM3D of Lumetta's thesis (section 5.5): waves on a random mesh of electric and magnetic values, by Active
 * Messages. Space is a grid of blocks, one a node. A value depends on values of the other field, in its own
 * block and in those that touch it. An update of a field sends each value of the other one that a touching
 * block needs, one a message, which has its reply; a node that has got all that it needs computes; then all
 * meet. Updates of the electric field are timed, and their messages counted.
 *
 * Nothing of it depends on which node has which block, so `--sequential 1 --blocks N' on one node computes by
 * plain loops what N nodes do, bit for bit. */
#include "apps/support/am_job.h"
#include "apps/support/one_process.h"
#include "mesh.h"
#include "studies/clumps/apps/support/common_start.h"
#include "studies/clumps/apps/support/figures.h"
#include "studies/clumps/apps/support/message_counts.h"
#include "studies/clumps/apps/support/mixed.h"
#include "studies/clumps/apps/support/numbers.h"
#include "studies/clumps/apps/support/program.h"
#include "studies/clumps/apps/support/starting_line.h"

#include <string.h>

enum {
    handler_value = 1,
    handler_answer,
    electric = 0,
    magnetic,
    fields,
    /* A node has its own values of a field, and room for those of each block that touches its own. */
    parts = 1 + grid_directions,
    most_samples = 100,
    most_unanswered = 256, /* requests of a node, so that it seldom waits while it sends */
};

static long samples = 3, steps = 4, values = 100, degree = 10, remote = 40, good, sequential, blocks = 1,
            seed = 1;
static const struct number numbers[] = {
    {"--samples", &samples, 1, most_samples, "how often it is timed"},
    {"--steps", &steps, 1, 100000, "of time, in a sample"},
    {"--values", &values, 1, 1 << 20, "of each field, of each node"},
    {"--degree", &degree, 1, 1000, "magnetic values that an electric one depends on"},
    {"--remote", &remote, 0, 50, "of a hundred of them in other blocks"},
    {"--good", &good, 0, 1, "1: multiprocessors have blocks by turns of the axes"},
    {"--seed", &seed, 1, 1 << 30, "of the mesh"},
    {"--sequential", &sequential, 0, 1, "1: by plain loops, on one node"},
    {"--blocks", &blocks, 1, mesh_most_blocks, "of space, where it is sequential: a power of two"},
    MESSAGE_COUNTS_ARGUMENT,
    STARTING_LINE_ARGUMENT,
    COMMON_START_ARGUMENT,
    REST_ARGUMENT,
};

static struct mesh mesh;

/* What one value depends on: places among a node's values of the other field. */
struct terms {
    long *first; /* of each value; and one more, where the last one's end */
    long *place;
    double *weight;
};

/* What a node has; where the program is sequential, one node has all blocks. */
static struct {
    double *value[fields];
    struct terms terms[fields];
    long *sent[grid_directions][fields]; /* values that the block in that direction needs */
    long sending[grid_directions][fields];
    long expected[fields], got[fields];
    long requests, answered;
    double communicating; /* us, of all updates that were timed */
} here;

static long own_block(void)
{
    return mesh.block_of_node[mynode()];
}

/* ---- what depends on what ---- */

/* Calls `each' for all edges from electric values of one block, in their order. */
static void of_block(long block, void (*each)(long block, long value, const struct mesh_edge *))
{
    for (long value = 0; value < values; value++)
        for (long which = 0; which < degree; which++) {
            const struct mesh_edge edge = mesh_edge_of(&mesh, block, value, which);
            each(block, value, &edge);
        }
}

/* All edges that concern this node, those of blocks with lower numbers first. */
static void of_all(void (*each)(long block, long value, const struct mesh_edge *))
{
    for (long block = 0; block < grid_blocks(&mesh.space); block++) {
        int is_near = block == own_block();
        for (int direction = 0; direction < grid_directions; direction++)
            is_near |= grid_next(&mesh.space, own_block(), direction) == block;
        if (is_near)
            of_block(block, each);
    }
}

static long electric_filled, *magnetic_filled; /* terms; of each magnetic value */
static unsigned char *is_sent[grid_directions][fields], *is_expected[fields];

static void note_sent(int direction, int field, long value)
{
    if (is_sent[direction][field][value])
        return;
    is_sent[direction][field][value] = 1;
    here.sent[direction][field][here.sending[direction][field]++] = value;
}

static void note_expected(int field, long place)
{
    if (place >= values && !is_expected[field][place]) {
        is_expected[field][place] = 1;
        here.expected[field]++;
    }
}

static void count_magnetic(long block, long value, const struct mesh_edge *edge)
{
    (void)block;
    (void)value;
    if (edge->block == own_block())
        here.terms[magnetic].first[edge->value + 1]++;
}

static void add_electric(long value, const struct mesh_edge *edge)
{
    struct terms *terms = &here.terms[electric];
    terms->place[electric_filled] = (1 + edge->direction) * values + edge->value;
    terms->weight[electric_filled] = edge->weight;
    note_expected(magnetic, terms->place[electric_filled]);
    terms->first[value + 1] = ++electric_filled;
    if (edge->direction >= 0)
        note_sent(edge->direction, electric, value);
}

/* The electric value lies against the edge's direction. */
static void add_magnetic(long value, const struct mesh_edge *edge)
{
    struct terms *terms = &here.terms[magnetic];
    const int back = edge->direction < 0 ? -1 : edge->direction ^ 1;
    const long at = terms->first[edge->value] + magnetic_filled[edge->value]++;
    terms->place[at] = (1 + back) * values + value;
    terms->weight[at] = edge->weight;
    note_expected(electric, terms->place[at]);
    if (back >= 0)
        note_sent(back, magnetic, edge->value);
}

static void add_edge(long block, long value, const struct mesh_edge *edge)
{
    if (block == own_block())
        add_electric(value, edge);
    if (edge->block == own_block())
        add_magnetic(value, edge);
}

static void make_terms(int field, long count)
{
    here.terms[field].place = new_memory("em3d", count, sizeof *here.terms[field].place);
    here.terms[field].weight = new_memory("em3d", count, sizeof *here.terms[field].weight);
}

static void make_node(void)
{
    for (int field = 0; field < fields; field++) {
        here.value[field] = new_memory("em3d", parts * values, sizeof *here.value[field]);
        here.terms[field].first = new_memory("em3d", values + 1, sizeof *here.terms[field].first);
        is_expected[field] = new_memory("em3d", parts * values, 1);
        for (int direction = 0; direction < grid_directions; direction++) {
            here.sent[direction][field] = new_memory("em3d", values, sizeof(long));
            is_sent[direction][field] = new_memory("em3d", values, 1);
        }
    }
    magnetic_filled = new_memory("em3d", values, sizeof *magnetic_filled);
    of_all(count_magnetic);
    for (long value = 0; value < values; value++)
        here.terms[magnetic].first[value + 1] += here.terms[magnetic].first[value];
    make_terms(electric, values * degree);
    make_terms(magnetic, here.terms[magnetic].first[values]);
    of_all(add_edge);
}

/* ---- a step of time ---- */

static void take_value(void *token, int direction, int field, int value, int low, int high)
{
    const uint64_t bits = (uint32_t)low | (uint64_t)(uint32_t)high << 32;
    /* It comes from the other side. */
    memcpy(&here.value[field][(1 + (direction ^ 1)) * values + value], &bits, sizeof bits);
    here.got[field]++;
    if (field == magnetic)
        count_reply(token);
    am_must(AM_Reply0(token, handler_answer));
}

static void take_answer(void *token)
{
    (void)token;
    here.answered++;
}

static void send_value(long node, int direction, int field, long value)
{
    uint64_t bits;
    memcpy(&bits, &here.value[field][value], sizeof bits);
    if (field == magnetic)
        count_short(node);
    here.requests++;
    am_must(AM_Request5(am_job.endpoint, (int)node, handler_value, direction, field, (int)value, (int)bits,
                        (int)(bits >> 32)));
}

static void send_values(int field)
{
    for (int direction = 0; direction < grid_directions; direction++) {
        const long block = grid_next(&mesh.space, own_block(), direction);
        for (long i = 0; i < here.sending[direction][field]; i++)
            send_value(mesh.node_of_block[block], direction, field, here.sent[direction][field][i]);
    }
}

static void compute(int field)
{
    const struct terms *terms = &here.terms[field];
    const double *from = here.value[1 - field];
    for (long value = 0; value < values; value++) {
        double sum = 0;
        for (long at = terms->first[value]; at < terms->first[value + 1]; at++)
            sum += terms->weight[at] * from[terms->place[at]];
        here.value[field][value] -= sum;
    }
}

/* In us. */
static double update(int field)
{
    const int other = 1 - field;
    const unsigned long since = nx_cycles();
    send_values(other);
    AM_JOB_UNTIL(here.got[other] == here.expected[other]);
    if (field == electric)
        here.communicating += us_since(since);
    here.got[other] = 0; /* nobody sends more of them before all have met */
    compute(field);
    AM_JOB_UNTIL(here.answered == here.requests);
    am_job_meet();
    return us_since(since);
}

static void begin_fields(void)
{
    for (int field = 0; field < fields; field++)
        for (long value = 0; value < values; value++)
            here.value[field][value] = mesh_first(&mesh, field, own_block(), value);
}

/* A step's update of the electric field, in us. */
static double run_steps(void)
{
    double took = 0;
    begin_fields();
    message_counts_clear();
    here.communicating = 0;
    am_job_meet();
    for (long step = 0; step < steps; step++) {
        took += update(electric);
        (void)update(magnetic);
    }
    return took / (double)steps;
}

/* ---- the same by plain loops ---- */

static double *all_of[fields], *magnetic_sum;

static void add_to_electric(long block, long value, const struct mesh_edge *edge)
{
    static double sum;
    static long edges;
    sum += edge->weight * all_of[magnetic][edge->block * values + edge->value];
    if (++edges % degree == 0) {
        all_of[electric][block * values + value] -= sum;
        sum = 0;
    }
}

static void add_to_magnetic(long block, long value, const struct mesh_edge *edge)
{
    magnetic_sum[edge->block * values + edge->value] +=
        edge->weight * all_of[electric][block * values + value];
}

static double run_plainly(void)
{
    const long count = blocks * values;
    double took = 0;
    for (int field = 0; field < fields; field++)
        for (long i = 0; i < count; i++)
            all_of[field][i] = mesh_first(&mesh, field, i / values, i % values);
    for (long step = 0; step < steps; step++) {
        const unsigned long since = nx_cycles();
        for (long block = 0; block < blocks; block++)
            of_block(block, add_to_electric);
        took += us_since(since);
        memset(magnetic_sum, 0, (size_t)count * sizeof *magnetic_sum);
        for (long block = 0; block < blocks; block++)
            of_block(block, add_to_magnetic);
        for (long i = 0; i < count; i++)
            all_of[magnetic][i] -= magnetic_sum[i];
    }
    return took / (double)steps;
}

/* ---- what is told ---- */

/* A sum in which each value of a block counts with its place in space. */
static uint64_t sum_of(long block, const double *const value[fields])
{
    uint64_t sum = 0;
    for (int field = 0; field < fields; field++)
        for (long i = 0; i < values; i++)
            sum ^= mixed_value((uint64_t)(2 * (block * values + i) + field), value[field][i]);
    return sum;
}

static uint64_t sum_of_all(void)
{
    if (!sequential) {
        const double *const own[fields] = {here.value[0], here.value[1]};
        return sum_of_nodes(sum_of(own_block(), own));
    }
    uint64_t sum = 0;
    for (long block = 0; block < blocks; block++)
        sum ^= sum_of(block, (const double *const[]){all_of[0] + block * values, all_of[1] + block * values});
    return sum;
}

static void tell(const double *times)
{
    const uint64_t sum = sum_of_all();
    double slowest = here.communicating, fastest = here.communicating, work;
    gdhigh(&slowest, 1, &work);
    gdlow(&fastest, 1, &work);
    message_counts_tell("em3d");
    if (mynode() != 0)
        return;
    figure_tell("em3d", "time", values * (long)sizeof(double), "us", times, samples);
    if (fastest > 0)
        printf("em3d: the slowest node communicates %.2f times as long as the fastest\n", slowest / fastest);
    printf("em3d: sum %016llx\n", (unsigned long long)sum);
    printf("em3d: %s, all messages right\n", nx_design());
}

static int is_refused(void)
{
    const long processors = message_counts.processors;
    const char *why = 0;
    if (sequential ? numnodes() > 1 : blocks > 1)
        why = "--sequential 1 is for one node, and --blocks for --sequential 1";
    else if (numnodes() > mesh_most_blocks || !is_power_of_two(sequential ? blocks : numnodes()))
        why = "space has a power of two of blocks, one a node, and at most 256";
    else if (processors && !is_power_of_two(processors))
        why = "a multiprocessor of this mesh has a power of two of --processors";
    if (why && mynode() == 0)
        fprintf(stderr, "em3d: %s.\n", why);
    return why != 0;
}

static void make(void)
{
    const long all = sequential ? blocks : numnodes();
    mesh = (struct mesh){.values = values, .degree = degree, .seed = seed};
    mesh_make(&mesh, all, message_counts.processors ? message_counts.processors : all,
              good ? mesh_good : mesh_naive, remote);
    if (!sequential) {
        make_node();
        return;
    }
    for (int field = 0; field < fields; field++)
        all_of[field] = new_memory("em3d", all * values, sizeof(double));
    magnetic_sum = new_memory("em3d", all * values, sizeof(double));
}

int main(int argc, char **argv)
{
    static double times[most_samples];
    read_numbers("em3d", numbers, sizeof numbers / sizeof *numbers, argc, argv);
    if (is_refused())
        return 2;
    make();
    rest_as_told();
    am_job_begin();
    am_must(AM_SetHandler(am_job.endpoint, handler_value, take_value));
    am_must(AM_SetHandler(am_job.endpoint, handler_answer, take_answer));
    am_must(AM_SetExpectedResources(am_job.endpoint, (int)numnodes(), most_unanswered));
    am_job_meet();
    double (*const run)(void) = sequential ? run_plainly : run_steps;
    if (!common_start.at)
        (void)run(); /* finds everything cold */
    starting_line("em3d");
    await_common_start("em3d");
    for (long i = 0; i < samples; i++)
        times[i] = run();
    note_common_end();
    tell_common_start("em3d");
    tell(times);
    return 0;
}
