/* SPDX-License-Identifier: MIT */
/* Nodes in a grid of one to three dimensions, each with a block of the space. The number of nodes is a power
 * of two; nothing goes round the edges. */
#ifndef PARLEY_CLUMPS_GRID_H
#define PARLEY_CLUMPS_GRID_H

enum { grid_axes = 3, grid_directions = 2 * grid_axes };

struct grid {
    long size[grid_axes]; /* along x, y, z; numbers go along z first */
};

struct grid_place {
    long at[grid_axes];
};

static inline int is_power_of_two(long number)
{
    return number > 0 && (number & (number - 1)) == 0;
}

/* Doubles the sizes by turns of these axes, at most up to `most', until there are so many blocks. */
static inline struct grid grid_of(long blocks, const int *order, int axes, const struct grid *most)
{
    struct grid grid = {{1, 1, 1}};
    long made = 1;
    for (int turn = 0; made < blocks; turn++) {
        long *size = &grid.size[order[turn % axes]];
        if (most && *size == most->size[order[turn % axes]])
            continue;
        *size *= 2;
        made *= 2;
    }
    return grid;
}

static inline long grid_blocks(const struct grid *grid)
{
    return grid->size[0] * grid->size[1] * grid->size[2];
}

static inline struct grid_place grid_place_of(const struct grid *grid, long number)
{
    struct grid_place place;
    for (int axis = grid_axes - 1; axis >= 0; axis--) {
        place.at[axis] = number % grid->size[axis];
        number /= grid->size[axis];
    }
    return place;
}

static inline long grid_number_of(const struct grid *grid, const struct grid_place *place)
{
    return (place->at[0] * grid->size[1] + place->at[1]) * grid->size[2] + place->at[2];
}

/* The next one in a direction: twice the axis, and 1 more towards higher numbers; -1 at the edge. */
static inline long grid_next(const struct grid *grid, long number, int direction)
{
    struct grid_place place = grid_place_of(grid, number);
    long *at = &place.at[direction / 2];
    *at += direction % 2 ? 1 : -1;
    return *at < 0 || *at >= grid->size[direction / 2] ? -1 : grid_number_of(grid, &place);
}

#endif
