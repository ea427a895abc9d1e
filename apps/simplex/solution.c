/* SPDX-License-Identifier: MIT */
#include "solution.h"

#include <math.h>

static double beyond(double value, double lower, double upper)
{
    double below = isfinite(lower) ? (lower - value) / (1 + fabs(lower)) : 0;
    double above = isfinite(upper) ? (value - upper) / (1 + fabs(upper)) : 0;
    return fmax(0, fmax(below, above));
}

static double violation(const struct solution *solution, const struct problem *problem)
{
    double worst = 0, lower, upper;
    for (long i = 0; i < problem->row_names.count; i++) {
        problem_limits(&problem->rows[i], &lower, &upper);
        worst = fmax(worst, beyond(solution->activities[i], lower, upper));
    }
    for (long j = 0; j < problem->column_names.count; j++)
        worst =
            fmax(worst, beyond(solution->columns[j], problem->columns[j].lower, problem->columns[j].upper));
    return worst;
}

void solution_make(struct solution *solution, const struct problem *problem, const struct standard *standard,
                   const double *values)
{
    solution->columns = need_memory((size_t)problem->column_names.count * sizeof(double));
    solution->activities = need_memory((size_t)problem->row_names.count * sizeof(double));
    standard_restore(standard, problem, values, solution->columns);
    for (long j = 0; j < problem->column_names.count; j++)
        for (long e = problem->columns[j].first_entry; e < problem_last_entry(problem, j); e++)
            solution->activities[problem->entries[e].row] += problem->entries[e].value * solution->columns[j];
    solution->objective =
        solution->activities[problem->objective] - problem->rows[problem->objective].right_side;
    solution->violation = violation(solution, problem);
}

void solution_free(struct solution *solution)
{
    free(solution->columns);
    free(solution->activities);
}
