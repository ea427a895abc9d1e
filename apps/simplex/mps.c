/* SPDX-License-Identifier: MIT */
#include "mps.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { most_words = 6, longest_word = 255 };

enum section {
    section_none,
    section_name,
    section_sense,
    section_rows,
    section_columns,
    section_right_sides,
    section_ranges,
    section_bounds,
    section_end,
    section_unknown
};

/* One line in words. Free format: words between blanks. Fixed format: six fields at fixed columns, in which
 * names may contain blanks; fields that are empty are empty words. */
struct line {
    const char *text; /* without the end of line */
    long length;
    int is_header; /* starts in the first column */
    int is_empty;  /* or a comment */
    char words[most_words][longest_word + 1];
    int word_count;
};

/* First and last column of the six fields, from 0. */
static const int field_first[] = {1, 4, 14, 24, 39, 49};
static const int field_last[] = {2, 11, 21, 35, 46, 60};

static int is_blank(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\r';
}

/* The next line of the text, not yet in words; returns where the one after it starts. */
static const char *next_line(struct line *line, const char *text, const char *end)
{
    const char *stop = memchr(text, '\n', (size_t)(end - text));
    const char *after = stop ? stop + 1 : end;
    stop = stop ? stop : end;
    while (stop > text && is_blank(stop[-1]))
        stop--;
    line->text = text;
    line->length = stop - text;
    line->is_empty = stop == text || *text == '*';
    line->is_header = !line->is_empty && !is_blank(*text);
    line->word_count = 0;
    return after;
}

static int put_word(struct line *line, const char *from, long length)
{
    if (length > longest_word)
        return 0;
    memcpy(line->words[line->word_count], from, (size_t)length);
    line->words[line->word_count++][length] = 0;
    return 1;
}

static const char *split_free(struct line *line)
{
    const char *at = line->text, *end = at + line->length;
    for (;;) {
        while (at < end && is_blank(*at))
            at++;
        const char *word = at;
        while (at < end && !is_blank(*at))
            at++;
        if (at == word)
            return 0;
        if (line->word_count == most_words)
            return "the line has too many words";
        if (!put_word(line, word, at - word))
            return "a word is too long";
    }
}

static int put_field(struct line *line, int first, int last)
{
    long end = last + 1 < line->length ? last + 1 : line->length, start = first;
    while (start < end && is_blank(line->text[start]))
        start++;
    while (end > start && is_blank(line->text[end - 1]))
        end--;
    return put_word(line, line->text + start, start < end ? end - start : 0);
}

static const char *split_fixed(struct line *line)
{
    if (memchr(line->text, '\t', (size_t)line->length))
        return "a tab cannot stand in a line of fixed columns";
    long at = 0;
    for (int field = 0; field < most_words; field++) {
        for (; at < field_first[field] && at < line->length; at++)
            if (line->text[at] != ' ')
                return "there is something between the fixed columns";
        put_field(line, field_first[field], field_last[field]);
        at = field_last[field] + 1;
    }
    return 0;
}

/* Null, or what is wrong with it. */
static const char *split(struct line *line, enum mps_format format)
{
    line->word_count = 0;
    return line->is_header || format == mps_free ? split_free(line) : split_fixed(line);
}

/* The section that a header starts; its words are free in both formats. */
static enum section section_of(const struct line *line)
{
    static const char *const headers[] = {"",    "NAME",   "OBJSENSE", "ROWS",  "COLUMNS",
                                          "RHS", "RANGES", "BOUNDS",   "ENDATA"};
    for (int section = section_name; section <= section_end; section++)
        if (!strcmp(line->words[0], headers[section]))
            return (enum section)section;
    return section_unknown;
}

/* 1 and the value when the whole word is a finite number. */
static int number_in(const char *word, double *value)
{
    char *after;
    *value = strtod(word, &after);
    return after != word && !*after && isfinite(*value) && !isspace((unsigned char)*word);
}

/* Whether the fields that the section needs are where the fixed format has them. */
static int fits(struct line *line, enum section section)
{
    double ignored;
    if (split(line, mps_fixed))
        return 0;
    char(*words)[longest_word + 1] = line->words;
    if (section == section_rows)
        return words[0][0] && words[1][0] && !words[2][0];
    if (section == section_columns && !strcmp(words[2], "'MARKER'"))
        return 1;
    if (section == section_bounds)
        return words[0][0] && words[2][0] && (!words[3][0] || number_in(words[3], &ignored));
    if (section == section_columns && !words[1][0])
        return 0;
    return !words[0][0] && words[2][0] && number_in(words[3], &ignored) &&
           (!words[4][0] || number_in(words[5], &ignored));
}

/* Fixed when every line fits the fixed columns, else free. */
static enum mps_format detect(const char *text, long length)
{
    struct line line;
    enum section section = section_none;
    for (const char *end = text + length; text < end;) {
        text = next_line(&line, text, end);
        if (line.is_empty)
            continue;
        if (line.is_header)
            section = split(&line, mps_free) ? section_unknown : section_of(&line);
        else if (section >= section_rows && section <= section_bounds && !fits(&line, section))
            return mps_free;
        if (section == section_end)
            break;
    }
    return mps_fixed;
}

