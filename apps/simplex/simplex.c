/* SPDX-License-Identifier: MIT */
/* Linear optimisation by the simplex method: node 0 reads a problem and shares it, all nodes solve it
 * together, node 0 says what came out, how many messages of which sizes it took, and how long. */
#include "../support/one_process.h"
#include "mps.h"
#include "options.h"
#include "report.h"
#include "text.h"

static const char *const verdicts[] = {"optimal", "infeasible", "unbounded", "gave up: too many steps"};

/* Ends the program on all nodes; only node 0 says why. */
static void refuse(const char *sentence, int status)
{
    if (mynode() == 0)
        fprintf(stderr, "%s\n", sentence);
    exit(status);
}

static void get_text(struct text *text, const struct simplex_options *options)
{
    struct traffic traffic = {0};
    const char *wrong = 0;
    if (mynode() == 0 && options->file)
        wrong = text_read(text, options->file);
    else if (mynode() == 0)
        text_generate(text, options->rows, options->columns, options->seed);
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

/* Every node reads the same text, so every node finds the same fault. */
static void read_problem(struct problem *problem, const struct simplex_options *options)
{
    struct text text = {0, 0};
    get_text(&text, options);
    if (options->write) {
        if (mynode() == 0)
            fwrite(text.letters, 1, (size_t)text.length, stdout);
        exit(0);
    }
    const char *name = options->file && strcmp(options->file, "-") ? options->file : "standard input";
    problem_make(problem);
    const char *wrong = mps_read(problem, name, text.letters, text.length, options->format);
    if (wrong)
        refuse(wrong, 1);
    free(text.letters);
}

/* The last solver stays, for its counts and its solution. */
static enum verdict solve(struct solver *solver, struct timing *timing, const struct standard *standard,
                          const struct simplex_options *options)
{
    enum verdict verdict = verdict_infeasible;
    unsigned long reading_cost = traffic_reading_cost();
    for (long sample = 0; sample < options->samples; sample++) {
        if (sample > 0)
            solver_free(solver);
        solver_make(solver, standard, options->distribution, buffers_are_shared(options->buffers));
        gsync();
        unsigned long start = nx_cycles();
        verdict = solver_run(solver);
        double seconds = (double)(nx_cycles() - start) / nx_cycles_per_second();
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

static void run(const struct simplex_options *options)
{
    struct problem problem;
    struct standard standard;
    struct timing timing;
    struct solver solver;
    read_problem(&problem, options);
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
    struct simplex_options options;
    const char *wrong = simplex_parse(&options, count, arguments);
    if (!wrong && !options.help)
        wrong = buffers_refused(options.buffers);
    if (wrong || options.help) {
        if (mynode() == 0)
            wrong ? fprintf(stderr, "simplex: %s\n", wrong) : printf("%s", simplex_help);
        return wrong ? 2 : 0;
    }
    if (mynode() == 0)
        printf("simplex: %ld nodes, by %s, %s\n", numnodes(),
               options.distribution == by_columns ? "columns" : "rows", nx_design());
    run(&options);
    return 0;
}
