/* SPDX-License-Identifier: MIT */
/* Linear optimisation by the simplex method: node 0 reads a problem and shares it, all nodes solve it
 * together, node 0 says what came out, how many messages of which sizes it took, and how long. */
#include "../support/buffers.h"
#include "../support/one_process.h"
#include "../support/traffic.h"
#include "generated.h"
#include "mps.h"
#include "solve.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the program was asked to do. */
struct options {
    enum distribution distribution;
    enum buffers_kind buffers;
    enum mps_format format;
    long samples;
    long warm_up;               /* solutions before the first that is timed */
    long steps;                 /* 0: as many as it takes */
    struct generated generated; /* if there is no file */
    const char *file;
    int show_solution;
    int write; /* show the problem instead of solving it */
    int help;
};

static const char help[] =
    "simplex: solves a linear problem whose tableau is distributed over the nodes\n"
    "  FILE                          problem in MPS format; - is standard input (default: generated)\n"
    "  --by columns|rows             what a node holds of the tableau (default columns)\n"
    "  --format auto|fixed|free      of the file (default auto)\n"
    "  --generate ROWS,COLUMNS,SEED  a problem of that size (default 99,150,1)\n"
    "  --write yes|no                show the problem in MPS format and stop (default no)\n"
    "  --solution yes|no             show every column that is not 0 (default no)\n"
    "  --samples N                   timed solutions (default 3)\n"
    "  --warm-up N                   solutions before the first that is timed (default 0)\n"
    "  --steps N                     stop after N steps, whatever is found by then (default: solve)\n"
    "  --buffers auto|private|shared message buffers: as the design needs, or as said (default auto)\n";

static char complaint[300];

static const char *complain(const char *option, const char *value, const char *wanted)
{
    snprintf(complaint, sizeof complaint, "%s%s%s: %s", option, *value ? " " : "", value, wanted);
    return complaint;
}

static const char *parse_choice(int *choice, const char *option, const char *value, const char *const words[],
                                int count, const char *wanted)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(value, words[i])) {
            *choice = i;
            return 0;
        }
    return complain(option, value, wanted);
}

static const char *parse_yes(int *yes, const char *option, const char *value)
{
    static const char *const words[] = {"no", "yes"};
    return parse_choice(yes, option, value, words, 2, "yes or no");
}

static const char *parse_by(struct options *options, const char *value)
{
    static const char *const words[] = {"columns", "rows"};
    int choice = options->distribution;
    const char *wrong = parse_choice(&choice, "--by", value, words, 2, "columns or rows");
    options->distribution = (enum distribution)choice;
    return wrong;
}

static const char *parse_format(struct options *options, const char *value)
{
    static const char *const words[] = {"auto", "fixed", "free"};
    int choice = options->format;
    const char *wrong = parse_choice(&choice, "--format", value, words, 3, "auto, fixed or free");
    options->format = (enum mps_format)choice;
    return wrong;
}

static const char *parse_generate(struct options *options, const char *value)
{
    char rest;
    struct generated *made = &options->generated;
    int found = sscanf(value, "%ld,%ld,%ld%c", &made->rows, &made->columns, &made->seed, &rest);
    if (found != 3 || made->rows < 1 || made->columns < 1 || made->rows > 5000 || made->columns > 5000)
        return complain("--generate", value, "rows and columns from 1 to 5000, and a seed, with commas");
    return 0;
}

static const char *parse_count(long *count, const char *option, const char *value, long least)
{
    static char wanted[40];
    char *after;
    *count = strtol(value, &after, 10);
    if (after != value && !*after && *count >= least && *count <= 1000)
        return 0;
    snprintf(wanted, sizeof wanted, "a number from %ld to 1000", least);
    return complain(option, value, wanted);
}

static const char *parse_one(struct options *options, const char *option, const char *value)
{
    if (!strcmp(option, "--by"))
        return parse_by(options, value);
    if (!strcmp(option, "--format"))
        return parse_format(options, value);
    if (!strcmp(option, "--generate"))
        return parse_generate(options, value);
    if (!strcmp(option, "--samples"))
        return parse_count(&options->samples, option, value, 1);
    if (!strcmp(option, "--warm-up"))
        return parse_count(&options->warm_up, option, value, 0);
    if (!strcmp(option, "--steps"))
        return parse_count(&options->steps, option, value, 1);
    if (!strcmp(option, "--solution"))
        return parse_yes(&options->show_solution, option, value);
    if (!strcmp(option, "--write"))
        return parse_yes(&options->write, option, value);
    if (!strcmp(option, "--buffers"))
        return buffers_parse(&options->buffers, value) ? 0
                                                       : complain(option, value, "auto, private or shared");
    return complain(option, "", "no such option (try --help)");
}

