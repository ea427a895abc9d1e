/* SPDX-License-Identifier: MIT */
/* CON of Lumetta's thesis (section 5.5): the connected components of a lattice with random edges, by Active
 * Messages. Each node has a block of the lattice and finds the components inside, which are the vertices of
 * a reduced graph; edges between blocks are its edges, kept where they begin. By turns, until no edge is
 * left, the greater root of an edge is hooked to the lesser one, the least of all that are offered to it;
 * what was hooked looks for its new root, from parent to parent; and edges are told the roots of their ends.
 * An edge whose ends have the same root goes, and so does the second of two between the same roots. In the
 * end each vertex tells its root its least point, is told the least of the whole component, and marks all its
 * points.
 *
 * `--dimensions 2 --edges 40', the thesis's run that is bound by computation; `--dimensions 3 --edges 25'
 * by communication: most points are in one component, whose root everybody asks. `--sequential 1 --blocks N'
 * marks the points of the lattice that N nodes would have, by a flood, and prints the same sum. */
#include "apps/support/am_job.h"
#include "apps/support/one_process.h"
#include "lattice.h"
#include "studies/clumps/apps/support/common_start.h"
#include "studies/clumps/apps/support/figures.h"
#include "studies/clumps/apps/support/message_counts.h"
#include "studies/clumps/apps/support/mixed.h"
#include "studies/clumps/apps/support/numbers.h"
#include "studies/clumps/apps/support/program.h"

enum {
    handler_vertex_at = 1,
    handler_parent_of,
    handler_label_of,
    handler_answer,
    handler_hook,
    handler_member,
    handler_taken,
    most_samples = 100,
    most_nodes = 256,
    most_unanswered = 256,
};

static long samples = 3, dimensions = 2, side = 32, edges = 40, sequential, blocks = 1, seed = 1;
static const struct number numbers[] = {
    {"--samples", &samples, 1, most_samples, "how often it finds them"},
    {"--dimensions", &dimensions, 2, 3, "of the lattice"},
    {"--side", &side, 1, 4096, "points of a node's block along each axis"},
    {"--edges", &edges, 0, 100, "of a hundred that are present"},
    {"--seed", &seed, 1, 1 << 30, "of the edges"},
    {"--sequential", &sequential, 0, 1, "1: by a flood, on one node"},
    {"--blocks", &blocks, 1, most_nodes, "of the lattice, where it is sequential: a power of two"},
    MESSAGE_COUNTS_ARGUMENT,
    COMMON_START_ARGUMENT,
    REST_ARGUMENT,
};

/* An edge of the reduced graph, between the roots of two vertices. */
struct reduced_edge {
    uint32_t low, high;
};

static struct lattice lattice;
static struct grid nodes; /* as their blocks lie */
static long points;       /* of this node's block, or of all */
static uint32_t *mark;    /* of each point: the least of its component */

/* Vertices have numbers of the whole job, a node's after those of the nodes before it. */
static struct {
    uint32_t first[most_nodes + 1]; /* number of each node */
    long vertices;                  /* of this node; what follows is by its own vertices */
    uint32_t *vertex_of;            /* of each point */
    uint32_t *parent;
    uint32_t *offered; /* least root that this root may be hooked to; its own number: none */
    uint32_t *least;   /* point in the whole lattice, of the vertex, and at last of the root's component */
    uint32_t *size;    /* in points, likewise */
    uint32_t *pending;
    struct reduced_edge *edge;
    long edges;
    uint32_t *answer; /* by what was asked */
    long asked, answered;
} here;

static uint32_t own(uint32_t vertex)
{
    return vertex - here.first[mynode()];
}

static long owner_of(uint32_t vertex)
{
    long first = 0, last = numnodes() - 1;
    while (first < last) {
        const long middle = (first + last + 1) / 2;
        if (vertex < here.first[middle])
            last = middle - 1;
        else
            first = middle;
    }
    return first;
}

/* ---- questions, each of which has an answer ---- */

static void answer(void *token, int slot, uint32_t word)
{
    count_reply(token);
    am_must(AM_Reply2(token, handler_answer, slot, (int)word));
}

static void take_answer(void *token, int slot, int word)
{
    (void)token;
    here.answer[slot] = (uint32_t)word;
    here.answered++;
}

static void vertex_at(void *token, int slot, int point)
{
    answer(token, slot, here.first[mynode()] + here.vertex_of[point]);
}

static void parent_of(void *token, int slot, int vertex)
{
    answer(token, slot, here.parent[own((uint32_t)vertex)]);
}

static void label_of(void *token, int slot, int vertex)
{
    answer(token, slot, here.least[own((uint32_t)vertex)]);
}

