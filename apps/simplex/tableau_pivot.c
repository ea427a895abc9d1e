/* SPDX-License-Identifier: MIT */
/* The step from one basis to the next. Element (i, j) outside the pivot's row and column becomes
 * t(i,j) - t(i,q) * (t(p,j) / t(p,q)), computed in just this way for both distributions. */
#include "tableau.h"

#include <math.h>

/* What is left of a right side that should be 0 would hide that a pivot is degenerate. */
static double without_rounding(const struct tableau *tableau, double right_side)
{
    return fabs(right_side) < tableau->rounding ? 0 : right_side;
}

/* One column, given the pivot column before the step. */
static void step_column(double *column, const double *pivot_column, long length, long row)
{
    double factor = column[row] / pivot_column[row];
    if (factor != 0)
        for (long i = 0; i < length; i++)
            column[i] -= pivot_column[i] * factor;
    column[row] = factor;
}

static void step_pivot_column(double *column, const double *before, long length, long row)
{
    for (long i = 0; i < length; i++)
        column[i] = -before[i] / before[row];
    column[row] = 1 / before[row];
}

static void step_by_columns(struct tableau *tableau, struct pivot pivot, const double *line)
{
    long length = tableau_line_length(tableau);
    for (long j = tableau->node; j < tableau->columns; j += tableau->nodes) {
        double *column = tableau_line(tableau, j);
        if (j == pivot.column)
            step_pivot_column(column, line, length, pivot.row);
        else if (tableau->outside[j] != dead)
            step_column(column, line, length, pivot.row);
    }
    step_column(tableau->right_sides, line, length, pivot.row);
    for (long i = 0; i < tableau->rows; i++)
        tableau->right_sides[i] = without_rounding(tableau, tableau->right_sides[i]);
}

/* One row that is not the pivot's, given the pivot row before the step. */
static void step_row(double *row, const double *pivot_row, long length, long column)
{
    double factor = row[column], pivot = pivot_row[column];
    if (factor == 0)
        return;
    for (long j = 0; j < length; j++)
        row[j] -= factor * (pivot_row[j] / pivot);
    row[column] = -factor / pivot;
}

static void step_pivot_row(double *row, const double *before, long length, long column)
{
    for (long j = 0; j < length; j++)
        row[j] = before[j] / before[column];
    row[column] = 1 / before[column];
}

static void step_by_rows(struct tableau *tableau, struct pivot pivot, const double *line)
{
    long length = tableau_line_length(tableau);
    for (long i = tableau->node; i < tableau->rows; i += tableau->nodes) {
        double *row = tableau_line(tableau, i);
        if (i == pivot.row)
            step_pivot_row(row, line, length, pivot.column);
        else
            step_row(row, line, length, pivot.column);
        row[tableau->columns] = without_rounding(tableau, row[tableau->columns]);
    }
    for (int which = 0; which < tableau->cost_count; which++)
        step_row(tableau->cost_rows[which], line, length, pivot.column);
}

void tableau_pivot(struct tableau *tableau, struct pivot pivot, const double *line)
{
    if (tableau->distribution == by_columns)
        step_by_columns(tableau, pivot, line);
    else
        step_by_rows(tableau, pivot, line);
    long leaves = tableau->basis[pivot.row];
    tableau->basis[pivot.row] = tableau->outside[pivot.column];
    tableau->outside[pivot.column] = leaves < 0 ? dead : leaves;
}
