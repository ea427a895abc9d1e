/* SPDX-License-Identifier: MIT */
/* The graph of con: points of a square or cube lattice, each edge between neighbours present at random. Which
 * edges are, follows from where they lie in the whole lattice, however many nodes have blocks of it. */
#ifndef PARLEY_CLUMPS_LATTICE_H
#define PARLEY_CLUMPS_LATTICE_H

#include "studies/clumps/apps/support/grid.h"

#include <stdint.h>

struct lattice {
    long dimensions; /* 2 or 3; the sizes beyond are 1 */
    long percent;    /* of edges that are present */
    long seed;
    struct grid points;      /* of the whole lattice */
    struct grid_place first; /* point of the part that is looked at */
    struct grid part;        /* its points */
};

static inline long lattice_part_points(const struct lattice *lattice)
{
    return grid_blocks(&lattice->part);
}

/* Where the part's point with this number lies in the whole lattice, as a number. Numbers of a part's points
 * rise as those do. */
uint32_t lattice_point(const struct lattice *lattice, long of_part);
/* Whether the edge from a point to the next one along an axis is present, if there is a next one. */
int lattice_has_edge(const struct lattice *lattice, long of_part, int axis);
/* Sets least[p], for each point p of the part, to the least point of the part that is connected with p inside
 * the part. */
void lattice_connect(const struct lattice *lattice, uint32_t *least);

#endif
