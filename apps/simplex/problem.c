/* SPDX-License-Identifier: MIT */
#include "problem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void *must_have(void *memory)
{
    if (!memory) {
        fprintf(stderr, "simplex: no memory for the problem\n");
        exit(1);
    }
    return memory;
}

void *need_memory(size_t bytes)
{
    return must_have(calloc(1, bytes ? bytes : 1));
}

void *grown(void *array, long *room, long index, size_t element)
{
    if (index < *room)
        return array;
    *room = *room ? 2 * *room : 64;
    return must_have(realloc(array, (size_t)*room * element));
}

void names_free(struct names *names)
{
    for (long i = 0; i < names->count; i++)
        free(names->all[i]);
    free(names->all);
    free(names->slots);
    memset(names, 0, sizeof *names);
}

/* FNV-1a */
static unsigned long hashed(const char *name)
{
    unsigned long hash = 0xcbf29ce484222325ul;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 0x100000001b3ul;
    return hash;
}

/* Where the name is, or the free slot where it would be; there always is a free one. */
static long slot_of(const struct names *names, const char *name)
{
    long slot = (long)(hashed(name) & (unsigned long)(names->slot_count - 1));
    while (names->slots[slot] && strcmp(names->all[names->slots[slot] - 1], name))
        slot = (slot + 1) & (names->slot_count - 1);
    return slot;
}

long names_find(const struct names *names, const char *name)
{
    return names->slot_count ? names->slots[slot_of(names, name)] - 1 : -1;
}

static void enlarge(struct names *names)
{
    names->slot_count = names->slot_count ? 2 * names->slot_count : 256;
    free(names->slots);
    names->slots = need_memory((size_t)names->slot_count * sizeof *names->slots);
    for (long i = 0; i < names->count; i++)
        names->slots[slot_of(names, names->all[i])] = i + 1;
}

long names_add(struct names *names, const char *name)
{
    if (2 * (names->count + 1) > names->slot_count)
        enlarge(names);
    names->all = grown(names->all, &names->room, names->count, sizeof *names->all);
    names->all[names->count] = must_have(strdup(name));
    names->slots[slot_of(names, name)] = names->count + 1;
    return names->count++;
}

void problem_make(struct problem *problem)
{
    memset(problem, 0, sizeof *problem);
    problem->objective = -1;
}

void problem_free(struct problem *problem)
{
    names_free(&problem->row_names);
    names_free(&problem->column_names);
    free(problem->rows);
    free(problem->columns);
    free(problem->entries);
    problem_make(problem);
}

long problem_add_row(struct problem *problem, const char *name, char relation)
{
    if (names_find(&problem->row_names, name) >= 0)
        return -1;
    long row = names_add(&problem->row_names, name);
    problem->rows = grown(problem->rows, &problem->row_room, row, sizeof *problem->rows);
    problem->rows[row] = (struct row){.relation = relation};
    if (relation == 'N' && problem->objective < 0)
        problem->objective = row;
    return row;
}

long problem_add_column(struct problem *problem, const char *name)
{
    if (names_find(&problem->column_names, name) >= 0)
        return -1;
    long column = names_add(&problem->column_names, name);
    problem->columns = grown(problem->columns, &problem->column_room, column, sizeof *problem->columns);
    problem->columns[column] = (struct column){0, INFINITY, problem->entry_count};
    return column;
}

void problem_add_entry(struct problem *problem, long row, double value)
{
    long entry = problem->entry_count++;
    problem->entries = grown(problem->entries, &problem->entry_room, entry, sizeof *problem->entries);
    problem->entries[entry] = (struct entry){row, value};
}

long problem_last_entry(const struct problem *problem, long column)
{
    int is_last = column + 1 == problem->column_names.count;
    return is_last ? problem->entry_count : problem->columns[column + 1].first_entry;
}

void problem_limits(const struct row *row, double *lower, double *upper)
{
    double range = row->has_range ? fabs(row->range) : INFINITY;
    *lower = *upper = row->right_side;
    if (row->relation == 'L')
        *lower = row->right_side - range;
    else if (row->relation == 'G')
        *upper = row->right_side + range;
    else if (row->relation == 'N')
        *lower = -INFINITY, *upper = INFINITY;
    else if (row->has_range && row->range > 0)
        *upper = row->right_side + range;
    else if (row->has_range)
        *lower = row->right_side - range;
}
