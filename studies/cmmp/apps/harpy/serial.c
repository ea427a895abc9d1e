/* SPDX-License-Identifier: MIT */
#include "result.h"

#include <stdlib.h>
#include <string.h>

static const long unreached = 1; /* above every score */

struct serial {
    const struct network *network;
    const struct match *match;
    long *path, *best; /* of a state: as a candidate; in this segment */
    int *father;       /* of best */
    int *candidates, *reached;
    long candidate_count, reached_count, pair_count;
    int *back; /* of each segment's states */
    struct serial_record *record;
};

static void forward(struct serial *serial, long segment)
{
    const struct network *const network = serial->network;
    const int *const match = serial->match->values + segment * serial->match->phonemes;
    serial->reached_count = serial->pair_count = 0;
    for (long i = 0; i < serial->candidate_count; i++) {
        const int father = serial->candidates[i];
        if (serial->record->work)
            fprintf(serial->record->work, "candidate");
        for (int arc = network->first_arc[father]; arc < network->first_arc[father + 1]; arc++) {
            const int son = network->to[arc];
            const long value = serial->path[father] + match[network->phoneme[son]];
            serial->pair_count++;
            if (serial->record->work)
                fprintf(serial->record->work, " %d:%ld", son, value);
            if (serial->best[son] == unreached)
                serial->reached[serial->reached_count++] = son;
            else if (value < serial->best[son] ||
                     (value == serial->best[son] && father > serial->father[son]))
                continue;
            serial->best[son] = value;
            serial->father[son] = father;
        }
        if (serial->record->work)
            fprintf(serial->record->work, "\n");
    }
}

static void prune(struct serial *serial, long segment, long beam)
{
    long best = serial->best[serial->reached[0]];
    for (long i = 1; i < serial->reached_count; i++)
        if (serial->best[serial->reached[i]] > best)
            best = serial->best[serial->reached[i]];
    serial->candidate_count = 0;
    for (long i = 0; i < serial->reached_count; i++) {
        const int state = serial->reached[i];
        if (serial->best[state] > best - beam) {
            serial->path[state] = serial->best[state];
            serial->back[segment * serial->network->states + state] = serial->father[state];
            serial->candidates[serial->candidate_count++] = state;
        }
        serial->best[state] = unreached;
    }
    if (serial->record->work)
        fprintf(serial->record->work, "kept %ld\n", serial->candidate_count);
}

static unsigned long now(const struct serial *serial)
{
    return serial->record->cycles ? serial->record->cycles() : 0;
}

static void search_segment(struct serial *serial, long segment, long beam)
{
    const long candidates = serial->candidate_count;
    const unsigned long began = now(serial);
    forward(serial, segment);
    const unsigned long between = now(serial);
    prune(serial, segment, beam);
    serial->record->forward += between - began;
    serial->record->pruning += now(serial) - between;
    if (serial->record->workloads)
        serial->record->workloads[segment] =
            (struct workload){candidates, serial->pair_count, serial->reached_count};
}

static void trace_back(const struct serial *serial, struct result *result)
{
    long last = -1;
    for (long i = 0; i < serial->candidate_count; i++) {
        const long state = serial->candidates[i];
        if (serial->network->ends[state] && (last < 0 || serial->path[state] > serial->path[last] ||
                                             (serial->path[state] == serial->path[last] && state < last)))
            last = state;
    }
    *result = (struct result){.found = last >= 0, .segments = serial->match->segments};
    if (last < 0)
        return;
    result->score = serial->path[last];
    for (long segment = result->segments; segment-- > 0;) {
        result->states[segment] = (int)last;
        last = serial->back[segment * serial->network->states + last];
    }
}

void serial_search(const struct network *network, const struct match *match, long beam, struct result *result,
                   struct serial_record *record)
{
    const unsigned long states = (unsigned long)network->states;
    struct serial_record none = {0};
    struct serial serial = {.network = network, .match = match, .record = record ? record : &none};
    serial.path = harpy_memory(0, states * sizeof *serial.path);
    serial.best = harpy_memory(0, states * sizeof *serial.best);
    serial.father = harpy_memory(0, states * sizeof *serial.father);
    serial.candidates = harpy_memory(0, states * sizeof *serial.candidates);
    serial.reached = harpy_memory(0, states * sizeof *serial.reached);
    serial.back = harpy_memory(0, states * (unsigned long)match->segments * sizeof *serial.back);
    for (unsigned long state = 0; state < states; state++)
        serial.best[state] = unreached;
    serial.path[0] = 0;
    serial.candidates[serial.candidate_count++] = 0;
    for (long segment = 0; segment < match->segments; segment++)
        search_segment(&serial, segment, beam);
    trace_back(&serial, result);
    free(serial.path);
    free(serial.best);
    free(serial.father);
    free(serial.candidates);
    free(serial.reached);
    free(serial.back);
}