/* Null when all was understood, else what is wrong with the arguments. */
static const char *parse_arguments(struct options *options, int count, char **arguments)
{
    *options = (struct options){.samples = 3, .generated = {99, 150, 1}};
    for (int i = 1; i < count; i++) {
        const char *word = arguments[i];
        if (!strcmp(word, "--help")) {
            options->help = 1;
            return 0;
        }
        if (strncmp(word, "--", 2)) {
            if (options->file)
                return complain(word, "", "one file is enough");
            options->file = word;
            continue;
        }
        if (i + 1 == count)
            return complain(word, "", "no such option, or its value is missing (try --help)");
        const char *wrong = parse_one(options, word, arguments[++i]);
        if (wrong)
            return wrong;
    }
    return 0;
}

struct timing {
    long samples;
    double *times;         /* of each solution, on the slowest node, in ns */
    double *message_times; /* inside the message system, the mean of the nodes, in ns */
    double *shares;        /* that part of the node's own time, the mean of the nodes, in percent */
};

static void timing_make(struct timing *timing, long samples)
{
    size_t bytes = (size_t)samples * sizeof(double);
    *timing = (struct timing){samples, need_memory(bytes), need_memory(bytes), need_memory(bytes)};
}

static void timing_free(struct timing *timing)
{
    free(timing->times);
    free(timing->message_times);
    free(timing->shares);
}

/* One solution's time on this node; then all nodes' are put together. */
static void timing_note(struct timing *timing, long sample, double seconds, double seconds_inside)
{
    timing->times[sample] = seconds * 1e9;
    timing->message_times[sample] = seconds_inside * 1e9 / (double)numnodes();
    timing->shares[sample] = 100 * seconds_inside / seconds / (double)numnodes();
}

static void timing_combine(struct timing *timing)
{
    double *work = need_memory((size_t)timing->samples * sizeof *work);
    gdhigh(timing->times, timing->samples, work);
    gdsum(timing->message_times, timing->samples, work);
    gdsum(timing->shares, timing->samples, work);
    free(work);
}

static long sum_of_nodes(long value)
{
    long work;
    gisum(&value, 1, &work);
    return value;
}

static void show_size(long bytes, long count, long messages, const char *purpose)
{
    if (mynode() == 0 && messages > 0)
        printf("%8ld %8ld %6.2f%%  %s\n", bytes, count, 100 * (double)count / (double)messages, purpose);
}

/* Pivot lines are shorter when no artificial costs travel with them: what is shown is the mean. */
static void report_messages(const struct solver *solver)
{
    long offers = sum_of_nodes(solver->offers.sent), choices = sum_of_nodes(solver->choices.sent);
    long pivots = sum_of_nodes(solver->pivots.sent), bytes = sum_of_nodes(solver->traffic.bytes);
    long messages = offers + choices + pivots, small = (offers + choices) * selection_bytes;
    double counts[] = {(double)messages, (double)bytes, (double)(offers + choices), (double)pivots};
    if (mynode() != 0)
        return;
    printf("%ld messages, %.0f bytes on average\n", messages,
           messages ? (double)bytes / (double)messages : 0);
    show_size(selection_bytes, offers + choices, messages, "pivot selection");
    show_size(pivots ? (bytes - small) / pivots : 0, pivots, messages, "pivot data");
    nx_report("messages", 0, "", "messages", &counts[0], 1);
    nx_report("bytes sent", 0, "", "bytes", &counts[1], 1);
    nx_report("selection messages", selection_bytes, "", "messages", &counts[2], 1);
    nx_report("pivot messages", pivots ? (bytes - small) / pivots : 0, "", "messages", &counts[3], 1);
}

static void report_verdict(enum verdict verdict)
{
    double number = verdict;
    if (mynode() == 0)
        nx_report("verdict", 0, "", "verdict", &number, 1);
}

static void report_timing(const struct timing *timing, const struct solver *solver)
{
    double steps = (double)solver->steps;
    if (mynode() != 0)
        return;
    nx_report("simplex time", 0, "", "ns", timing->times, timing->samples);
    nx_report("message time", 0, "", "ns", timing->message_times, timing->samples);
    nx_report("share", 0, "", "percent", timing->shares, timing->samples);
    nx_report("pivots", 0, "", "pivots", &steps, 1);
}

static void report_solution(const struct solution *solution, const struct problem *problem, int all)
{
    if (mynode() != 0)
        return;
    printf("objective %.15g, largest violation %.2g\n", solution->objective, solution->violation);
    nx_report("objective", 0, "", "value", &solution->objective, 1);
    for (long j = 0; all && j < problem->column_names.count; j++)
        if (solution->columns[j] != 0)
            printf("  %-12s %.15g\n", problem->column_names.all[j], solution->columns[j]);
}

static const char *const verdicts[] = {"optimal", "infeasible", "unbounded", "gave up: too many steps",
                                       "stopped after the steps that were asked for"};

