/* SPDX-License-Identifier: MIT */
#include "solve.h"

#include <math.h>

enum { type_offer = 10, type_choice, type_pivot };

/* More degenerate steps in a row than this, and Bland's rule takes over. */
enum { patience = 20 };

struct selection {
    struct candidate candidate;
    char unused[selection_bytes - sizeof(struct candidate)];
};

/* Before the numbers of a pivot line. */
struct pivot_header {
    int row, column; /* row -1: the column is unbounded */
    double unused;
};

enum { header_numbers = sizeof(struct pivot_header) / sizeof(double) };

static long most_pivot_bytes(const struct tableau *tableau)
{
    return (header_numbers + tableau->stride) * (long)sizeof(double);
}

void solver_make(struct solver *solver, const struct standard *standard, enum distribution distribution,
                 int shared)
{
    *solver = (struct solver){0};
    tableau_make(&solver->tableau, standard, distribution, numnodes(), mynode());
    mail_make(&solver->offers, type_offer, selection_bytes, shared, &solver->traffic);
    mail_make(&solver->choices, type_choice, selection_bytes, shared, &solver->traffic);
    mail_make(&solver->pivots, type_pivot, most_pivot_bytes(&solver->tableau), shared, &solver->traffic);
    solver->line = need_memory((size_t)most_pivot_bytes(&solver->tableau));
}

void solver_free(struct solver *solver)
{
    tableau_free(&solver->tableau);
    mail_free(&solver->offers);
    mail_free(&solver->choices);
    mail_free(&solver->pivots);
    free(solver->line);
}

/* The best candidate of all nodes. Node 0's buffer is free again when the others' next offers are there. */
static struct candidate choose(struct solver *solver, struct candidate own)
{
    struct selection selection = {.candidate = own};
    if (numnodes() == 1)
        return own;
    if (mynode() != 0) {
        mail_send(&solver->offers, &selection, selection_bytes, 0);
        mail_receive(&solver->choices, &selection);
        return selection.candidate;
    }
    struct candidate best = own;
    for (long others = numnodes() - 1; others > 0; others--) {
        mail_receive(&solver->offers, &selection);
        if (candidate_is_better(&selection.candidate, &best))
            best = selection.candidate;
    }
    selection.candidate = best;
    mail_send(&solver->choices, &selection, selection_bytes, -1);
    return best;
}

/* The owner's pivot line reaches everybody. Nobody offers again before having it, so the owner's buffer is
 * free again after the next choice. */
static void share_line(struct solver *solver, int owner)
{
    long bytes = (header_numbers + tableau_line_length(&solver->tableau)) * (long)sizeof(double);
    if (numnodes() == 1)
        return;
    if (owner == mynode())
        mail_send(&solver->pivots, solver->line, bytes, -1);
    else
        mail_receive(&solver->pivots, solver->line);
}

static struct pivot_header *header(struct solver *solver)
{
    return (struct pivot_header *)solver->line;
}

static double *numbers(struct solver *solver)
{
    return solver->line + header_numbers;
}

static void copy_line(struct solver *solver, long number)
{
    const double *line = tableau_line(&solver->tableau, number);
    memcpy(numbers(solver), line, (size_t)tableau_line_length(&solver->tableau) * sizeof *line);
}

enum step { step_made, step_none_better, step_without_end };

static enum step find_by_columns(struct solver *solver, int bland)
{
    struct tableau *tableau = &solver->tableau;
    struct candidate column = choose(solver, tableau_entering(tableau, bland));
    if (!column.is_there)
        return step_none_better;
    if (column.node == mynode()) {
        copy_line(solver, column.line);
        struct candidate row = tableau_leaving(tableau, column.line, numbers(solver), bland);
        *header(solver) = (struct pivot_header){row.is_there ? (int)row.line : -1, (int)column.line, 0};
    }
    share_line(solver, column.node);
    return header(solver)->row < 0 ? step_without_end : step_made;
}

static enum step find_by_rows(struct solver *solver, int bland)
{
    struct tableau *tableau = &solver->tableau;
    struct candidate column = tableau_entering(tableau, bland);
    if (!column.is_there)
        return step_none_better;
    struct candidate row = choose(solver, tableau_leaving(tableau, column.line, 0, bland));
    if (!row.is_there)
        return step_without_end;
    if (row.node == mynode()) {
        copy_line(solver, row.line);
        *header(solver) = (struct pivot_header){(int)row.line, (int)column.line, 0};
    }
    share_line(solver, row.node);
    return step_made;
}

static enum step step_once(struct solver *solver)
{
    struct tableau *tableau = &solver->tableau;
    int bland = solver->stalled > patience;
    enum step step =
        tableau->distribution == by_columns ? find_by_columns(solver, bland) : find_by_rows(solver, bland);
    if (step != step_made)
        return step;
    struct pivot pivot = {header(solver)->row, header(solver)->column};
    int degenerate = tableau_step(tableau, pivot, numbers(solver)) <= 0;
    tableau_pivot(tableau, pivot, numbers(solver));
    solver->steps++;
    solver->bland_steps += bland;
    solver->degenerate_steps += degenerate;
    solver->stalled = degenerate ? solver->stalled + 1 : 0;
    return step_made;
}

/* Rounding could defeat the proof that Bland's rule ends; no sane problem needs so many steps. */
static long most_steps(const struct tableau *tableau)
{
    return 1000 + 100 * (tableau->rows + tableau->columns);
}

static int has_enough(const struct solver *solver)
{
    return solver->wanted && solver->steps >= solver->wanted;
}

static enum step step_to_the_end(struct solver *solver)
{
    enum step step;
    do
        step = step_once(solver);
    while (step == step_made && !has_enough(solver) && solver->steps < most_steps(&solver->tableau));
    solver->stalled = 0;
    return step;
}

static enum verdict not_solved(const struct solver *solver)
{
    return has_enough(solver) ? verdict_stopped : verdict_gave_up;
}

enum verdict solver_run(struct solver *solver, long wanted)
{
    struct tableau *tableau = &solver->tableau;
    solver->wanted = wanted;
    if (tableau->cost_count == 2) {
        if (step_to_the_end(solver) == step_made)
            return not_solved(solver);
        if (tableau_infeasibility(tableau) > 1e4 * tableau->rounding)
            return verdict_infeasible;
        tableau_forget_artificial_costs(tableau);
    }
    enum step step = step_to_the_end(solver);
    return step == step_made          ? not_solved(solver)
           : step == step_without_end ? verdict_unbounded
                                      : verdict_optimal;
}
