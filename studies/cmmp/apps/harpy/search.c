/* SPDX-License-Identifier: MIT */
#include "search.h"

#include <string.h>

/* A score and a father in one word, which one step changes: a greater score is a greater word, and of equal
 * scores so is a lower father. So the greatest that is offered does not depend on who comes first. */
static unsigned long packed(int score, int father)
{
    return (unsigned long)((unsigned)score ^ 0x80000000u) << 32 | (0xffffffffu - (unsigned)father);
}

static int score_of(unsigned long word)
{
    return (int)((unsigned)(word >> 32) ^ 0x80000000u);
}

static int father_of(unsigned long word)
{
    return (int)(0xffffffffu - (unsigned)word);
}

/* The greater of the two stays. Whether that is `word`; what was there before. Relaxed: it is read after
 * the next barrier. */
static int offer(unsigned long *place, unsigned long word, unsigned long *before)
{
    *before = __atomic_load_n(place, __ATOMIC_RELAXED);
    while (word > *before)
        if (__atomic_compare_exchange_n(place, before, word, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return 1;
    return 0;
}

/* So many turns of arithmetic, which make a unit of work longer. */
static void lengthen(long turns)
{
    static volatile unsigned long sink;
    unsigned long value = 1;
    for (long i = 0; i < turns; i++)
        value = value * 6364136223846793005ul + 1442695040888963407ul;
    (void)(turns && (sink = value));
}

/* How the documents' uniprocessor divided its time: 21.5 to CHECKNEXT, 46 to CHECKSTATE, 28.5 to
 * SAVESTATES. */
enum { checknext_share = 215, checkstate_share = 460, savestates_share = 285 };

static unsigned long unit_begins(const struct worker *worker)
{
    return worker->times ? worker->around->cycles() : 0;
}

static void unit_ends(const struct worker *worker, enum unit unit, unsigned long began)
{
    struct unit_times *const times = worker->times;
    if (times && times->count[unit] < most_unit_times)
        times->cycles[unit][times->count[unit]++] = (double)(long)(worker->around->cycles() - began);
}

/* The pair of an arc's states: the son's score by this father. */
static void checkstate(const struct worker *worker, int arc)
{
    struct search *const search = worker->search;
    const unsigned long began = unit_begins(worker);
    const int father = search->from[arc], son = search->to[arc];
    const int score =
        search->path[father] + search->match[search->segment * search->phonemes + search->phoneme[son]];
    unsigned long before, best_before;
    lengthen(search->work);
    const int updated = offer(&search->best[son], packed(score, father), &before);
    if (updated && !before) /* one process only sees it so */
        pool_push(&search->reached, son);
    offer(&search->best_score, packed(score, 0), &best_before);
    search->members[worker->process].pairs++;
    search->members[worker->process].updates += updated;
    unit_ends(worker, updated ? unit_update : unit_no_update, began);
}

/* CHECKNEXT in one with CHECKSTATE. */
static void expand_and_check(const struct worker *worker, int candidate)
{
    const struct search *const search = worker->search;
    for (int arc = search->first_arc[candidate]; arc < search->first_arc[candidate + 1]; arc++) {
        lengthen(search->work * checknext_share / checkstate_share);
        checkstate(worker, arc);
    }
}

/* CHECKNEXT alone: all pairs go to the stack. How many. */
static int expand(const struct worker *worker, struct stack *pairs, int candidate)
{
    const struct search *const search = worker->search;
    const unsigned long began = unit_begins(worker);
    const int first = search->first_arc[candidate], end = search->first_arc[candidate + 1];
    for (int arc = first; arc < end; arc++) {
        lengthen(search->work * checknext_share / checkstate_share);
        stack_push(pairs, search->below, arc);
    }
    unit_ends(worker, unit_expand, began);
    return end - first;
}

static void savestate(const struct worker *worker, int state, long threshold)
{
    struct search *const search = worker->search;
    const unsigned long began = unit_begins(worker), word = search->best[state];
    const int saved = score_of(word) > threshold;
    lengthen(search->work * savestates_share / checkstate_share);
    search->best[state] = 0;
    if (saved) {
        search->path[state] = score_of(word);
        search->back[search->segment * search->states + state] = father_of(word);
        pool_push(&search->candidates, state);
    }
    unit_ends(worker, saved ? unit_save : unit_discard, began);
}

/* From here on the process computes, ... */
static void work_begins(struct worker *worker)
{
    worker->began = worker->around->cycles();
}

/* ... and up to here. */
static void work_ends(struct worker *worker)
{
    const unsigned long now = worker->around->cycles();
    worker->busy += now - worker->began;
    worker->search->members[worker->process].arrived = now;
}

/* The last to arrive notes what the step took. Another may have looked at its clock later and arrived
 * before. */
static void note_step(struct search *search, struct step_times *times)
{
    unsigned long first = search->members[0].arrived, last = first;
    for (long i = 1; i < search->force.processes; i++) {
        const unsigned long arrived = search->members[i].arrived;
        if ((long)(arrived - first) < 0)
            first = arrived;
        if ((long)(arrived - last) > 0)
            last = arrived;
    }
    times->wall[search->segment] = last - search->began;
    times->spread[search->segment] = last - first;
}

static void end_forward(struct search *search)
{
    struct workload *const load = &search->workloads[search->segment];
    note_step(search, &search->forward);
    *load = (struct workload){pool_count(&search->candidates), 0, pool_count(&search->reached)};
    for (long i = 0; i < search->force.processes; i++) {
        load->pairs += search->members[i].pairs;
        search->members[i].pairs = 0;
    }
    pool_clear(&search->candidates);
}

static void end_pruning(struct search *search)
{
    note_step(search, &search->pruning);
    pool_clear(&search->reached);
    search->best_score = 0;
    search->segment++;
}

/* The barrier after a step, whose end the last one arranges. */
static void end_step(struct worker *worker, unsigned long *busy, void (*end)(struct search *))
{
    struct search *const search = worker->search;
    work_ends(worker);
    busy[search->segment] = worker->busy;
    worker->busy = 0;
    if (force_arrive(&search->force, worker->around, worker->process)) {
        end(search);
        search->began = worker->around->cycles();
        force_go_on(&search->force, worker->around, worker->process);
    }
    work_begins(worker);
}

/* A barrier within a step, or before the first. */
static void meet(struct worker *worker, int begins_step)
{
    struct search *const search = worker->search;
    work_ends(worker);
    if (force_arrive(&search->force, worker->around, worker->process)) {
        if (begins_step)
            search->began = worker->around->cycles();
        force_go_on(&search->force, worker->around, worker->process);
    }
    work_begins(worker);
}

static void forward_static(struct worker *worker)
{
    const struct pool *const candidates = &worker->search->candidates;
    const long count = pool_count(candidates), processes = worker->search->force.processes;
    const long end = count * (worker->process + 1) / processes;
    for (long i = count * worker->process / processes; i < end; i++)
        expand_and_check(worker, candidates->items[i]);
}

static void forward_dynamic(struct worker *worker)
{
    int candidate;
    while ((candidate = pool_pop(&worker->search->candidates, 0)) >= 0)
        expand_and_check(worker, candidate);
}

static void forward_split(struct worker *worker)
{
    struct search *const search = worker->search;
    int item;
    while ((item = pool_pop(&search->candidates, 0)) >= 0)
        expand(worker, &search->pairs[0], item);
    meet(worker, 0);
    while ((item = stack_pop(&search->pairs[0], search->below)) >= 0)
        checkstate(worker, item);
}

static long stacks_of(const struct search *search)
{
    return search->variant == variant_stealing ? search->force.processes : 1;
}

/* From one's own stack, or from the first of the others that has one. */
static int take_pair(struct search *search, long process)
{
    const long stacks = stacks_of(search);
    int pair = -1;
    for (long i = 0; i < stacks && pair < 0; i++)
        pair = stack_pop(&search->pairs[(process + i) % stacks], search->below);
    return pair;
}

/* For a process that waits for work. */
static int sees_work_or_end(const void *what)
{
    const struct search *const search = what;
    int some = pool_has_some(&search->candidates) || pool_is_over(&search->candidates);
    for (long i = 0; i < stacks_of(search) && !some; i++)
        some = stack_has_some(&search->pairs[i]);
    return some;
}

/* The end: a process is active from the step that takes a candidate to the one after it has pushed all its
 * pairs, and both are steps of one word, which also says how many candidates are taken. So once that word
 * reads "all taken, nobody active", no pair is pushed any more. A process that has read so before it finds
 * the stacks empty may go to the barrier: every pair is checked, or held by one who checks it and comes
 * later. Who finds the stacks empty and others active waits; pairs that are pushed wake as many as may be
 * of use, and the last who was active wakes all. CHECKNEXT only adds pairs, so CHECKSTATE may run beside
 * it. */
static void forward_asynchronous(struct worker *worker)
{
    struct search *const search = worker->search;
    struct stack *const own = &search->pairs[worker->process % stacks_of(search)];
    for (;;) {
        int item = pool_pop(&search->candidates, pool_one_active);
        if (item >= 0) {
            const int pushed = expand(worker, own, item);
            const int over = pool_lower(&search->candidates);
            force_wake(&search->force, worker->around, over ? most_processes : pushed - 1);
            continue;
        }
        const int over = pool_is_over(&search->candidates);
        item = take_pair(search, worker->process);
        if (item >= 0) {
            checkstate(worker, item);
        } else if (over) {
            return;
        } else {
            work_ends(worker);
            force_wait(&search->force, worker->around, worker->process, sees_work_or_end, search);
            work_begins(worker);
        }
    }
}

static void prune(struct worker *worker)
{
    struct search *const search = worker->search;
    const long threshold = score_of(search->best_score) - search->beam;
    int state;
    while ((state = pool_pop(&search->reached, 0)) >= 0)
        savestate(worker, state, threshold);
}

void search_work(struct worker *worker)
{
    static void (*const ways[])(struct worker *) = {
        [variant_static] = forward_static,         [variant_dynamic] = forward_dynamic,
        [variant_split] = forward_split,           [variant_asynchronous] = forward_asynchronous,
        [variant_stealing] = forward_asynchronous,
    };
    struct search *const search = worker->search;
    struct member *const member = &search->members[worker->process];
    const long segments = search->segments;
    work_begins(worker);
    meet(worker, 1);
    worker->busy = 0;
    for (long segment = 0; segment < segments; segment++) {
        ways[search->variant](worker);
        end_step(worker, member->busy_forward, end_forward);
        prune(worker);
        end_step(worker, member->busy_pruning, end_pruning);
    }
}

/* Cuts a block into arrays; without a block, it says how long one must be. */
struct cutter {
    char *block;
    long used;
};

static void *cut(struct cutter *cutter, long count, long size)
{
    enum { line = 64 };
    void *const part = cutter->block ? cutter->block + cutter->used : 0;
    cutter->used += (count * size + line - 1) / line * line;
    return part;
}

static void *copied(struct cutter *cutter, const int *numbers, long count)
{
    int *const part = cut(cutter, count, sizeof *part);
    return part ? memcpy(part, numbers, (unsigned long)count * sizeof *part) : 0;
}

static struct search *lay_out(struct cutter *cutter, const struct network *network, long phonemes,
                              long segments)
{
    static struct search nowhere; /* while there is no block */
    struct search *search = cut(cutter, 1, sizeof *search);
    if (!search)
        search = &nowhere;
    else
        memset(search, 0, sizeof *search);
    search->states = network->states;
    search->arcs = network->arcs;
    search->phonemes = phonemes;
    search->phoneme = copied(cutter, network->phoneme, network->states);
    search->ends = copied(cutter, network->ends, network->states);
    search->first_arc = copied(cutter, network->first_arc, network->states + 1);
    search->from = copied(cutter, network->from, network->arcs);
    search->to = copied(cutter, network->to, network->arcs);
    search->match = cut(cutter, segments * phonemes, sizeof *search->match);
    search->candidates.items = cut(cutter, network->states, sizeof *search->candidates.items);
    search->reached.items = cut(cutter, network->states, sizeof *search->reached.items);
    search->path = cut(cutter, network->states, sizeof *search->path);
    search->best = cut(cutter, network->states, sizeof *search->best);
    search->back = cut(cutter, segments * network->states, sizeof *search->back);
    search->below = cut(cutter, network->arcs, sizeof *search->below);
    return search;
}

struct search *search_make(const struct network *network, long phonemes, long segments, long processes,
                           void *(*take)(long bytes))
{
    struct cutter cutter = {0, 0};
    lay_out(&cutter, network, phonemes, segments);
    cutter = (struct cutter){take(cutter.used), 0};
    if (!cutter.block)
        return 0;
    struct search *const search = lay_out(&cutter, network, phonemes, segments);
    search->force.processes = processes;
    search->bytes = cutter.used;
    return search;
}

void search_touch(const struct search *search)
{
    enum { page = 4096 };
    const volatile char *const block = (const volatile char *)search;
    for (long at = 0; at < search->bytes; at += page)
        (void)block[at];
    (void)block[search->bytes - 1];
}

void search_begin(struct search *search, const struct match *match, enum variant variant, long beam,
                  long work)
{
    memcpy(search->match, match->values,
           (unsigned long)(match->segments * match->phonemes) * sizeof *search->match);
    memset(search->best, 0, (unsigned long)search->states * sizeof *search->best);
    search->segments = match->segments;
    search->variant = variant;
    search->beam = beam;
    search->work = work;
    search->segment = 0;
    search->best_score = 0;
    pool_clear(&search->reached);
    pool_clear(&search->candidates);
    search->path[0] = 0;
    pool_push(&search->candidates, 0);
}

void search_result(const struct search *search, struct result *result)
{
    const unsigned count = pool_count(&search->candidates);
    int last = -1;
    for (unsigned i = 0; i < count; i++) {
        const int state = search->candidates.items[i];
        if (search->ends[state] &&
            (last < 0 || packed(search->path[state], state) > packed(search->path[last], last)))
            last = state;
    }
    *result = (struct result){.found = last >= 0, .segments = search->segments};
    if (last < 0)
        return;
    result->score = search->path[last];
    for (long segment = search->segments; segment-- > 0;) {
        result->states[segment] = last;
        last = search->back[segment * search->states + last];
    }
}
