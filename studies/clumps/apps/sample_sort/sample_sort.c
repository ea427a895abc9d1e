/* SPDX-License-Identifier: MIT */
/* SAMPLE of Lumetta's thesis (section 5.5): a sort of 32-bit integers over all nodes by Active Messages. Each
 * node sends a sample of its keys to node 0, which sorts all samples and tells every node the splitters; then
 * each sends every key to the node that it belongs to, six keys a message, which has its reply; and each
 * sorts what it has got. The keys depend on their place alone, so `--sequential 1' on one node, with as many
 * keys as all nodes have together, sorts the same by qsort and prints the same sum of places times keys. */
#include "apps/support/am_job.h"
#include "apps/support/one_process.h"
#include "studies/clumps/apps/support/common_start.h"
#include "studies/clumps/apps/support/figures.h"
#include "studies/clumps/apps/support/message_counts.h"
#include "studies/clumps/apps/support/numbers.h"
#include "studies/clumps/apps/support/starting_line.h"

#include <stdint.h>
#include <string.h>

enum {
    handler_sample = 1,
    handler_splitters,
    handler_keys,
    handler_answer,
    keys_a_message = 6, /* and a word that says how many there are */
    most_samples = 100,
    most_nodes = 256,
    most_unanswered = 256,
    sampled = 64, /* keys of each node: so many that hardly any node gets much more than others */
};

static long samples = 3, keys = 4096, unanswered, sequential, seed = 1, warm;
static const struct number numbers[] = {
    {"--samples", &samples, 1, most_samples, "how often it sorts"},
    {"--keys", &keys, sampled, 1 << 24, "of each node"},
    {"--unanswered", &unanswered, 0, most_unanswered,
     "requests of a node that may be without their replies; 0: as an endpoint begins"},
    {"--seed", &seed, 1, 1 << 30, "of the keys"},
    {"--warm", &warm, 0, 1000000, "requests of each node to the others before it sorts"},
    {"--sequential", &sequential, 0, 1, "1: by qsort, on one node"},
    MESSAGE_COUNTS_ARGUMENT,
    STARTING_LINE_ARGUMENT,
    COMMON_START_ARGUMENT,
    REST_ARGUMENT,
};

struct received {
    uint32_t *key;
    long count, room;
};

static struct {
    struct received sample, keys;
    uint32_t splitter[most_nodes];
    long splitters;
    long requests, answered;
} here;
static uint32_t *own;
static long sent[most_nodes]; /* keys, that lie in `parcel` */
static int32_t parcel[most_nodes][keys_a_message];

static void *new_memory(void *old, size_t bytes)
{
    void *memory = realloc(old, bytes);
    if (!memory) {
        fprintf(stderr, "sample_sort: there is no memory for %zu bytes.\n", bytes);
        exit(1);
    }
    return memory;
}

static void add(struct received *to, uint32_t key)
{
    if (to->count == to->room) {
        to->room = to->room ? 2 * to->room : 2 * keys;
        to->key = new_memory(to->key, (size_t)to->room * sizeof *to->key);
    }
    to->key[to->count++] = key;
}

static void answer(void *token)
{
    count_reply(token);
    am_must(AM_Reply0(token, handler_answer));
}

static void add_all(struct received *to, int count, const int word[keys_a_message])
{
    for (int i = 0; i < count; i++)
        add(to, (uint32_t)word[i]);
}

static void take_sample(void *token, int count, int a, int b, int c, int d, int e, int f)
{
    add_all(&here.sample, count, (const int[]){a, b, c, d, e, f});
    answer(token);
}

static void take_keys(void *token, int count, int a, int b, int c, int d, int e, int f)
{
    add_all(&here.keys, count, (const int[]){a, b, c, d, e, f});
    answer(token);
}

static void take_splitters(void *token, int first, int count, int a, int b, int c, int d, int e, int f)
{
    const int word[] = {a, b, c, d, e, f};
    for (int i = 0; i < count; i++)
        here.splitter[first + i] = (uint32_t)word[i];
    here.splitters += count;
    answer(token);
}

