/* SPDX-License-Identifier: MIT */
#include "tableau.h"

#include <math.h>
#include <string.h>

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
