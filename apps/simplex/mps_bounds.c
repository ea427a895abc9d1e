/* SPDX-License-Identifier: MIT */
/* The BOUNDS section: type, set, column, and for most types a value. */
#include "mps_reader.h"

#include <math.h>
#include <string.h>

static const double largest_finite = 1e30;

static int needs_value(const char *type)
{
    return strcmp(type, "FR") && strcmp(type, "MI") && strcmp(type, "PL") && strcmp(type, "BV");
}

static int is_known(const char *type)
{
    static const char *const types[] = {"UP", "LO", "FX", "FR", "MI", "PL", "BV", "LI", "UI"};
    for (unsigned i = 0; i < sizeof types / sizeof types[0]; i++)
        if (!strcmp(type, types[i]))
            return 1;
    return 0;
}

static double maybe_infinite(double value)
{
    return fabs(value) < largest_finite ? value : copysign(INFINITY, value);
}

/* An upper bound below zero takes the lower bound of zero away with it, as everybody does. */
static void set_bound(struct column *column, const char *type, double value)
{
    value = maybe_infinite(value);
    if (!strcmp(type, "FR"))
        column->lower = -INFINITY, column->upper = INFINITY;
    else if (!strcmp(type, "MI"))
        column->lower = -INFINITY;
    else if (!strcmp(type, "PL"))
        column->upper = INFINITY;
    else if (!strcmp(type, "BV"))
        column->lower = 0, column->upper = 1;
    else if (!strcmp(type, "FX"))
        column->lower = column->upper = value;
    else if (type[0] == 'L')
        column->lower = value;
    else {
        column->upper = value;
        if (value < 0 && column->lower == 0)
            column->lower = -INFINITY;
    }
}

/* Where the column's name stands: in free format the set's name may be left out. */
static int column_at(struct mps_reader *reader, int valued)
{
    const struct mps_line *line = &reader->line;
    if (reader->format == mps_fixed)
        return 2;
    if (valued)
        return line->word_count >= 4 ? 2 : 1;
    const struct names *columns = &reader->problem->column_names;
    int second = line->word_count >= 3 && names_find(columns, line->words[2]) >= 0;
    return second || (line->word_count >= 3 && names_find(columns, line->words[1]) < 0) ? 2 : 1;
}

const char *mps_bound_line(struct mps_reader *reader)
{
    struct mps_line *line = &reader->line;
    const char *type = line->words[0];
    double value = 0;
    if (!is_known(type))
        return mps_complain(reader, "a bound's type is UP, LO, FX, FR, MI, PL, BV, LI or UI, not", type);
    int valued = needs_value(type), at = column_at(reader, valued);
    if (line->word_count <= at || !line->words[at][0])
        return "the bound names no column";
    const char *set = at == 2 ? line->words[1] : "";
    if (!mps_is_first_set(reader, sets_bounds, set))
        return 0;
    long column = names_find(&reader->problem->column_names, line->words[at]);
    if (column < 0)
        return mps_complain(reader, "there is no column of this name", line->words[at]);
    if (valued && line->word_count <= at + 1)
        return "the bound has no value";
    if (valued && !mps_number(line->words[at + 1], &value))
        return mps_complain(reader, "this is not a number", line->words[at + 1]);
    if (!strcmp(type, "BV") || type[1] == 'I')
        reader->problem->has_integers |= strcmp(type, "MI") != 0;
    set_bound(&reader->problem->columns[column], type, value);
    return 0;
}
