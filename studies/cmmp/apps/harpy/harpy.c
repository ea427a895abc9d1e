/* SPDX-License-Identifier: MIT */
/* HARPY as Oleinick and Fuller have made it parallel: 1 to 12 processes search a network of phonemes for the
 * sentence that fits an utterance best. What they wait with is what the job was given (SEMAPHORE=). Process 0
 * makes the network and the match tables; all search. */
#include "apps/support/one_process.h"
#include "apps/support/traffic.h"
#include "options.h"
#include "report.h"
#include "search.h"
#include "task.h"

#include <nx.h>
#include <nx_semaphores.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct task task;     /* of process 0 */
static struct report report; /* of process 0 */
static struct unit_times unit_times;

static void *take_shared(long bytes)
{
    enum { line = 64 };
    return nx_alloc_aligned(bytes, line);
}

/* By process 0. */
static int make_task(const struct harpy_options *options)
{
    const char *const wrong = task_make(&task, options);
    if (wrong)
        fprintf(stderr, "harpy: %s\n", wrong);
    else if (options->written == write_nothing)
        report_make(&report, task.utterances * task_segments(&task), numnodes(),
                    (enum variant)options->variant);
    return !wrong;
}

/* Process 0's comes to all: a block of the shared region lies at the same address for everybody. */
static struct search *shared_search(const struct harpy_options *options)
{
    struct search *mine = 0, *all[most_processes];
    if (mynode() == 0 && make_task(options)) {
        mine = search_make(&task.network, task.grammar.phonemes.count, task_segments(&task), numnodes(),
                           take_shared);
        if (!mine)
            fprintf(stderr,
                    "harpy: the network does not fit into the memory that all share: take a smaller one"
                    " (--names), or more of it (BUDGET=, nxrun --budget)\n");
    }
    gcol(&mine, sizeof mine, all, sizeof all, 0);
    return all[0];
}

/* What is left of a time without what its two readings cost. */
static double above(unsigned long cycles, double reading)
{
    const double left = (double)(long)cycles - reading;
    return left > 0 ? left : 0;
}

/* What taking and giving costs one process that nobody disturbs. */
static void measure_stacks(struct search *search)
{
    enum { rounds = 200 };
    static double push[rounds], pop[rounds], pool_pops[rounds];
    const double to_ns = 1e9 / nx_cycles_per_second(), reading = (double)traffic_reading_cost();
    pool_clear(&search->reached);
    for (int i = 0; i < rounds; i++) {
        const unsigned long begin = nx_cycles();
        stack_push(&search->pairs[0], search->below, 0);
        const unsigned long pushed = nx_cycles();
        stack_pop(&search->pairs[0], search->below);
        const unsigned long popped = nx_cycles();
        pool_clear(&search->reached);
        pool_push(&search->reached, 0);
        const unsigned long filled = nx_cycles();
        pool_pop(&search->reached, 0);
        pool_pops[i] = above(nx_cycles() - filled, reading) * to_ns;
        push[i] = above(pushed - begin, reading) * to_ns;
        pop[i] = above(popped - pushed, reading) * to_ns;
    }
    pool_clear(&search->reached);
    nx_report("push alone", 0, "", "ns", push, rounds);
    nx_report("pop alone", 0, "", "ns", pop, rounds);
    nx_report("pool pop alone", 0, "", "ns", pool_pops, rounds);
}

/* Whether the sentence has the words that were said. */
static int is_spoken(const char *sentence, const struct utterance *spoken)
{
    for (long i = 0; i < spoken->count; i++) {
        const char *const word = task.grammar.words.all[spoken->words[i]];
        const unsigned long length = strlen(word);
        if (strncmp(sentence, word, length) != 0)
            return 0;
        sentence += length;
        sentence += *sentence == ' ';
    }
    return !*sentence;
}

static void tell_answer(long utterance, const struct result *result)
{
    static char sentence[sentence_room];
    const struct utterance *const spoken = &task.spoken[utterance];
    result_sentence(result, &task.network, &task.grammar, sentence);
    report.score += (double)result->score;
    report.checksum = (double)((unsigned long)(report.checksum * 3 + result_checksum(result)) >> 2);
    if (result->found)
        printf("harpy: \"%s\", %ld%s\n", sentence, result->score,
               spoken->count && !is_spoken(sentence, spoken) ? ", which is not what was said" : "");
    else
        printf("harpy: no sentence ends within the beam: take a wider one (--beam)\n");
}

