/* SPDX-License-Identifier: MIT */
#include "mps_line.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* First and last column of the six fields, from 0. */
static const int field_first[] = {1, 4, 14, 24, 39, 49};
static const int field_last[] = {2, 11, 21, 35, 46, 60};

static int is_blank(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\r';
}

const char *mps_next_line(struct mps_line *line, const char *text, const char *end)
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

static int put_word(struct mps_line *line, const char *from, long length)
{
    if (length > mps_longest_word)
        return 0;
    memcpy(line->words[line->word_count], from, (size_t)length);
    line->words[line->word_count++][length] = 0;
    return 1;
}

static const char *split_free(struct mps_line *line)
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
        if (line->word_count == mps_most_words)
            return "the line has too many words";
        if (!put_word(line, word, at - word))
            return "a word is too long";
    }
}

static int put_field(struct mps_line *line, int first, int last)
{
    long end = last + 1 < line->length ? last + 1 : line->length, start = first;
    while (start < end && is_blank(line->text[start]))
        start++;
    while (end > start && is_blank(line->text[end - 1]))
        end--;
    return put_word(line, line->text + start, start < end ? end - start : 0);
}

static const char *split_fixed(struct mps_line *line)
{
    if (memchr(line->text, '\t', (size_t)line->length))
        return "a tab cannot stand in a line of fixed columns";
    for (long at = 0; at < line->length; at++) {
        int inside = 0;
        for (int field = 0; field < mps_most_words; field++)
            inside |= at >= field_first[field] && at <= field_last[field];
        if (!inside && at <= field_last[5] && line->text[at] != ' ')
            return "there is something between the fixed columns";
    }
    for (int field = 0; field < mps_most_words; field++)
        put_field(line, field_first[field], field_last[field]);
    return 0;
}

const char *mps_split(struct mps_line *line, enum mps_format format)
{
    line->word_count = 0;
    return line->is_header || format == mps_free ? split_free(line) : split_fixed(line);
}

enum mps_section mps_section_of(const struct mps_line *line)
{
    static const char *const headers[] = {"",    "NAME",   "OBJSENSE", "ROWS",  "COLUMNS",
                                          "RHS", "RANGES", "BOUNDS",   "ENDATA"};
    for (int section = section_name; section <= section_end; section++)
        if (!strcmp(line->words[0], headers[section]))
            return (enum mps_section)section;
    return section_unknown;
}

int mps_number(const char *word, double *value)
{
    char *after;
    *value = strtod(word, &after);
    return after != word && !*after && isfinite(*value) && !isspace((unsigned char)*word);
}

/* Whether the fields that the section needs are where the fixed format has them. */
static int fits(struct mps_line *line, enum mps_section section)
{
    double ignored;
    if (mps_split(line, mps_fixed))
        return 0;
    char(*words)[mps_longest_word + 1] = line->words;
    if (section == section_rows)
        return words[0][0] && words[1][0] && !words[2][0];
    if (section == section_columns && !strcmp(words[2], "'MARKER'"))
        return 1;
    if (section == section_bounds)
        return words[0][0] && words[2][0] && (!words[3][0] || mps_number(words[3], &ignored));
    if (section == section_columns && !words[1][0])
        return 0;
    return !words[0][0] && words[2][0] && mps_number(words[3], &ignored) &&
           (!words[4][0] || mps_number(words[5], &ignored));
}

enum mps_format mps_detect(const char *text, long length)
{
    struct mps_line line;
    enum mps_section section = section_none;
    for (const char *end = text + length; text < end;) {
        text = mps_next_line(&line, text, end);
        if (line.is_empty)
            continue;
        if (line.is_header)
            section = mps_split(&line, mps_free) ? section_unknown : mps_section_of(&line);
        else if (section >= section_rows && section <= section_bounds && !fits(&line, section))
            return mps_free;
        if (section == section_end)
            break;
    }
    return mps_fixed;
}
