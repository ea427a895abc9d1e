/* SPDX-License-Identifier: MIT */
#include "mps.h"

#include "mps_reader.h"

#include <stdio.h>
#include <string.h>

const char *mps_complain(struct mps_reader *reader, const char *sentence, const char *word)
{
    snprintf(reader->complaint, sizeof reader->complaint, "%s: '%s'", sentence, word);
    return reader->complaint;
}

static const char *enter_section(struct mps_reader *reader)
{
    enum mps_section section = mps_section_of(&reader->line);
    if (section == section_unknown)
        return mps_complain(reader, "there is no such section", reader->line.words[0]);
    if (section <= reader->section)
        return mps_complain(reader, "this section comes too late or twice", reader->line.words[0]);
    if (section >= section_columns && reader->section < section_rows)
        return "the ROWS section must come first";
    if (section >= section_right_sides && reader->section < section_columns)
        return "the COLUMNS section must come first";
    reader->section = section;
    if (section == section_sense && reader->line.word_count > 1) {
        strcpy(reader->line.words[0], reader->line.words[1]);
        return mps_sense_line(reader);
    }
    return 0;
}

static const char *data_line(struct mps_reader *reader)
{
    switch (reader->section) {
    case section_sense: return mps_sense_line(reader);
    case section_rows: return mps_row_line(reader);
    case section_columns: return mps_column_line(reader);
    case section_right_sides: return mps_right_side_line(reader);
    case section_ranges: return mps_range_line(reader);
    case section_bounds: return mps_bound_line(reader);
    default: return "this line belongs to no section";
    }
}

static const char *take_line(struct mps_reader *reader)
{
    enum mps_format format = reader->section == section_sense ? mps_free : reader->format;
    const char *wrong = mps_split(&reader->line, format);
    if (wrong)
        return wrong;
    return reader->line.is_header ? enter_section(reader) : data_line(reader);
}

static const char *missing(const struct mps_reader *reader)
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
    static char sentence[3 * mps_longest_word + 500];
    struct mps_reader reader = {.problem = problem, .column = -1};
    reader.format = format == mps_automatic ? mps_detect(text, length) : format;
    const char *wrong = 0, *end = text + length;
    long number = 0;
    while (!wrong && text < end && reader.section != section_end) {
        text = mps_next_line(&reader.line, text, end);
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
