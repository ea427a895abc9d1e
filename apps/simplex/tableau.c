/* SPDX-License-Identifier: MIT */
#include "tableau.h"

#include <math.h>
#include <string.h>

static const double least_pivot = 1e-8; /* the matrix is scaled: its elements start near 1 */

int tableau_owner(const struct tableau *tableau, long number)
{
    return (int)(number % tableau->nodes);
}

double *tableau_line(const struct tableau *tableau, long number)
{
    if (tableau_owner(tableau, number) != tableau->node)
        return 0;
    return tableau->lines + number / tableau->nodes * tableau->stride;
}

long tableau_line_length(const struct tableau *tableau)
{
    return tableau->distribution == by_columns ? tableau->rows + tableau->cost_count : tableau->columns + 1;
}

static long share_of(long lines, long nodes, long node)
{
    return (lines - node + nodes - 1) / nodes;
}

static void name_variables(struct tableau *tableau, const struct standard *standard)
{
    tableau->basis = need_memory((size_t)tableau->rows * sizeof *tableau->basis);
    tableau->outside = need_memory((size_t)tableau->columns * sizeof *tableau->outside);
    for (long j = 0; j < tableau->columns; j++)
        tableau->outside[j] = j;
    for (long i = 0; i < tableau->rows; i++)
        tableau->basis[i] = standard->rows[i].needs_artificial ? -1 - i : tableau->columns + i;
}

/* The artificial variables' sum, as costs: minus the sum of their rows. */
static double artificial_cost(const struct standard *standard, long column)
{
    double cost = 0;
    for (long e = standard->columns[column].first_entry; e < standard->columns[column + 1].first_entry; e++)
        if (standard->rows[standard->entries[e].row].needs_artificial)
            cost -= standard->entries[e].value;
    return cost;
}

static double artificial_sum(const struct standard *standard)
{
    double sum = 0;
    for (long i = 0; i < standard->row_count; i++)
        if (standard->rows[i].needs_artificial)
            sum += standard->rows[i].right_side;
    return sum;
}

static void fill_columns(struct tableau *tableau, const struct standard *standard)
{
    for (long j = tableau->node; j < tableau->columns; j += tableau->nodes) {
        double *line = tableau_line(tableau, j);
        for (long e = standard->columns[j].first_entry; e < standard->columns[j + 1].first_entry; e++)
            line[standard->entries[e].row] = standard->entries[e].value;
        line[tableau->rows] = standard->columns[j].cost;
        line[tableau->rows + 1] = artificial_cost(standard, j);
    }
    tableau->right_sides = need_memory((size_t)(tableau->rows + 2) * sizeof(double));
    for (long i = 0; i < tableau->rows; i++)
        tableau->right_sides[i] = standard->rows[i].right_side;
    tableau->right_sides[tableau->rows + 1] = -artificial_sum(standard);
}

static void fill_rows(struct tableau *tableau, const struct standard *standard)
{
    for (int which = 0; which < 2; which++)
        tableau->cost_rows[which] = need_memory((size_t)(tableau->columns + 1) * sizeof(double));
    for (long j = 0; j < tableau->columns; j++) {
        for (long e = standard->columns[j].first_entry; e < standard->columns[j + 1].first_entry; e++) {
            double *line = tableau_line(tableau, standard->entries[e].row);
            if (line)
                line[j] = standard->entries[e].value;
        }
        tableau->cost_rows[0][j] = standard->columns[j].cost;
        tableau->cost_rows[1][j] = artificial_cost(standard, j);
    }
    for (long i = tableau->node; i < tableau->rows; i += tableau->nodes)
        tableau_line(tableau, i)[tableau->columns] = standard->rows[i].right_side;
    tableau->cost_rows[1][tableau->columns] = -artificial_sum(standard);
}

static void set_tolerances(struct tableau *tableau, const struct standard *standard)
{
    double largest[2] = {0, 0};
    for (long j = 0; j < tableau->columns; j++) {
        largest[0] = fmax(largest[0], fabs(standard->columns[j].cost));
        largest[1] = fmax(largest[1], fabs(artificial_cost(standard, j)));
    }
    for (int which = 0; which < 2; which++)
        tableau->cost_tolerance[which] = 1e-9 * (largest[which] > 0 ? largest[which] : 1);
    double right_side = 1;
    for (long i = 0; i < tableau->rows; i++)
        right_side = fmax(right_side, standard->rows[i].right_side);
    tableau->rounding = 1e-12 * right_side;
}

