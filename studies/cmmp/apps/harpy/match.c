/* SPDX-License-Identifier: MIT */
#include "match.h"

#include "words.h"

#include <stdlib.h>
#include <string.h>

enum { most_columns = 1024 };

struct table_reader {
    struct words words;
    struct match *match;
    const struct names *phonemes;
    long columns;
    long phoneme_of[most_columns]; /* -1: the network has none of that name */
};

static const char *read_header(struct table_reader *reader)
{
    const struct names *const wanted = reader->phonemes;
    const char *wrong = 0;
    char *const has = harpy_memory(0, (unsigned long)wanted->count);
    int found;
    memset(has, 0, (unsigned long)wanted->count);
    if (reader->columns)
        wrong = words_complain(&reader->words, "there is one line of phonemes already");
    while (!wrong && (found = words_next(&reader->words, "")) != 0) {
        const long phoneme = found < 0 ? -1 : name_number(wanted, reader->words.word);
        if (reader->columns == most_columns)
            wrong = words_complain(&reader->words, "a table has at most %d phonemes", most_columns);
        else if (phoneme >= 0 && has[phoneme])
            wrong = words_complain(&reader->words, "the phoneme '%s' has two columns", reader->words.word);
        else
            reader->phoneme_of[reader->columns++] = phoneme;
        if (!wrong && phoneme >= 0)
            has[phoneme] = 1;
    }
    for (long phoneme = 0; !wrong && phoneme < wanted->count; phoneme++)
        if (!has[phoneme])
            wrong = words_complain(&reader->words,
                                   "there is no column for the phoneme '%s', which the network has: add it",
                                   wanted->all[phoneme]);
    free(has);
    return wrong;
}

static const char *read_segment(struct table_reader *reader)
{
    struct match *const match = reader->match;
    if (!reader->columns)
        return words_complain(&reader->words, "a line of phonemes must come before the first segment");
    if (match->segments == most_segments)
        return words_complain(&reader->words, "a table has at most %d segments", most_segments);
    match->values = harpy_memory(match->values, (unsigned long)((match->segments + 1) * match->phonemes) *
                                                    sizeof *match->values);
    int *const row = match->values + match->segments++ * match->phonemes;
    long column = 0;
    for (; words_next(&reader->words, ""); column++) {
        char *after;
        const long value = strtol(reader->words.word, &after, 10);
        if (*after || value < least_match || value > 0)
            return words_complain(&reader->words, "'%s' is no whole number from %d to 0", reader->words.word,
                                  least_match);
        if (column < reader->columns && reader->phoneme_of[column] >= 0)
            row[reader->phoneme_of[column]] = (int)value;
    }
    return column == reader->columns
               ? 0
               : words_complain(&reader->words, "%ld numbers stand here for %ld phonemes", column,
                                reader->columns);
}

static const char *read_line(struct table_reader *reader)
{
    words_next(&reader->words, "");
    if (!strcmp(reader->words.word, "phonemes"))
        return read_header(reader);
    if (!strcmp(reader->words.word, "segment"))
        return read_segment(reader);
    return words_complain(&reader->words, "a line begins with phonemes or segment, not with '%s'",
                          reader->words.word);
}

const char *match_read(struct match *match, const char *text, const char *file, const struct names *phonemes)
{
    static struct table_reader reader;
    const char *wrong = 0;
    *match = (struct match){.phonemes = phonemes->count};
    reader = (struct table_reader){.match = match, .phonemes = phonemes};
    words_begin(&reader.words, text, file);
    while (!wrong && words_next_line(&reader.words))
        wrong = read_line(&reader);
    if (!wrong && !match->segments)
        wrong = words_complain(&reader.words, "there is no segment up to here");
    return wrong;
}

void match_free(struct match *match)
{
    free(match->values);
    *match = (struct match){0};
}