enum { sets_right_sides, sets_ranges, sets_bounds, set_kinds };

struct reader {
    struct problem *problem;
    struct line line;
    enum mps_format format;
    enum section section;
    long column;                            /* the one whose entries are read, -1: none yet */
    char sets[set_kinds][longest_word + 1]; /* the names of the first sets */
    int has_set[set_kinds];
    char *given; /* for each row: its right side has been given */
    char complaint[2 * longest_word + 200];
};

/* The complaint, with the word in quotes after it. */
static const char *complain(struct reader *reader, const char *sentence, const char *word)
{
    snprintf(reader->complaint, sizeof reader->complaint, "%s: '%s'", sentence, word);
    return reader->complaint;
}

/* What happens to a line of each section: null, or what is wrong with it. */

/* Whether this set is the first of its kind, or has no name. */
static int is_first_set(struct reader *reader, int kind, const char *name)
{
    if (!reader->has_set[kind])
        strcpy(reader->sets[kind], name);
    reader->has_set[kind] = 1;
    return !strcmp(reader->sets[kind], name);
}

static const char *sense_line(struct reader *reader)
{
    const char *word = reader->line.words[0];
    int maximises = !strcasecmp(word, "MAX") || !strcasecmp(word, "MAXIMIZE");
    if (!maximises && strcasecmp(word, "MIN") && strcasecmp(word, "MINIMIZE"))
        return complain(reader, "the sense of the objective is MIN or MAX, not", word);
    reader->problem->maximise = maximises;
    return 0;
}

static const char *row_line(struct reader *reader)
{
    const char *relation = reader->line.words[0], *name = reader->line.words[1];
    if (reader->line.word_count < 2 || !*name)
        return "a row needs a type and a name";
    if (!*relation || relation[1] || !strchr("NLGEnlge", *relation))
        return complain(reader, "a row's type is N, L, G or E, not", relation);
    char letter = *relation >= 'a' ? (char)(*relation - 'a' + 'A') : *relation;
    if (problem_add_row(reader->problem, name, letter) < 0)
        return complain(reader, "there are two rows of this name", name);
    return 0;
}

static const char *find_row(struct reader *reader, const char *name, long *row)
{
    *row = names_find(&reader->problem->row_names, name);
    return *row < 0 ? complain(reader, "there is no row of this name", name) : 0;
}

static const char *add_entry(struct reader *reader, const char *name, const char *word)
{
    struct problem *problem = reader->problem;
    double value;
    long row;
    const char *wrong = find_row(reader, name, &row);
    if (wrong)
        return wrong;
    if (!number_in(word, &value))
        return complain(reader, "this is not a number", word);
    for (long entry = problem->columns[reader->column].first_entry; entry < problem->entry_count; entry++)
        if (problem->entries[entry].row == row)
            return complain(reader, "the column has two entries in this row", name);
    problem_add_entry(problem, row, value);
    return 0;
}

/* Does for each of the one or two pairs of row and number that begin at word `first`. */
static const char *each_pair(struct reader *reader, int first,
                             const char *(*action)(struct reader *, const char *, const char *))
{
    struct line *line = &reader->line;
    int pairs = 0;
    for (int at = first; at < line->word_count; at += 2) {
        if (at > first && !line->words[at][0])
            break;
        if (at + 1 == line->word_count || !line->words[at + 1][0])
            return complain(reader, "a number is missing after", line->words[at]);
        const char *wrong = action(reader, line->words[at], line->words[at + 1]);
        if (wrong)
            return wrong;
        pairs++;
    }
    return pairs ? 0 : "the line needs a row's name and a number";
}

/* Fixed lines have an empty word for the first field, free ones none: the name's place. */
static int name_at(const struct reader *reader)
{
    return reader->format == mps_fixed ? 1 : 0;
}

static const char *column_line(struct reader *reader)
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
        return complain(reader, "this column's entries stand in two places", name);
    if (known < 0)
        reader->column = problem_add_column(problem, name);
    return each_pair(reader, at + 1, add_entry);
}

static const char *set_right_side(struct reader *reader, const char *name, const char *word)
{
    double value;
    long row;
    const char *wrong = find_row(reader, name, &row);
    if (wrong)
        return wrong;
    if (!number_in(word, &value))
        return complain(reader, "this is not a number", word);
    if (!reader->given)
        reader->given = need_memory((size_t)reader->problem->row_names.count);
    if (reader->given[row]++)
        return complain(reader, "the row has two right sides", name);
    reader->problem->rows[row].right_side = value;
    return 0;
}

static const char *set_range(struct reader *reader, const char *name, const char *word)
{
    double value;
    long row;
    const char *wrong = find_row(reader, name, &row);
    if (wrong)
        return wrong;
    if (!number_in(word, &value))
        return complain(reader, "this is not a number", word);
    if (reader->problem->rows[row].relation == 'N')
        return complain(reader, "a row of type N has no range", name);
    if (reader->problem->rows[row].has_range)
        return complain(reader, "the row has two ranges", name);
    reader->problem->rows[row].range = value;
    reader->problem->rows[row].has_range = 1;
    return 0;
}

