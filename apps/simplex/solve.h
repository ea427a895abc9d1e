/* SPDX-License-Identifier: MIT */
/* The simplex method over all nodes. In each step every node offers its best candidate to node 0 (a small
 * message), node 0 tells all which one wins (a small message to all), and the winner's owner sends the pivot
 * column or row to all (a large one). The largest gain decides until too many steps in a row gain nothing;
 * then Bland's rule does, which never cycles, until one gains something. */
#ifndef PARLEY_SIMPLEX_SOLVE_H
#define PARLEY_SIMPLEX_SOLVE_H

#include "mail.h"
#include "tableau.h"

enum verdict { verdict_optimal, verdict_infeasible, verdict_unbounded, verdict_gave_up, verdict_stopped };

enum { selection_bytes = 128 };

struct solver {
    struct tableau tableau;
    struct mail offers, choices, pivots;
    struct traffic traffic;
    double *line; /* a whole pivot message: header and numbers */
    long steps;   /* pivots made */
    long degenerate_steps;
    long bland_steps;
    long stalled; /* degenerate steps in a row */
    long wanted;  /* 0, or after how many steps it stops, whatever it has found */
};

/* Every node calls these, with the same standard form. */
void solver_make(struct solver *solver, const struct standard *standard, enum distribution distribution,
                 int shared);
void solver_free(struct solver *solver);
enum verdict solver_run(struct solver *solver, long wanted);

#endif