static void ask(long node, int handler, long slot, uint32_t word)
{
    here.asked++;
    count_short(node);
    am_must(AM_Request2(am_job.endpoint, (int)node, handler, (int)slot, (int)word));
}

static void ask_parent(long slot, uint32_t vertex)
{
    const long node = owner_of(vertex);
    if (node == mynode())
        here.answer[slot] = here.parent[own(vertex)];
    else
        ask(node, handler_parent_of, slot, vertex);
}

static void until_answered(void)
{
    AM_JOB_UNTIL(here.answered == here.asked);
}

/* ---- what a root is told ---- */

static void taken(void *token)
{
    count_reply(token);
    am_must(AM_Reply0(token, handler_taken));
}

static void take_taken(void *token)
{
    (void)token;
    here.answered++;
}

static void offer(uint32_t root, uint32_t other)
{
    if (other < here.offered[own(root)])
        here.offered[own(root)] = other;
}

static void take_hook(void *token, int root, int other)
{
    offer((uint32_t)root, (uint32_t)other);
    taken(token);
}

static void join(uint32_t root, uint32_t least, uint32_t size)
{
    if (least < here.least[own(root)])
        here.least[own(root)] = least;
    here.size[own(root)] += size;
}

static void take_member(void *token, int root, int least, int size)
{
    join((uint32_t)root, (uint32_t)least, (uint32_t)size);
    taken(token);
}

/* ---- the reduced graph ---- */

static void number_vertices(void)
{
    static long counts[most_nodes];
    long got;
    here.vertices = 0;
    for (long point = 0; point < points; point++) {
        const uint32_t least = mark[point];
        if (least == (uint32_t)point) {
            here.vertex_of[point] = (uint32_t)here.vertices;
            here.least[here.vertices] = lattice_point(&lattice, point);
            here.size[here.vertices++] = 0;
        }
        here.vertex_of[point] = here.vertex_of[least];
        here.size[here.vertex_of[point]]++;
    }
    gcol(&here.vertices, sizeof here.vertices, counts, numnodes() * (long)sizeof *counts, &got);
    for (long node = 0; node < numnodes(); node++)
        here.first[node + 1] = here.first[node] + (uint32_t)counts[node];
    for (long vertex = 0; vertex < here.vertices; vertex++)
        here.parent[vertex] = here.offered[vertex] = here.first[mynode()] + (uint32_t)vertex;
}

/* Calls `each' for all points on the block's last face along an axis that have an edge beyond it. */
static void of_face(int axis, void (*each)(long point, long node, long beyond))
{
    const long node = grid_next(&nodes, mynode(), 2 * axis + 1);
    for (long point = 0; node >= 0 && point < points; point++) {
        struct grid_place place = grid_place_of(&lattice.part, point);
        if (place.at[axis] != side - 1 || !lattice_has_edge(&lattice, point, axis))
            continue;
        place.at[axis] = 0;
        each(point, node, grid_number_of(&lattice.part, &place));
    }
}

static void ask_beyond(long point, long node, long beyond)
{
    here.edge[here.edges].low = here.first[mynode()] + here.vertex_of[point];
    ask(node, handler_vertex_at, here.edges++, (uint32_t)beyond);
}

static int by_ends(const void *left, const void *right)
{
    const struct reduced_edge *a = left, *b = right;
    return a->low != b->low ? (a->low > b->low) - (a->low < b->low)
                            : (a->high > b->high) - (a->high < b->high);
}

/* Edges whose ends have changed: without those within one component, and each once. */
static void reduce(void)
{
    long kept = 0;
    for (long i = 0; i < here.edges; i++) {
        struct reduced_edge edge = here.edge[i];
        if (edge.low > edge.high)
            edge = (struct reduced_edge){edge.high, edge.low};
        here.edge[i] = edge;
    }
    qsort(here.edge, (size_t)here.edges, sizeof *here.edge, by_ends);
    for (long i = 0; i < here.edges; i++)
        if (here.edge[i].low != here.edge[i].high &&
            (kept == 0 || by_ends(&here.edge[kept - 1], &here.edge[i])))
            here.edge[kept++] = here.edge[i];
    here.edges = kept;
}

static void make_reduced_graph(void)
{
    lattice_connect(&lattice, mark);
    number_vertices();
    am_job_meet();
    here.edges = 0;
    for (int axis = 0; axis < dimensions; axis++)
        of_face(axis, ask_beyond);
    until_answered();
    for (long i = 0; i < here.edges; i++)
        here.edge[i].high = here.answer[i];
    reduce();
}

/* ---- its components ---- */