static void take_answer(void *token)
{
    (void)token;
    here.answered++;
}

/* Marsaglia's xorshift of the key's place, of all places different ones. */
static uint32_t key_at(long place)
{
    uint64_t x = ((uint64_t)place + 1) * 0x9e3779b97f4a7c15u + (uint64_t)seed * 0xbf58476d1ce4e5b9u;
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return (uint32_t)(x >> 32);
}

static int by_size(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static void sort(uint32_t *key, long count)
{
    qsort(key, (size_t)count, sizeof *key, by_size);
}

static void send_keys(int node, int handler, int count, const int32_t word[keys_a_message])
{
    here.requests++;
    count_short(node);
    am_must(AM_Request7(am_job.endpoint, node, handler, count, word[0], word[1], word[2], word[3], word[4],
                        word[5]));
}

static void send_sample(void)
{
    int32_t word[keys_a_message] = {0};
    int count = 0;
    for (long i = 0; i < sampled; i++) {
        word[count++] = (int32_t)own[i * (keys / sampled)];
        if (count == keys_a_message || i == sampled - 1) {
            send_keys(0, handler_sample, count, word);
            count = 0;
        }
    }
}

static void send_splitters(void)
{
    const long nodes = numnodes();
    uint32_t found[most_nodes + keys_a_message] = {0};
    AM_JOB_UNTIL(here.sample.count == nodes * sampled);
    sort(here.sample.key, here.sample.count);
    for (long i = 1; i < nodes; i++)
        found[i - 1] = here.sample.key[i * here.sample.count / nodes];
    for (int node = 0; node < nodes; node++)
        for (int at = 0; at < nodes - 1; at += keys_a_message) {
            const uint32_t *w = found + at;
            const int count = nodes - 1 - at < keys_a_message ? (int)(nodes - 1 - at) : keys_a_message;
            here.requests++;
            count_short(node);
            am_must(AM_Request8(am_job.endpoint, node, handler_splitters, at, count, (int)w[0], (int)w[1],
                                (int)w[2], (int)w[3], (int)w[4], (int)w[5]));
        }
}

/* The first node whose splitter is above the key, or the last. */
static int node_of(uint32_t key)
{
    long first = 0, last = numnodes() - 1;
    while (first < last) {
        const long middle = (first + last) / 2;
        if (key < here.splitter[middle])
            last = middle;
        else
            first = middle + 1;
    }
    return (int)first;
}

static void send_parcel(int node)
{
    if (sent[node])
        send_keys(node, handler_keys, (int)sent[node], parcel[node]);
    sent[node] = 0;
}

static void distribute(void)
{
    for (long i = 0; i < keys; i++) {
        const int node = node_of(own[i]);
        if (node == mynode()) {
            add(&here.keys, own[i]);
            continue;
        }
        parcel[node][sent[node]++] = (int32_t)own[i];
        if (sent[node] == keys_a_message)
            send_parcel(node);
    }
    for (int node = 0; node < numnodes(); node++)
        send_parcel(node);
}

/* Each place of the queues has been used then, and lies where messages leave it. */
static void warm_up(void)
{
    static const int32_t no_keys[keys_a_message];
    const long others = numnodes() - 1;
    for (long i = 0; others && i < warm; i++)
        send_keys((int)((mynode() + 1 + i % others) % numnodes()), handler_keys, 0, no_keys);
    AM_JOB_UNTIL(here.answered == here.requests);
}

/* In us, from the moment at which all have their keys until all are sorted. */
static double sort_once(void)
{
    here.sample.count = here.keys.count = here.splitters = 0;
    here.requests = here.answered = 0;
    message_counts_clear();
    for (long i = 0; i < keys; i++)
        own[i] = key_at(mynode() * keys + i);
    if (!sequential)
        am_job_meet();
    const unsigned long since = nx_cycles();
    if (sequential) {
        sort(own, keys);
    } else {
        send_sample();
        if (mynode() == 0)
            send_splitters();
        AM_JOB_UNTIL(here.splitters == numnodes() - 1);
        distribute();
        AM_JOB_UNTIL(here.answered == here.requests);
        am_job_meet(); /* all keys have come */
        sort(here.keys.key, here.keys.count);
        am_job_meet();
    }
    return (double)(nx_cycles() - since) * 1e6 / nx_cycles_per_second();
}

/* The sum, modulo 2 to the 64th, of each key times its place among all. */
static uint64_t sum_of(const uint32_t *key, long count, long first)
{
    uint64_t sum = 0;
    for (long i = 0; i < count; i++)
        sum += (uint64_t)key[i] * (uint64_t)(first + i + 1);
    return sum;
}

struct told {
    long count;
    uint64_t sum;
    uint32_t least, most;
    int is_sorted;
};

static int is_sorted(const uint32_t *key, long count)
{
    for (long i = 1; i < count; i++)
        if (key[i - 1] > key[i])
            return 0;
    return 1;
}

/* What all nodes have, told by node 0: 1 when that is not all keys in their order. */
static int tell(const double *times)
{
    const uint32_t *key = sequential ? own : here.keys.key;
    struct told mine = {.count = sequential ? keys : here.keys.count};
    static struct told all[most_nodes];
    static long counts[most_nodes];
    long got;
    gcol(&mine.count, sizeof mine.count, counts, numnodes() * (long)sizeof *counts, &got);
    long first = 0;
    for (long node = 0; node < mynode(); node++)
        first += counts[node];
    mine.sum = sum_of(key, mine.count, first);
    mine.is_sorted = is_sorted(key, mine.count);
    mine.least = mine.count ? key[0] : 0;
    mine.most = mine.count ? key[mine.count - 1] : 0;
    gcol(&mine, sizeof mine, all, numnodes() * (long)sizeof *all, &got);
    uint64_t sum = 0;
    long count = 0;
    int is_wrong = 0;
    uint32_t before = 0;
    for (long node = 0; node < numnodes(); node++) {
        is_wrong |= !all[node].is_sorted || (all[node].count && all[node].least < before);
        before = all[node].count ? all[node].most : before;
        sum += all[node].sum;
        count += all[node].count;
    }
    is_wrong |= count != numnodes() * keys;
    message_counts_tell("sample_sort");
    if (mynode() != 0)
        return is_wrong;
    if (is_wrong) {
        fprintf(stderr, "sample_sort: what the nodes have is not all keys in their order\n");
        return 1;
    }
    figure_tell("sample_sort", "time", keys * (long)sizeof *own, "us", times, samples);
    printf("sample_sort: sum %016llx\n", (unsigned long long)sum);
    printf("sample_sort: %s, all messages right\n", nx_design());
    return 0;
}

int main(int argc, char **argv)
{
    static double times[most_samples];
    read_numbers("sample_sort", numbers, sizeof numbers / sizeof *numbers, argc, argv);
    if (numnodes() > most_nodes || (sequential && numnodes() > 1)) {
        if (mynode() == 0)
            fprintf(stderr, "sample_sort: 1 to %d nodes sort, and --sequential 1 is for one.\n", most_nodes);
        return 2;
    }
    own = new_memory(0, (size_t)keys * sizeof *own);
    rest_as_told();
    am_job_begin();
    am_must(AM_SetHandler(am_job.endpoint, handler_sample, take_sample));
    am_must(AM_SetHandler(am_job.endpoint, handler_splitters, take_splitters));
    am_must(AM_SetHandler(am_job.endpoint, handler_keys, take_keys));
    am_must(AM_SetHandler(am_job.endpoint, handler_answer, take_answer));
    if (unanswered)
        am_must(AM_SetExpectedResources(am_job.endpoint, (int)numnodes(), (int)unanswered));
    am_job_meet(); /* queues are made with the first message */
    if (!sequential)
        warm_up();
    if (!common_start.at)
        (void)sort_once(); /* finds everything cold */
    starting_line("sample_sort");
    await_common_start("sample_sort");
    for (long i = 0; i < samples; i++)
        times[i] = sort_once();
    note_common_end();
    tell_common_start("sample_sort");
    return tell(times);
}