/* The serial search, and whether it finds the same. */
static int check_answer(const struct harpy_options *options, long utterance, const struct result *result)
{
    static struct result wanted;
    struct serial_record record = {.cycles = nx_cycles};
    serial_search(&task.network, &task.matches[utterance], options->beam, &wanted, &record);
    report.serial_forward += (double)record.forward;
    report.serial_pruning += (double)record.pruning;
    if (result_equal(&wanted, result))
        return 1;
    fprintf(stderr,
            "harpy: utterance %ld: the answer, of score %ld, is not the serial search's, of score %ld\n",
            utterance, result->score, wanted.score);
    return 0;
}

static int search_one(struct search *search, struct worker *worker, const struct harpy_options *options,
                      long utterance)
{
    static struct result result;
    const int tells = mynode() == 0;
    if (tells)
        search_begin(search, &task.matches[utterance], (enum variant)options->variant, options->beam,
                     options->work);
    gsync();
    const unsigned long began = nx_cycles();
    search_work(worker);
    const unsigned long elapsed = nx_cycles() - began;
    gsync();
    if (!tells)
        return 1;
    report.elapsed += (double)elapsed;
    report_add(&report, search);
    search_result(search, &result);
    tell_answer(utterance, &result);
    return check_answer(options, utterance, &result);
}

static int search_in_parallel(const struct harpy_options *options)
{
    struct search *const search = shared_search(options);
    struct surroundings around = {.p = P, .v = V, .cycles = nx_cycles};
    struct worker worker = {search, &around, mynode(), options->units ? &unit_times : 0, 0, 0};
    int right = search != 0;
    if (!search)
        return 0;
    for (long i = 0; i < numnodes(); i++)
        around.semaphores[i] = nx_semaphore(i, 0);
    search_touch(search);
    gsync();
    if (mynode() == 0)
        measure_stacks(search);
    for (long i = 0; i < options->utterances; i++)
        right &= search_one(search, &worker, options, i);
    if (options->units)
        report_units(&unit_times, numnodes(), (enum variant)options->variant);
    gsync(); /* all have counted */
    if (mynode() == 0) {
        report_tell(&report);
        nx_free(search);
    }
    return right;
}

/* The reference as a run of its own. */
static int search_serially(const struct harpy_options *options)
{
    static struct result result;
    static struct workload workloads[most_segments];
    if (!make_task(options))
        return 0;
    for (long i = 0; i < options->utterances; i++) {
        struct serial_record record = {.cycles = nx_cycles, .workloads = workloads};
        serial_search(&task.network, &task.matches[i], options->beam, &result, &record);
        report_add_serial(&report, &record, result.segments);
        tell_answer(i, &result);
    }
    report_tell(&report);
    return 1;
}

static int write_out(const struct harpy_options *options)
{
    if (mynode() != 0)
        return 1;
    if (!make_task(options))
        return 0;
    task_write(&task, options);
    return 1;
}

static int run(const struct harpy_options *options)
{
    if (options->written != write_nothing)
        return write_out(options);
    if (mynode() == 0)
        printf("harpy: %ld process%s, variant %ld, semaphores %s, %s grammar, %s\n", numnodes(),
               numnodes() == 1 ? "" : "es", options->variant, nx_semaphores(),
               options->grammar ? "given" : "synthetic", options->table ? "given table" : "synthetic speech");
    return options->variant == variant_serial ? search_serially(options) : search_in_parallel(options);
}

int main(int count, char **arguments)
{
    struct harpy_options options;
    const char *wrong = harpy_parse(&options, count, arguments);
    if (!wrong && !options.help)
        wrong = harpy_refuse(&options, numnodes());
    if (wrong || options.help) {
        if (mynode() == 0)
            wrong ? fprintf(stderr, "harpy: %s\n", wrong) : printf("%s", harpy_help);
        return wrong ? 2 : 0;
    }
    const int right = run(&options);
    if (mynode() == 0)
        task_free(&task);
    return !right;
}