static void offer_hooks(void)
{
    for (long i = 0; i < here.edges; i++) {
        const struct reduced_edge edge = here.edge[i];
        const long node = owner_of(edge.high);
        if (node == mynode())
            offer(edge.high, edge.low);
        else
            ask(node, handler_hook, (long)edge.high, edge.low);
    }
    until_answered();
    am_job_meet();
}

/* All of these vertices get their roots as parents. */
static void find_roots(long pending)
{
    while (pending > 0) {
        for (long i = 0; i < pending; i++)
            ask_parent(i, here.parent[here.pending[i]]);
        until_answered();
        long kept = 0;
        for (long i = 0; i < pending; i++) {
            const uint32_t vertex = here.pending[i];
            if (here.answer[i] == here.parent[vertex])
                continue;
            here.parent[vertex] = here.answer[i];
            here.pending[kept++] = vertex;
        }
        pending = kept;
    }
    am_job_meet();
}

static void hook(void)
{
    long hooked = 0;
    for (long vertex = 0; vertex < here.vertices; vertex++) {
        if (here.offered[vertex] == here.parent[vertex] || own(here.parent[vertex]) != (uint32_t)vertex)
            continue;
        here.parent[vertex] = here.offered[vertex];
        here.pending[hooked++] = (uint32_t)vertex;
    }
    am_job_meet();
    find_roots(hooked);
}

static void tell_edges(void)
{
    for (long i = 0; i < here.edges; i++) {
        ask_parent(2 * i, here.edge[i].low);
        ask_parent(2 * i + 1, here.edge[i].high);
    }
    until_answered();
    for (long i = 0; i < here.edges; i++)
        here.edge[i] = (struct reduced_edge){here.answer[2 * i], here.answer[2 * i + 1]};
    reduce();
}

static long edges_left(void)
{
    long left = here.edges, work;
    am_job_meet();
    gisum(&left, 1, &work);
    return left;
}

static int is_root(long vertex)
{
    return own(here.parent[vertex]) == (uint32_t)vertex;
}

static void tell_roots(void)
{
    for (long vertex = 0; vertex < here.vertices; vertex++) {
        const uint32_t root = here.parent[vertex];
        const long node = owner_of(root);
        if (is_root(vertex))
            continue;
        if (node == mynode()) {
            join(root, here.least[vertex], here.size[vertex]);
            continue;
        }
        here.asked++;
        count_short(node);
        am_must(AM_Request3(am_job.endpoint, (int)node, handler_member, (int)root, (int)here.least[vertex],
                            (int)here.size[vertex]));
    }
    until_answered();
    am_job_meet();
}

/* Roots are asked for the least points of their components, and keep their own meanwhile. */
static void be_told(void)
{
    for (long vertex = 0; vertex < here.vertices; vertex++) {
        const uint32_t root = here.parent[vertex];
        const long node = owner_of(root);
        if (node == mynode())
            here.answer[vertex] = here.least[own(root)];
        else
            ask(node, handler_label_of, vertex, root);
    }
    until_answered();
    am_job_meet();
}

static void mark_points(void)
{
    for (long point = 0; point < points; point++)
        mark[point] = here.answer[here.vertex_of[point]];
}

/* In us. */
static double find_components(void)
{
    message_counts_clear();
    am_job_meet();
    const unsigned long since = nx_cycles();
    make_reduced_graph();
    while (edges_left()) {
        offer_hooks();
        hook();
        tell_edges();
    }
    long pending = 0;
    for (long vertex = 0; vertex < here.vertices; vertex++)
        if (!is_root(vertex))
            here.pending[pending++] = (uint32_t)vertex;
    find_roots(pending);
    tell_roots();
    be_told();
    mark_points();
    am_job_meet();
    return us_since(since);
}

/* ---- the same by a flood ---- */

static long components, largest;

static void flood(long from, uint32_t *stack)
{
    long height = 0, size = 0;
    mark[from] = (uint32_t)from;
    stack[height++] = (uint32_t)from;
    while (height > 0) {
        const long point = stack[--height];
        size++;
        for (int direction = 0; direction < 2 * dimensions; direction++) {
            const long next = grid_next(&lattice.part, point, direction);
            const int axis = direction / 2;
            if (next < 0 || mark[next] != UINT32_MAX ||
                !lattice_has_edge(&lattice, direction % 2 ? point : next, axis))
                continue;
            mark[next] = (uint32_t)from;
            stack[height++] = (uint32_t)next;
        }
    }
    components++;
    largest = size > largest ? size : largest;
}

static double find_by_flood(void)
{
    const unsigned long since = nx_cycles();
    components = largest = 0;
    for (long point = 0; point < points; point++)
        mark[point] = UINT32_MAX;
    for (long point = 0; point < points; point++)
        if (mark[point] == UINT32_MAX)
            flood(point, here.answer);
    return us_since(since);
}

/* ---- what is told ---- */

