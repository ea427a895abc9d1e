/* SPDX-License-Identifier: MIT */
#include "lattice.h"

#include "studies/clumps/apps/support/mixed.h"

uint32_t lattice_point(const struct lattice *lattice, long of_part)
{
    struct grid_place place = grid_place_of(&lattice->part, of_part);
    for (int axis = 0; axis < grid_axes; axis++)
        place.at[axis] += lattice->first.at[axis];
    return (uint32_t)grid_number_of(&lattice->points, &place);
}

int lattice_has_edge(const struct lattice *lattice, long of_part, int axis)
{
    const uint64_t edge = (uint64_t)lattice_point(lattice, of_part) * grid_axes + (uint64_t)axis;
    return mixed_part(mixed_of((uint64_t)lattice->seed, edge)) * 100 < (double)lattice->percent;
}

static uint32_t root_of(uint32_t *least, uint32_t point)
{
    while (least[point] != point) {
        least[point] = least[least[point]];
        point = least[point];
    }
    return point;
}

void lattice_connect(const struct lattice *lattice, uint32_t *least)
{
    const long points = lattice_part_points(lattice);
    for (long point = 0; point < points; point++)
        least[point] = (uint32_t)point;
    for (long point = 0; point < points; point++)
        for (int axis = 0; axis < lattice->dimensions; axis++) {
            const long next = grid_next(&lattice->part, point, 2 * axis + 1);
            if (next < 0 || !lattice_has_edge(lattice, point, axis))
                continue;
            const uint32_t one = root_of(least, (uint32_t)point), other = root_of(least, (uint32_t)next);
            if (one < other)
                least[other] = one;
            else
                least[one] = other;
        }
    for (long point = 0; point < points; point++)
        least[point] = root_of(least, (uint32_t)point);
}
