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