/* A sum in which each point counts with its mark. */
static uint64_t sum_of_all(void)
{
    uint64_t mine = 0;
    for (long point = 0; point < points; point++)
        mine ^= mixed_of(lattice_point(&lattice, point), mark[point]);
    return sum_of_nodes(mine);
}

static void count_components(void)
{
    long work;
    for (long vertex = 0; vertex < here.vertices; vertex++)
        if (is_root(vertex)) {
            components++;
            largest = here.size[vertex] > largest ? here.size[vertex] : largest;
        }
    gisum(&components, 1, &work);
    gihigh(&largest, 1, &work);
}

static void tell(const double *times)
{
    const uint64_t sum = sum_of_all();
    if (!sequential)
        count_components();
    message_counts_tell("con");
    if (mynode() != 0)
        return;
    figure_tell("con", "time", points, "us", times, samples);
    printf("con: %ld components, the largest of %ld points\n", components, largest);
    printf("con: sum %016llx\n", (unsigned long long)sum);
    printf("con: %s, all messages right\n", nx_design());
}

static int is_refused(void)
{
    const char *why = 0;
    const long all = sequential ? blocks : numnodes();
    if (sequential ? numnodes() > 1 : blocks > 1)
        why = "--sequential 1 is for one node, and --blocks for --sequential 1";
    else if (all > most_nodes || !is_power_of_two(all))
        why = "the lattice has a power of two of blocks, one a node, and at most 256";
    else if ((double)all * side * side * (dimensions == 3 ? side : 1) > (double)(1 << 30))
        why = "the lattice has at most 2^30 points: say a smaller --side";
    if (why && mynode() == 0)
        fprintf(stderr, "con: %s.\n", why);
    return why != 0;
}

static void make_lattice(void)
{
    static const int by_turns[] = {0, 1, 2};
    nodes = grid_of(sequential ? blocks : numnodes(), by_turns, (int)dimensions, 0);
    lattice = (struct lattice){.dimensions = dimensions, .percent = edges, .seed = seed};
    const struct grid_place place = grid_place_of(&nodes, mynode());
    for (int axis = 0; axis < grid_axes; axis++) {
        const long each = axis < dimensions ? side : 1;
        lattice.points.size[axis] = nodes.size[axis] * each;
        lattice.part.size[axis] = sequential ? lattice.points.size[axis] : each;
        lattice.first.at[axis] = sequential ? 0 : place.at[axis] * each;
    }
    points = lattice_part_points(&lattice);
}

static void make_memory(void)
{
    /* A point has at most one edge beyond each of the axes. */
    const long faces = sequential ? 0 : dimensions * (points / side);
    mark = new_memory("con", points, sizeof *mark);
    here.vertex_of = new_memory("con", points, sizeof *here.vertex_of);
    here.parent = new_memory("con", points, sizeof *here.parent);
    here.offered = new_memory("con", points, sizeof *here.offered);
    here.least = new_memory("con", points, sizeof *here.least);
    here.size = new_memory("con", points, sizeof *here.size);
    here.pending = new_memory("con", points, sizeof *here.pending);
    here.edge = new_memory("con", faces, sizeof *here.edge);
    here.answer = new_memory("con", points > 2 * faces ? points : 2 * faces, sizeof *here.answer);
}

static void set_handlers(void)
{
    am_must(AM_SetHandler(am_job.endpoint, handler_vertex_at, vertex_at));
    am_must(AM_SetHandler(am_job.endpoint, handler_parent_of, parent_of));
    am_must(AM_SetHandler(am_job.endpoint, handler_label_of, label_of));
    am_must(AM_SetHandler(am_job.endpoint, handler_answer, take_answer));
    am_must(AM_SetHandler(am_job.endpoint, handler_hook, take_hook));
    am_must(AM_SetHandler(am_job.endpoint, handler_member, take_member));
    am_must(AM_SetHandler(am_job.endpoint, handler_taken, take_taken));
    am_must(AM_SetExpectedResources(am_job.endpoint, (int)numnodes(), most_unanswered));
}

int main(int argc, char **argv)
{
    static double times[most_samples];
    read_numbers("con", numbers, sizeof numbers / sizeof *numbers, argc, argv);
    if (is_refused())
        return 2;
    make_lattice();
    make_memory();
    rest_as_told();
    am_job_begin();
    set_handlers();
    am_job_meet(); /* queues are made with the first message */
    double (*const find)(void) = sequential ? find_by_flood : find_components;
    if (!common_start.at)
        (void)find(); /* finds everything cold */
    await_common_start("con");
    for (long i = 0; i < samples; i++)
        times[i] = find();
    note_common_end();
    tell_common_start("con");
    tell(times);
    return 0;
}