void tableau_make(struct tableau *tableau, const struct standard *standard, enum distribution distribution,
                  long nodes, long node)
{
    int columns = distribution == by_columns;
    *tableau = (struct tableau){.distribution = distribution, .nodes = nodes, .node = node};
    tableau->rows = standard->row_count;
    tableau->columns = standard->column_count;
    tableau->cost_count = artificial_sum(standard) > 0 ? 2 : 1;
    tableau->stride = columns ? tableau->rows + 2 : tableau->columns + 1;
    long lines = share_of(columns ? tableau->columns : tableau->rows, nodes, node);
    tableau->lines = need_memory((size_t)(lines * tableau->stride) * sizeof(double));
    name_variables(tableau, standard);
    columns ? fill_columns(tableau, standard) : fill_rows(tableau, standard);
    set_tolerances(tableau, standard);
}

void tableau_free(struct tableau *tableau)
{
    free(tableau->basis);
    free(tableau->outside);
    free(tableau->lines);
    free(tableau->right_sides);
    free(tableau->cost_rows[0]);
    free(tableau->cost_rows[1]);
}

static double reduced_cost(const struct tableau *tableau, long column)
{
    int which = tableau->cost_count - 1;
    if (tableau->distribution == by_rows)
        return tableau->cost_rows[which][column];
    return tableau_line(tableau, column)[tableau->rows + which];
}

struct candidate tableau_entering(const struct tableau *tableau, int bland)
{
    struct candidate best = {0};
    int columns = tableau->distribution == by_columns;
    double tolerance = tableau->cost_tolerance[tableau->cost_count - 1];
    for (long j = columns ? tableau->node : 0; j < tableau->columns; j += columns ? tableau->nodes : 1) {
        double cost = reduced_cost(tableau, j);
        if (cost >= -tolerance || tableau->outside[j] == dead)
            continue;
        struct candidate one = {1, (int)tableau->node, j, bland ? 0 : cost, 0, tableau->outside[j]};
        if (candidate_is_better(&one, &best))
            best = one;
    }
    return best;
}

/* An artificial variable that stayed in the basis is 0 and leaves at once, before it could grow. */
static struct candidate leaving_at(const struct tableau *tableau, long row, double right_side, double element,
                                   int bland)
{
    int stuck = tableau->cost_count == 1 && tableau->basis[row] < 0;
    struct candidate none = {0};
    if (stuck ? fabs(element) < least_pivot : element < least_pivot)
        return none;
    double ratio = stuck || right_side < 0 ? 0 : right_side / element;
    return (struct candidate){1,     (int)tableau->node,         row,
                              ratio, bland ? 0 : -fabs(element), tableau->basis[row]};
}

struct candidate tableau_leaving(const struct tableau *tableau, long column, const double *line, int bland)
{
    struct candidate best = {0};
    int rows = tableau->distribution == by_rows;
    for (long i = rows ? tableau->node : 0; i < tableau->rows; i += rows ? tableau->nodes : 1) {
        const double *own = rows ? tableau_line(tableau, i) : 0;
        double right_side = rows ? own[tableau->columns] : tableau->right_sides[i];
        struct candidate one = leaving_at(tableau, i, right_side, rows ? own[column] : line[i], bland);
        if (candidate_is_better(&one, &best))
            best = one;
    }
    return best;
}

/* The step from one basis to the next. Element (i, j) outside the pivot's row and column becomes
 * t(i,j) - t(i,q) * (t(p,j) / t(p,q)), computed in just this way for both distributions. */

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

double tableau_step(const struct tableau *tableau, struct pivot pivot, const double *line)
{
    if (tableau->distribution == by_columns)
        return tableau->right_sides[pivot.row] / line[pivot.row];
    return line[tableau->columns] / line[pivot.column];
}

double tableau_infeasibility(const struct tableau *tableau)
{
    return tableau->distribution == by_columns ? -tableau->right_sides[tableau->rows + 1]
                                               : -tableau->cost_rows[1][tableau->columns];
}

/* Remains of artificial variables are rounding: they are 0 from here on, and so are their rows' right
 * sides. */
void tableau_forget_artificial_costs(struct tableau *tableau)
{
    tableau->cost_count = 1;
    for (long i = 0; i < tableau->rows; i++) {
        if (tableau->basis[i] >= 0)
            continue;
        double *line = tableau->distribution == by_rows ? tableau_line(tableau, i) : 0;
        if (tableau->distribution == by_columns)
            tableau->right_sides[i] = 0;
        else if (line)
            line[tableau->columns] = 0;
    }
}

void tableau_values(const struct tableau *tableau, double *values)
{
    for (long i = 0; i < tableau->rows; i++) {
        double *line = tableau->distribution == by_rows ? tableau_line(tableau, i) : 0;
        if (tableau->basis[i] < 0 || (tableau->distribution == by_columns ? tableau->node != 0 : !line))
            continue;
        values[tableau->basis[i]] += line ? line[tableau->columns] : tableau->right_sides[i];
    }
}
