/* SPDX-License-Identifier: MIT */
#include "network.h"

#include <stdlib.h>
#include <string.h>

enum { most_states = 1 << 20, most_network_arcs = 1 << 24 };

struct compiler {
    struct network *network;
    const struct grammar *grammar;
    int *first_state; /* of each word arc; the positions of its word follow */
    int *arc_of;      /* of each state: the word arc */
    int *leaving;     /* word arcs, by the point that they leave */
    int *first_leaving;
    int *stamp;       /* of each state: the last state that has it as a successor */
    int *point_stamp; /* of each point: the last state from which it was visited */
    int *stack;       /* of points */
    long arc_room;
};

static const struct pronunciation *pronunciation_of(const struct grammar *grammar, const struct word_arc *arc)
{
    return arc->word == no_word ? 0 : &grammar->pronunciations[arc->word];
}

static void *numbers(long count)
{
    return harpy_memory(0, (unsigned long)count * sizeof(int));
}

static const char *make_states(struct compiler *compiler)
{
    const struct grammar *const grammar = compiler->grammar;
    struct network *const network = compiler->network;
    long states = 1;
    compiler->first_state = numbers(grammar->arc_count);
    for (long i = 0; i < grammar->arc_count; i++) {
        const struct pronunciation *const said = pronunciation_of(grammar, &grammar->arcs[i]);
        compiler->first_state[i] = (int)states;
        states += said ? said->count : 0;
        if (states > most_states)
            return "the network has more than 1048576 states: take a smaller grammar";
    }
    network->states = states;
    network->phoneme = numbers(states);
    network->word = numbers(states);
    network->ends = numbers(states);
    network->first_arc = numbers(states + 1);
    compiler->arc_of = numbers(states);
    compiler->stamp = numbers(states);
    network->phoneme[0] = network->word[0] = compiler->arc_of[0] = -1;
    for (long i = 0; i < grammar->arc_count; i++) {
        const struct pronunciation *const said = pronunciation_of(grammar, &grammar->arcs[i]);
        for (int position = 0; said && position < said->count; position++) {
            const long state = compiler->first_state[i] + position;
            network->phoneme[state] = said->phoneme[position];
            network->word[state] = grammar->arcs[i].word;
            compiler->arc_of[state] = (int)i;
        }
    }
    memset(compiler->stamp, -1, (unsigned long)states * sizeof(int));
    return 0;
}

/* The word arcs sorted by the point they leave. */
static void sort_leaving(struct compiler *compiler)
{
    const struct grammar *const grammar = compiler->grammar;
    const long points = grammar->points.count;
    compiler->leaving = numbers(grammar->arc_count);
    compiler->first_leaving = numbers(points + 1);
    compiler->point_stamp = numbers(points);
    compiler->stack = numbers(points);
    memset(compiler->first_leaving, 0, ((unsigned long)points + 1) * sizeof(int));
    memset(compiler->point_stamp, -1, (unsigned long)points * sizeof(int));
    for (long i = 0; i < grammar->arc_count; i++)
        compiler->first_leaving[grammar->arcs[i].from]++;
    for (long point = 1; point < points; point++) /* where its arcs end, ... */
        compiler->first_leaving[point] += compiler->first_leaving[point - 1];
    for (long i = grammar->arc_count; i-- > 0;) /* ... and then where they begin */
        compiler->leaving[--compiler->first_leaving[grammar->arcs[i].from]] = (int)i;
    compiler->first_leaving[points] = (int)grammar->arc_count;
}

static void add_arc(struct compiler *compiler, long from, long to, int begins_word)
{
    struct network *const network = compiler->network;
    if (compiler->stamp[to] == from)
        return; /* within the word, or by another way */
    compiler->stamp[to] = (int)from;
    if (network->arcs == compiler->arc_room) {
        compiler->arc_room = compiler->arc_room ? 2 * compiler->arc_room : 256;
        const unsigned long bytes = (unsigned long)compiler->arc_room * sizeof(int);
        network->from = harpy_memory(network->from, bytes);
        network->to = harpy_memory(network->to, bytes);
        network->begins_word = harpy_memory(network->begins_word, bytes);
    }
    network->from[network->arcs] = (int)from;
    network->to[network->arcs] = (int)to;
    network->begins_word[network->arcs++] = begins_word;
}

/* From a state to all that begin a word at the point, or at one that is reached from there without a
 * phoneme. */
static void add_words(struct compiler *compiler, long state, int point)
{
    const struct grammar *const grammar = compiler->grammar;
    long depth = 0;
    if (compiler->point_stamp[point] == state)
        return;
    compiler->point_stamp[point] = (int)state;
    compiler->stack[depth++] = point;
    while (depth) {
        point = compiler->stack[--depth];
        compiler->network->ends[state] |= point == grammar->end;
        for (int at = compiler->first_leaving[point]; at < compiler->first_leaving[point + 1]; at++) {
            const int arc = compiler->leaving[at], to = grammar->arcs[arc].to;
            const struct pronunciation *const said = pronunciation_of(grammar, &grammar->arcs[arc]);
            for (unsigned long left = said ? said->first : 0; left; left &= left - 1)
                add_arc(compiler, state, compiler->first_state[arc] + __builtin_ctzl(left), 1);
            if (grammar_is_empty(grammar, &grammar->arcs[arc]) && compiler->point_stamp[to] != state) {
                compiler->point_stamp[to] = (int)state;
                compiler->stack[depth++] = to;
            }
        }
    }
}

static void add_successors(struct compiler *compiler, long state)
{
    const struct word_arc *const arc = &compiler->grammar->arcs[compiler->arc_of[state]];
    const struct pronunciation *const said = pronunciation_of(compiler->grammar, arc);
    const long first = compiler->first_state[compiler->arc_of[state]], position = state - first;
    add_arc(compiler, state, state, 0);
    for (unsigned long left = said->follow[position]; left; left &= left - 1)
        add_arc(compiler, state, first + __builtin_ctzl(left), 0);
    if (said->last >> position & 1)
        add_words(compiler, state, arc->to);
}

const char *network_compile(struct network *network, const struct grammar *grammar)
{
    struct compiler compiler = {.network = network, .grammar = grammar};
    *network = (struct network){0};
    const char *wrong = make_states(&compiler);
    if (!wrong) {
        sort_leaving(&compiler);
        memset(network->ends, 0, (unsigned long)network->states * sizeof(int));
        for (long state = 0; state < network->states && !wrong; state++) {
            network->first_arc[state] = (int)network->arcs;
            state ? add_successors(&compiler, state) : add_words(&compiler, 0, grammar->begin);
            if (network->arcs > most_network_arcs)
                wrong = "the network has more than 16777216 arcs: take a smaller grammar";
        }
        network->first_arc[network->states] = (int)network->arcs;
        if (!wrong && !network->first_arc[1])
            wrong = "no sentence of this grammar has a phoneme";
    }
    free(compiler.first_state);
    free(compiler.arc_of);
    free(compiler.leaving);
    free(compiler.first_leaving);
    free(compiler.stamp);
    free(compiler.point_stamp);
    free(compiler.stack);
    return wrong;
}

void network_free(struct network *network)
{
    free(network->phoneme);
    free(network->word);
    free(network->ends);
    free(network->first_arc);
    free(network->from);
    free(network->to);
    free(network->begins_word);
    *network = (struct network){0};
}

long network_arc(const struct network *network, long from, long to)
{
    for (long arc = network->first_arc[from]; arc < network->first_arc[from + 1]; arc++)
        if (network->to[arc] == to)
            return arc;
    return -1;
}