/* The set's name may be left out in free format: then the words are pairs. */
static const char *set_line(struct reader *reader, int kind,
                            const char *(*action)(struct reader *, const char *, const char *))
{
    int has_name = reader->format == mps_fixed || reader->line.word_count % 2 == 1;
    const char *name = has_name ? reader->line.words[name_at(reader)] : "";
    if (!is_first_set(reader, kind, name))
        return 0;
    return each_pair(reader, name_at(reader) + has_name, action);
}

static const char *right_side_line(struct reader *reader)
{
    return set_line(reader, sets_right_sides, set_right_side);
}

static const char *range_line(struct reader *reader)
{
    return set_line(reader, sets_ranges, set_range);
}

/* The BOUNDS section: type, set, column, and for most types a value. */

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
static int column_at(struct reader *reader, int valued)
{
    const struct line *line = &reader->line;
    if (reader->format == mps_fixed)
        return 2;
    if (valued)
        return line->word_count >= 4 ? 2 : 1;
    const struct names *columns = &reader->problem->column_names;
    int second = line->word_count >= 3 && names_find(columns, line->words[2]) >= 0;
    return second || (line->word_count >= 3 && names_find(columns, line->words[1]) < 0) ? 2 : 1;
}

static const char *bound_line(struct reader *reader)
{
    struct line *line = &reader->line;
    const char *type = line->words[0];
    double value = 0;
    if (!is_known(type))
        return complain(reader, "a bound's type is UP, LO, FX, FR, MI, PL, BV, LI or UI, not", type);
    int valued = needs_value(type), at = column_at(reader, valued);
    if (line->word_count <= at || !line->words[at][0])
        return "the bound names no column";
    const char *set = at == 2 ? line->words[1] : "";
    if (!is_first_set(reader, sets_bounds, set))
        return 0;
    long column = names_find(&reader->problem->column_names, line->words[at]);
    if (column < 0)
        return complain(reader, "there is no column of this name", line->words[at]);
    if (valued && line->word_count <= at + 1)
        return "the bound has no value";
    if (valued && !number_in(line->words[at + 1], &value))
        return complain(reader, "this is not a number", line->words[at + 1]);
    if (!strcmp(type, "BV") || type[1] == 'I')
        reader->problem->has_integers |= strcmp(type, "MI") != 0;
    set_bound(&reader->problem->columns[column], type, value);
    return 0;
}

static const char *enter_section(struct reader *reader)
{
    enum section section = section_of(&reader->line);
    if (section == section_unknown)
        return complain(reader, "there is no such section", reader->line.words[0]);
    if (section <= reader->section)
        return complain(reader, "this section comes too late or twice", reader->line.words[0]);
    if (section >= section_columns && reader->section < section_rows)
        return "the ROWS section must come first";
    if (section >= section_right_sides && reader->section < section_columns)
        return "the COLUMNS section must come first";
    reader->section = section;
    if (section == section_sense && reader->line.word_count > 1) {
        strcpy(reader->line.words[0], reader->line.words[1]);
        return sense_line(reader);
    }
    return 0;
}

static const char *data_line(struct reader *reader)
{
    switch (reader->section) {
    case section_sense: return sense_line(reader);
    case section_rows: return row_line(reader);
    case section_columns: return column_line(reader);
    case section_right_sides: return right_side_line(reader);
    case section_ranges: return range_line(reader);
    case section_bounds: return bound_line(reader);
    default: return "this line belongs to no section";
    }
}

static const char *take_line(struct reader *reader)
{
    enum mps_format format = reader->section == section_sense ? mps_free : reader->format;
    const char *wrong = split(&reader->line, format);
    if (wrong)
        return wrong;
    return reader->line.is_header ? enter_section(reader) : data_line(reader);
}

static const char *missing(const struct reader *reader)
{
    if (reader->section != section_end)
        return "the file ends without ENDATA";
    if (reader->problem->objective < 0)
        return "there is no objective: no row of type N";
    return 0;
}

const char *mps_read(struct problem *problem, const char *name, const char *text, long length,
                     enum mps_format format)
{
    static char sentence[3 * longest_word + 500];
    struct reader reader = {.problem = problem, .column = -1};
    reader.format = format == mps_automatic ? detect(text, length) : format;
    const char *wrong = 0, *end = text + length;
    long number = 0;
    while (!wrong && text < end && reader.section != section_end) {
        text = next_line(&reader.line, text, end);
        number++;
        if (!reader.line.is_empty)
            wrong = take_line(&reader);
    }
    wrong = wrong ? wrong : missing(&reader);
    if (wrong)
        snprintf(sentence, sizeof sentence, "%s:%ld: %s", name, number > 0 ? number : 1, wrong);
    free(reader.given);
    return wrong ? sentence : 0;
}
