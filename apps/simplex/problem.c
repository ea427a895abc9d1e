/* SPDX-License-Identifier: MIT */
#include "problem.h"

#include <math.h>
#include <string.h>

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