/* Ends the program on all nodes; only node 0 says why. */
static void refuse(const char *sentence, int status)
{
    if (mynode() == 0)
        fprintf(stderr, "%s\n", sentence);
    exit(status);
}

static void get_text(struct text *text, const struct options *options)
{
    struct traffic traffic = {0};
    const char *wrong = 0;
    if (mynode() == 0)
        wrong = text_read(text, options->file);
    if (wrong)
        text->length = -1;
    text_share(text, buffers_are_shared(options->buffers), &traffic);
    if (text->length < 0)
        refuse(wrong, 1);
    long messages = traffic.messages, bytes = traffic.bytes;
    if (mynode() == 0 && messages)
        printf("the problem went to the other nodes in %ld messages, %ld bytes (not counted below)\n",
               messages, bytes);
}

/* Every node makes the same problem up, and none needs to be told. */
static void generate_problem(struct problem *problem, const struct options *options)
{
    if (options->write) {
        if (mynode() == 0)
            generated_write(&options->generated, stdout);
        exit(0);
    }
    problem_make(problem);
    generated_problem(&options->generated, problem);
}

/* Every node reads the same text, so every node finds the same fault. */
static void read_problem(struct problem *problem, const struct options *options)
{
    struct text text = {0, 0};
    get_text(&text, options);
    if (options->write) {
        if (mynode() == 0)
            fwrite(text.letters, 1, (size_t)text.length, stdout);
        exit(0);
    }
    const char *name = strcmp(options->file, "-") ? options->file : "standard input";
    problem_make(problem);
    const char *wrong = mps_read(problem, name, text.letters, text.length, options->format);
    if (wrong)
        refuse(wrong, 1);
    free(text.letters);
}

/* The last solver stays, for its counts and its solution. */
static enum verdict solve(struct solver *solver, struct timing *timing, const struct standard *standard,
                          const struct options *options)
{
    enum verdict verdict = verdict_infeasible;
    unsigned long reading_cost = traffic_reading_cost();
    for (long sample = -options->warm_up; sample < options->samples; sample++) {
        if (sample > -options->warm_up)
            solver_free(solver);
        solver_make(solver, standard, options->distribution, buffers_are_shared(options->buffers));
        gsync();
        unsigned long start = nx_cycles();
        verdict = solver_run(solver, options->steps);
        double seconds = (double)(nx_cycles() - start) / nx_cycles_per_second();
        if (sample >= 0)
            timing_note(timing, sample, seconds, traffic_seconds(&solver->traffic, reading_cost));
        gsync();
    }
    timing_combine(timing);
    return verdict;
}

static void show_solution(const struct solver *solver, const struct standard *standard,
                          const struct problem *problem, int all)
{
    struct solution solution;
    long count = standard->column_count + standard->row_count;
    double *values = need_memory((size_t)count * sizeof *values),
           *work = need_memory((size_t)count * sizeof *work);
    tableau_values(&solver->tableau, values);
    gdsum(values, count, work);
    solution_make(&solution, problem, standard, values);
    report_solution(&solution, problem, all);
    solution_free(&solution);
    free(values);
    free(work);
}

static void run(const struct options *options)
{
    struct problem problem;
    struct standard standard;
    struct timing timing;
    struct solver solver;
    if (options->file)
        read_problem(&problem, options);
    else
        generate_problem(&problem, options);
    standard_make(&standard, &problem);
    timing_make(&timing, options->samples);
    enum verdict verdict =
        standard.infeasible ? verdict_infeasible : solve(&solver, &timing, &standard, options);
    if (mynode() == 0 && problem.has_integers)
        printf("integer columns are treated as continuous ones\n");
    if (mynode() == 0)
        printf("%s\n", verdicts[verdict]);
    report_verdict(verdict);
    if (verdict == verdict_optimal)
        show_solution(&solver, &standard, &problem, options->show_solution);
    if (!standard.infeasible) {
        if (mynode() == 0)
            printf("%ld pivots, %ld of them degenerate, %ld by Bland's rule\n", solver.steps,
                   solver.degenerate_steps, solver.bland_steps);
        report_messages(&solver);
        report_timing(&timing, &solver);
        solver_free(&solver);
    }
    timing_free(&timing);
    standard_free(&standard);
    problem_free(&problem);
    if (verdict == verdict_gave_up)
        exit(1);
}

int main(int count, char **arguments)
{
    struct options options;
    const char *wrong = parse_arguments(&options, count, arguments);
    if (!wrong && !options.help)
        wrong = buffers_refused(options.buffers);
    if (wrong || options.help) {
        if (mynode() == 0)
            wrong ? fprintf(stderr, "simplex: %s\n", wrong) : printf("%s", help);
        return wrong ? 2 : 0;
    }
    if (mynode() == 0)
        printf("simplex: %ld nodes, by %s, %s\n", numnodes(),
               options.distribution == by_columns ? "columns" : "rows", nx_design());
    run(&options);
    return 0;
}
