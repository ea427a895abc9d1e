/* SPDX-License-Identifier: MIT */
#include "mps_reader.h"

#include <string.h>
#include <strings.h>

int mps_is_first_set(struct mps_reader *reader, int kind, const char *name)
{
    if (!reader->has_set[kind])
        strcpy(reader->sets[kind], name);
    reader->has_set[kind] = 1;
    return !strcmp(reader->sets[kind], name);
}

const char *mps_sense_line(struct mps_reader *reader)
{
    const char *word = reader->line.words[0];
    int maximises = !strcasecmp(word, "MAX") || !strcasecmp(word, "MAXIMIZE");
    if (!maximises && strcasecmp(word, "MIN") && strcasecmp(word, "MINIMIZE"))
        return mps_complain(reader, "the sense of the objective is MIN or MAX, not", word);
    reader->problem->maximise = maximises;
    return 0;
}

const char *mps_row_line(struct mps_reader *reader)
{
    const char *relation = reader->line.words[0], *name = reader->line.words[1];
    if (reader->line.word_count < 2 || !*name)
        return "a row needs a type and a name";
    if (!*relation || relation[1] || !strchr("NLGEnlge", *relation))
        return mps_complain(reader, "a row's type is N, L, G or E, not", relation);
    char letter = *relation >= 'a' ? (char)(*relation - 'a' + 'A') : *relation;
    if (problem_add_row(reader->problem, name, letter) < 0)
        return mps_complain(reader, "there are two rows of this name", name);
    return 0;
}

static const char *find_row(struct mps_reader *reader, const char *name, long *row)
{
    *row = names_find(&reader->problem->row_names, name);
    return *row < 0 ? mps_complain(reader, "there is no row of this name", name) : 0;
}

static const char *add_entry(struct mps_reader *reader, const char *name, const char *word)
{
    struct problem *problem = reader->problem;
    double value;
    long row;
    const char *wrong = find_row(reader, name, &row);
    if (wrong)
        return wrong;
    if (!mps_number(word, &value))
        return mps_complain(reader, "this is not a number", word);
    for (long entry = problem->columns[reader->column].first_entry; entry < problem->entry_count; entry++)
        if (problem->entries[entry].row == row)
            return mps_complain(reader, "the column has two entries in this row", name);
    problem_add_entry(problem, row, value);
    return 0;
}

/* Does for each of the one or two pairs of row and number that begin at word `first`. */
static const char *each_pair(struct mps_reader *reader, int first,
                             const char *(*action)(struct mps_reader *, const char *, const char *))
{
    struct mps_line *line = &reader->line;
    int pairs = 0;
    for (int at = first; at < line->word_count; at += 2) {
        if (at > first && !line->words[at][0])
            break;
        if (at + 1 == line->word_count || !line->words[at + 1][0])
            return mps_complain(reader, "a number is missing after", line->words[at]);
        const char *wrong = action(reader, line->words[at], line->words[at + 1]);
        if (wrong)
            return wrong;
        pairs++;
    }
    return pairs ? 0 : "the line needs a row's name and a number";
}

/* Fixed lines have an empty word for the first field, free ones none: the name's place. */
static int name_at(const struct mps_reader *reader)
{
    return reader->format == mps_fixed ? 1 : 0;
}

const char *mps_column_line(struct mps_reader *reader)
{
    struct problem *problem = reader->problem;
    int at = name_at(reader);
    const char *name = reader->line.words[at];
    if (reader->line.word_count > at + 1 && !strcmp(reader->line.words[at + 1], "'MARKER'")) {
        problem->has_integers = 1;
        return 0;
    }
    if (reader->line.word_count <= at || !*name)
        return "a column's name is missing";
    long known = names_find(&problem->column_names, name);
    if (known >= 0 && known != reader->column)
        return mps_complain(reader, "this column's entries stand in two places", name);
    if (known < 0)
        reader->column = problem_add_column(problem, name);
    return each_pair(reader, at + 1, add_entry);
}

static const char *set_right_side(struct mps_reader *reader, const char *name, const char *word)
{
    double value;
    long row;
    const char *wrong = find_row(reader, name, &row);
    if (wrong)
        return wrong;
    if (!mps_number(word, &value))
        return mps_complain(reader, "this is not a number", word);
    if (!reader->given)
        reader->given = need_memory((size_t)reader->problem->row_names.count);
    if (reader->given[row]++)
        return mps_complain(reader, "the row has two right sides", name);
    reader->problem->rows[row].right_side = value;
    return 0;
}

static const char *set_range(struct mps_reader *reader, const char *name, const char *word)
{
    double value;
    long row;
    const char *wrong = find_row(reader, name, &row);
    if (wrong)
        return wrong;
    if (!mps_number(word, &value))
        return mps_complain(reader, "this is not a number", word);
    if (reader->problem->rows[row].relation == 'N')
        return mps_complain(reader, "a row of type N has no range", name);
    if (reader->problem->rows[row].has_range)
        return mps_complain(reader, "the row has two ranges", name);
    reader->problem->rows[row].range = value;
    reader->problem->rows[row].has_range = 1;
    return 0;
}

/* The set's name may be left out in free format: then the words are pairs. */
static const char *set_line(struct mps_reader *reader, int kind,
                            const char *(*action)(struct mps_reader *, const char *, const char *))
{
    int has_name = reader->format == mps_fixed || reader->line.word_count % 2 == 1;
    const char *name = has_name ? reader->line.words[name_at(reader)] : "";
    if (!mps_is_first_set(reader, kind, name))
        return 0;
    return each_pair(reader, name_at(reader) + has_name, action);
}

const char *mps_right_side_line(struct mps_reader *reader)
{
    return set_line(reader, sets_right_sides, set_right_side);
}

const char *mps_range_line(struct mps_reader *reader)
{
    return set_line(reader, sets_ranges, set_range);
}
