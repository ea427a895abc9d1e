/* SPDX-License-Identifier: MIT */
#include "mesh.h"

#include "studies/clumps/apps/support/mixed.h"

static long smaller(long one, long other)
{
    return one < other ? one : other;
}

static struct grid multiprocessor(const struct grid *space, long processors, enum mesh_layout layout,
                                  const int *turns)
{
    if (layout == mesh_good)
        return grid_of(processors, turns, grid_axes, space);
    const long z = smaller(processors, space->size[2]);
    const long x = smaller(processors / z, space->size[0]);
    return (struct grid){{x, processors / z / x, z}};
}

static void lay_out(struct mesh *mesh, long blocks, const struct grid *inside)
{
    const long each = grid_blocks(inside);
    struct grid outside;
    for (int axis = 0; axis < grid_axes; axis++)
        outside.size[axis] = mesh->space.size[axis] / inside->size[axis];
    for (long node = 0; node < blocks; node++) {
        const struct grid_place group = grid_place_of(&outside, node / each);
        struct grid_place place = grid_place_of(inside, node % each);
        for (int axis = 0; axis < grid_axes; axis++)
            place.at[axis] += group.at[axis] * inside->size[axis];
        mesh->block_of_node[node] = grid_number_of(&mesh->space, &place);
        mesh->node_of_block[mesh->block_of_node[node]] = node;
    }
}

void mesh_make(struct mesh *mesh, long blocks, long processors, enum mesh_layout layout, long remote)
{
    static const int turns[] = {0, 2, 1};
    mesh->space = grid_of(blocks, turns, grid_axes, 0);
    const struct grid inside = multiprocessor(&mesh->space, smaller(processors, blocks), layout, turns);
    lay_out(mesh, blocks, &inside);
    long touching = 0;
    for (long block = 0; block < blocks; block++)
        for (int direction = 0; direction < grid_directions; direction++)
            touching += grid_next(&mesh->space, block, direction) >= 0;
    mesh->part = touching ? (double)remote / 100 * (double)blocks / (double)touching : 0;
}

struct mesh_edge mesh_edge_of(const struct mesh *mesh, long block, long value, long which)
{
    const uint64_t place = (uint64_t)((block * mesh->values + value) * mesh->degree + which);
    const uint64_t random = mixed_of((uint64_t)mesh->seed, place);
    struct mesh_edge edge = {.block = block,
                             .value = (long)(mixed_of(random, 1) % (uint64_t)mesh->values),
                             .direction = -1,
                             .weight = mixed_part(mixed_of(random, 2)) / (double)mesh->degree};
    double part = mixed_part(random);
    for (int direction = 0; direction < grid_directions; direction++) {
        const long next = grid_next(&mesh->space, block, direction);
        if (next < 0)
            continue;
        if (part < mesh->part) {
            edge.block = next;
            edge.direction = direction;
            break;
        }
        part -= mesh->part;
    }
    return edge;
}

double mesh_first(const struct mesh *mesh, int field, long block, long value)
{
    return mixed_part(
        mixed_of((uint64_t)mesh->seed, ~(uint64_t)(2 * (block * mesh->values + value) + field)));
}
