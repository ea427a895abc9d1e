/* SPDX-License-Identifier: MIT */
/* A node's share of the condensed dense tableau, which has a column for each variable outside the basis only.
 *
 *     by columns: every nodes-th column, with its two reduced costs; everybody has the right sides
 *     by rows:    every nodes-th row, with its right side; everybody has both rows of reduced costs
 *
 * A pivot needs one line of the whole tableau, the pivot column or the pivot row, from the node that owns it.
 * Each element is computed in one way, so any distribution over any number of nodes gives the same bits.
 * Variables have names: 0 and up are columns of the standard form, then come the rows' slacks, negative ones
 * are artificial and never come back. Cost row 0 is the problem's, 1 the sum of the artificial variables. */
#ifndef PARLEY_SIMPLEX_TABLEAU_H
#define PARLEY_SIMPLEX_TABLEAU_H

#include "standard.h"

enum distribution { by_columns, by_rows };

/* What nodes offer when the pivot is chosen. The smallest wins; any order of comparing gives the same
 * winner. */
struct candidate {
    int is_there;
    int node;   /* whose it is */
    long line;  /* the column or row, by its number in the whole tableau */
    double key; /* reduced cost or ratio: the smallest is the best */
    double tie; /* decides between equal keys */
    long name;  /* of the variable; decides between equals, and by Bland's rule alone */
};

static inline int candidate_is_better(const struct candidate *one, const struct candidate *other)
{
    if (!one->is_there || !other->is_there)
        return one->is_there;
    if (one->key != other->key)
        return one->key < other->key;
    return one->tie != other->tie ? one->tie < other->tie : one->name < other->name;
}

struct tableau {
    enum distribution distribution;
    long nodes, node;
    long rows, columns;
    long *basis;          /* the name of each row's variable */
    long *outside;        /* the name of each column's variable; dead when it was artificial */
    long stride;          /* numbers in a line */
    double *lines;        /* this node's lines, one after the other */
    double *right_sides;  /* by columns: of all rows, then the two objective values */
    double *cost_rows[2]; /* by rows: reduced costs of all columns, then the objective value */
    int cost_count;       /* 2 while artificial variables are driven out, else 1 */
    double cost_tolerance[2];
    double rounding; /* a right side nearer to 0 than this is 0 */
};

enum { dead = -0x7fffffff };

struct pivot {
    long row, column;
};

void tableau_make(struct tableau *tableau, const struct standard *standard, enum distribution distribution,
                  long nodes, long node);
void tableau_free(struct tableau *tableau);

/* The line with that number, if this node owns it. */
double *tableau_line(const struct tableau *tableau, long number);
int tableau_owner(const struct tableau *tableau, long number);

/* The best entering column, or among this node's when distributed by columns; by Bland's rule the one with
 * the smallest name. */
struct candidate tableau_entering(const struct tableau *tableau, int bland);

/* The best leaving row for that column: `line` is the column when distributed by columns, else unused. */
struct candidate tableau_leaving(const struct tableau *tableau, long column, const double *line, int bland);

/* Numbers of a line that a pivot needs now. */
long tableau_line_length(const struct tableau *tableau);

/* How far the entering variable goes: 0 is a degenerate pivot. */
double tableau_step(const struct tableau *tableau, struct pivot pivot, const double *line);

/* `line` is the pivot's column or row as it is before the pivot. */
void tableau_pivot(struct tableau *tableau, struct pivot pivot, const double *line);

/* The current sum of the artificial variables. */
double tableau_infeasibility(const struct tableau *tableau);

/* From now on only the problem's costs count. */
void tableau_forget_artificial_costs(struct tableau *tableau);

/* Adds the values that this node knows to those of all standard columns and slacks. */
void tableau_values(const struct tableau *tableau, double *values);

#endif
