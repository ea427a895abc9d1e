/* SPDX-License-Identifier: MIT */
#include "standard.h"

#include <math.h>
#include <string.h>

/* Which standard rows a row of the problem became: its upper limit, its lower one; -1: none. */
struct images {
    long upper, lower;
};

static long add_row(struct standard *standard, double right_side, int has_slack)
{
    long row = standard->row_count++;
    standard->rows = grown(standard->rows, &standard->row_room, row, sizeof *standard->rows);
    standard->rows[row] = (struct standard_row){right_side, 1, 1, has_slack, !has_slack};
    return row;
}

static void add_column(struct standard *standard, long origin, double sign, double cost)
{
    long column = standard->column_count++;
    standard->columns =
        grown(standard->columns, &standard->column_room, column + 1, sizeof *standard->columns);
    standard->columns[column] = (struct standard_column){origin, 1, sign, cost, standard->entry_count};
    standard->columns[column + 1].first_entry = standard->entry_count;
}

static void add_entry(struct standard *standard, long row, double value)
{
    long entry = standard->entry_count++;
    standard->entries = grown(standard->entries, &standard->entry_room, entry, sizeof *standard->entries);
    standard->entries[entry] = (struct entry){row, value};
    standard->columns[standard->column_count].first_entry = standard->entry_count;
}

static void offset_columns(struct standard *standard, const struct problem *problem)
{
    for (long j = 0; j < problem->column_names.count; j++) {
        const struct column *column = &problem->columns[j];
        standard->infeasible |= column->lower > column->upper;
        standard->offsets[j] = isfinite(column->lower)   ? column->lower
                               : isfinite(column->upper) ? column->upper
                                                         : 0;
    }
}

/* What the offsets contribute to each row. */
static double *shifts_of(const struct standard *standard, const struct problem *problem)
{
    double *shifts = need_memory((size_t)problem->row_names.count * sizeof *shifts);
    for (long j = 0; j < problem->column_names.count; j++)
        for (long e = problem->columns[j].first_entry; e < problem_last_entry(problem, j); e++)
            shifts[problem->entries[e].row] += problem->entries[e].value * standard->offsets[j];
    return shifts;
}

static struct images *add_rows(struct standard *standard, const struct problem *problem)
{
    double *shifts = shifts_of(standard, problem);
    struct images *images = need_memory((size_t)problem->row_names.count * sizeof *images);
    for (long i = 0; i < problem->row_names.count; i++) {
        double lower, upper;
        problem_limits(&problem->rows[i], &lower, &upper);
        images[i] = (struct images){-1, -1};
        if (isfinite(upper))
            images[i].upper = add_row(standard, upper - shifts[i], lower != upper);
        if (isfinite(lower) && lower != upper)
            images[i].lower = add_row(standard, -(lower - shifts[i]), 1);
    }
    free(shifts);
    return images;
}

static void add_image(struct standard *standard, const struct problem *problem, const struct images *images,
                      long j, double sign)
{
    double cost = 0;
    for (long e = problem->columns[j].first_entry; e < problem_last_entry(problem, j); e++)
        if (problem->entries[e].row == problem->objective)
            cost = problem->entries[e].value;
    add_column(standard, j, sign, (problem->maximise ? -cost : cost) * sign);
    for (long e = problem->columns[j].first_entry; e < problem_last_entry(problem, j); e++) {
        struct images image = images[problem->entries[e].row];
        double value = problem->entries[e].value * sign;
        if (image.upper >= 0 && value != 0)
            add_entry(standard, image.upper, value);
        if (image.lower >= 0 && value != 0)
            add_entry(standard, image.lower, -value);
    }
}

static void add_columns(struct standard *standard, const struct problem *problem, const struct images *images)
{
    for (long j = 0; j < problem->column_names.count; j++) {
        const struct column *column = &problem->columns[j];
        int has_lower = isfinite(column->lower), has_upper = isfinite(column->upper);
        if (column->lower == column->upper)
            continue;
        add_image(standard, problem, images, j, has_lower || !has_upper ? 1 : -1);
        if (has_lower && has_upper)
            add_entry(standard, add_row(standard, column->upper - column->lower, 1), 1);
        if (!has_lower && !has_upper)
            add_image(standard, problem, images, j, -1);
    }
    standard->structural_count = standard->column_count;
}

/* A power of two near 1 / value. */
static double inverse_scale(double value)
{
    int exponent;
    if (value == 0)
        return 1;
    frexp(value, &exponent);
    return ldexp(1, 1 - exponent);
}

static void scale_columns(struct standard *standard)
{
    for (long j = 0; j < standard->column_count; j++) {
        struct standard_column *column = &standard->columns[j];
        double largest = 0;
        for (long e = column[0].first_entry; e < column[1].first_entry; e++)
            largest = fmax(largest, fabs(standard->entries[e].value));
        column->scale = inverse_scale(largest);
        column->cost *= column->scale;
        for (long e = column[0].first_entry; e < column[1].first_entry; e++)
            standard->entries[e].value *= column->scale;
    }
}

static void scale_rows(struct standard *standard)
{
    double *largest = need_memory((size_t)standard->row_count * sizeof *largest);
    for (long e = 0; e < standard->entry_count; e++) {
        long row = standard->entries[e].row;
        largest[row] = fmax(largest[row], fabs(standard->entries[e].value));
    }
    for (long i = 0; i < standard->row_count; i++) {
        standard->rows[i].scale = inverse_scale(largest[i]);
        standard->rows[i].right_side *= standard->rows[i].scale;
        if (standard->rows[i].right_side < 0)
            standard->rows[i].sign = -1;
        standard->rows[i].right_side = fabs(standard->rows[i].right_side);
    }
    for (long e = 0; e < standard->entry_count; e++) {
        const struct standard_row *row = &standard->rows[standard->entries[e].row];
        standard->entries[e].value *= row->scale * row->sign;
    }
    free(largest);
}

static void add_turned_slacks(struct standard *standard)
{
    for (long i = 0; i < standard->row_count; i++) {
        struct standard_row *row = &standard->rows[i];
        if (!row->has_slack || row->sign > 0)
            continue;
        row->needs_artificial = 1;
        add_column(standard, -1, 1, 0);
        add_entry(standard, i, -1);
    }
}

void standard_make(struct standard *standard, const struct problem *problem)
{
    memset(standard, 0, sizeof *standard);
    standard->offsets = need_memory((size_t)problem->column_names.count * sizeof *standard->offsets);
    offset_columns(standard, problem);
    struct images *images = add_rows(standard, problem);
    add_columns(standard, problem, images);
    scale_columns(standard);
    scale_rows(standard);
    add_turned_slacks(standard);
    free(images);
}

void standard_free(struct standard *standard)
{
    free(standard->rows);
    free(standard->columns);
    free(standard->entries);
    free(standard->offsets);
}

/* The problem's columns from values of the standard ones. */
static void restore(const struct standard *standard, const struct problem *problem, const double *values,
                    double *solution)
{
    memcpy(solution, standard->offsets, (size_t)problem->column_names.count * sizeof *solution);
    for (long j = 0; j < standard->structural_count; j++) {
        const struct standard_column *column = &standard->columns[j];
        solution[column->origin] += column->sign * column->scale * values[j];
    }
}

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
    restore(standard, problem, values, solution->columns);
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
