/* SPDX-License-Identifier: MIT */
/* The mesh of em3d: which values depend on which, and which node has which block of space. All of it follows
 * from numbers of blocks and values, so every node knows what touching blocks need without being told. */
#ifndef PARLEY_CLUMPS_MESH_H
#define PARLEY_CLUMPS_MESH_H

#include "studies/clumps/apps/support/grid.h"

enum { mesh_most_blocks = 256 };

struct mesh {
    long values; /* of each field, of each block */
    long degree; /* magnetic values that an electric one depends on */
    long seed;
    double part; /* of what a value depends on lies in each block that touches its own */
    struct grid space;
    long block_of_node[mesh_most_blocks], node_of_block[mesh_most_blocks];
};

/* An electric value's n-th magnetic one. */
struct mesh_edge {
    long block, value;
    int direction; /* in which that block touches; -1: it is the electric value's own */
    double weight;
};

enum mesh_layout {
    mesh_naive, /* a multiprocessor's blocks go along z first, then x, then y */
    mesh_good,  /* by turns of the axes */
};

/* `values', `degree' and `seed' are set. `blocks' is a power of two, at most mesh_most_blocks.
 * Multiprocessors have so many `processors', a power of two; `remote' of 100 edges lead to other blocks. */
void mesh_make(struct mesh *mesh, long blocks, long processors, enum mesh_layout layout, long remote);
struct mesh_edge mesh_edge_of(const struct mesh *mesh, long block, long value, long which);
/* What a value is at first, of a field in a block. */
double mesh_first(const struct mesh *mesh, int field, long block, long value);

#endif
