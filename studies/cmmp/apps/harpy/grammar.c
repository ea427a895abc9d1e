/* SPDX-License-Identifier: MIT */
#include "grammar.h"

#include "words.h"

#include <stdlib.h>
#include <string.h>

static const char signs[] = "()[]|=";
enum { deepest = 16, most_members = 1 << 20, most_arcs = 1 << 20 };

struct class {
    long first, count; /* of the reader's members */
};

struct reader {
    struct words words;
    struct grammar *grammar;
    struct names class_names;
    struct class *classes;
    int *members; /* words of all classes */
    long member_count;
    int depth; /* of parentheses */
};

/* A part of a pronunciation: the positions that may be its first and its last. */
struct part {
    unsigned long first, last;
    int may_be_empty;
};

static const char *next_word(struct reader *reader, int *found)
{
    *found = words_next(&reader->words, signs);
    return *found < 0
               ? words_complain(&reader->words, "'%s...' is longer than %d letters: take a shorter name",
                                reader->words.word, longest_name)
               : 0;
}

static int is_sign(const char *word)
{
    return word[0] && strchr(signs, word[0]) != 0;
}

/* A name, or why there is none. */
static const char *next_name(struct reader *reader, const char *of_what)
{
    int found;
    const char *wrong = next_word(reader, &found);
    if (!wrong && (!found || is_sign(reader->words.word)))
        wrong = words_complain(&reader->words, "the name of %s is missing here", of_what);
    return wrong;
}

static const char *next_equals(struct reader *reader)
{
    int found;
    const char *wrong = next_word(reader, &found);
    if (!wrong && (!found || strcmp(reader->words.word, "=") != 0))
        wrong = words_complain(&reader->words, "there is no = after the name");
    return wrong;
}

static const char *line_is_over(struct reader *reader)
{
    int found;
    const char *wrong = next_word(reader, &found);
    if (!wrong && found)
        wrong = words_complain(&reader->words, "'%s' is one word too many", reader->words.word);
    return wrong;
}

/* `after` follows `before`. */
static void append(struct pronunciation *whole, struct part *before, const struct part *after)
{
    for (unsigned long left = before->last; left; left &= left - 1)
        whole->follow[__builtin_ctzl(left)] |= after->first;
    before->first |= before->may_be_empty ? after->first : 0;
    before->last = after->last | (after->may_be_empty ? before->last : 0);
    before->may_be_empty &= after->may_be_empty;
}

static const char *read_position(struct reader *reader, struct pronunciation *whole, struct part *part)
{
    if (whole->count == most_positions)
        return words_complain(&reader->words, "a word has at most %d phonemes", most_positions);
    whole->phoneme[whole->count] = (int)name_take(&reader->grammar->phonemes, reader->words.word);
    *part = (struct part){1ul << whole->count, 1ul << whole->count, 0};
    whole->count++;
    return 0;
}

/* Alternatives up to `closing`, or to the end of the line where that is null. */
static const char *read_alternatives(struct reader *reader, struct pronunciation *whole, struct part *all,
                                     const char *closing)
{
    struct part row = {0, 0, 1};
    *all = (struct part){0, 0, 0};
    if (++reader->depth > deepest)
        return words_complain(&reader->words, "parentheses are nested deeper than %d", deepest);
    for (;;) {
        int found;
        const char *wrong = next_word(reader, &found);
        const char *const word = reader->words.word;
        if (wrong)
            return wrong;
        if (found && closing && !strcmp(word, closing))
            break;
        if (!found && !closing)
            break;
        if (!found)
            return words_complain(&reader->words, "a '%s' is missing at the end", closing);
        if (!strcmp(word, "|")) {
            *all = (struct part){all->first | row.first, all->last | row.last,
                                 all->may_be_empty | row.may_be_empty};
            row = (struct part){0, 0, 1};
            continue;
        }
        const int optional = !strcmp(word, "[");
        struct part part;
        if (!strcmp(word, "("))
            wrong = read_alternatives(reader, whole, &part, ")");
        else if (optional)
            wrong = read_alternatives(reader, whole, &part, "]");
        else if (is_sign(word))
            wrong = words_complain(&reader->words, "there is a '%s' too many", word);
        else
            wrong = read_position(reader, whole, &part);
        if (wrong)
            return wrong;
        part.may_be_empty |= optional;
        append(whole, &row, &part);
    }
    reader->depth--;
    *all = (struct part){all->first | row.first, all->last | row.last, all->may_be_empty | row.may_be_empty};
    return 0;
}

/* That neither a word nor a class has this name yet. */
static const char *name_is_new(struct reader *reader)
{
    const char *const name = reader->words.word;
    if (!strcmp(name, "-"))
        return words_complain(&reader->words, "- stands for no word, so no word is named so");
    if (name_number(&reader->grammar->words, name) >= 0 || name_number(&reader->class_names, name) >= 0)
        return words_complain(&reader->words, "'%s' is there already", name);
    return 0;
}

static const char *read_word(struct reader *reader)
{
    struct grammar *const grammar = reader->grammar;
    const char *wrong = next_name(reader, "the word");
    if (!wrong)
        wrong = name_is_new(reader);
    if (wrong)
        return wrong;
    const long number = name_take(&grammar->words, reader->words.word);
    grammar->pronunciations = harpy_memory(grammar->pronunciations,
                                           (unsigned long)grammar->words.room * sizeof(struct pronunciation));
    struct pronunciation *const made = &grammar->pronunciations[number];
    struct part all = {0, 0, 1};
    *made = (struct pronunciation){0};
    reader->depth = 0;
    wrong = next_equals(reader);
    if (!wrong)
        wrong = read_alternatives(reader, made, &all, 0);
    made->first = all.first;
    made->last = all.last;
    made->may_be_empty = all.may_be_empty;
    return wrong;
}

static const char *read_class(struct reader *reader)
{
    const char *wrong = next_name(reader, "the class");
    if (!wrong)
        wrong = name_is_new(reader);
    if (wrong)
        return wrong;
    const long number = name_take(&reader->class_names, reader->words.word);
    reader->classes =
        harpy_memory(reader->classes, (unsigned long)reader->class_names.room * sizeof *reader->classes);
    struct class *const made = &reader->classes[number];
    *made = (struct class){reader->member_count, 0};
    wrong = next_equals(reader);
    int found = 1;
    while (!wrong && !(wrong = next_word(reader, &found)) && found) {
        const long word = name_number(&reader->grammar->words, reader->words.word);
        if (word < 0)
            return words_complain(&reader->words, "there is no word '%s' before this line",
                                  reader->words.word);
        if (reader->member_count == most_members)
            return words_complain(&reader->words, "classes have at most %d words together", most_members);
        if ((reader->member_count & (reader->member_count - 1)) == 0)
            reader->members = harpy_memory(reader->members, (2 * (unsigned long)reader->member_count + 1) *
                                                                sizeof *reader->members);
        reader->members[reader->member_count++] = (int)word;
        made->count++;
    }
    return !wrong && !made->count ? words_complain(&reader->words, "the class has no word") : wrong;
}

static const char *add_arc(struct reader *reader, int from, int word, int to)
{
    struct grammar *const grammar = reader->grammar;
    const long count = grammar->arc_count;
    if (count == most_arcs)
        return words_complain(&reader->words, "there are at most %d arcs, a class having one for each word",
                              most_arcs);
    if ((count & (count - 1)) == 0)
        grammar->arcs = harpy_memory(grammar->arcs, (2 * (unsigned long)count + 1) * sizeof *grammar->arcs);
    grammar->arcs[grammar->arc_count++] = (struct word_arc){from, word, to, reader->words.line};
    return 0;
}

static const char *read_arc(struct reader *reader)
{
    struct names *const points = &reader->grammar->points;
    char said[longest_name + 1];
    const char *wrong = next_name(reader, "the point where the arc begins");
    if (wrong)
        return wrong;
    const int from = (int)name_take(points, reader->words.word);
    wrong = next_name(reader, "the arc's word");
    if (wrong)
        return wrong;
    memcpy(said, reader->words.word, sizeof said);
    wrong = next_name(reader, "the point where the arc ends");
    if (wrong)
        return wrong;
    const int to = (int)name_take(points, reader->words.word);
    wrong = line_is_over(reader);
    if (wrong || !strcmp(said, "-"))
        return wrong ? wrong : add_arc(reader, from, no_word, to);
    const long word = name_number(&reader->grammar->words, said);
    const long class = name_number(&reader->class_names, said);
    if (word < 0 && class < 0)
        return words_complain(&reader->words, "there is no word and no class '%s' before this line", said);
    if (word >= 0)
        return add_arc(reader, from, (int)word, to);
    for (long i = 0; i < reader->classes[class].count && !wrong; i++)
        wrong = add_arc(reader, from, reader->members[reader->classes[class].first + i], to);
    return wrong;
}

static const char *read_point(struct reader *reader, int *point)
{
    const char *wrong = next_name(reader, "the point");
    if (!wrong && *point >= 0)
        wrong = words_complain(&reader->words, "there is one such line already");
    if (!wrong)
        *point = (int)name_take(&reader->grammar->points, reader->words.word);
    return wrong ? wrong : line_is_over(reader);
}

static const char *read_line(struct reader *reader)
{
    const char *wrong = next_name(reader, "what the line is");
    const char *const word = reader->words.word;
    if (wrong)
        return wrong;
    if (!strcmp(word, "word"))
        return read_word(reader);
    if (!strcmp(word, "class"))
        return read_class(reader);
    if (!strcmp(word, "arc"))
        return read_arc(reader);
    if (!strcmp(word, "begin"))
        return read_point(reader, &reader->grammar->begin);
    if (!strcmp(word, "end"))
        return read_point(reader, &reader->grammar->end);
    return words_complain(&reader->words, "a line begins with word, class, arc, begin or end, not with '%s'",
                          word);
}

int grammar_is_empty(const struct grammar *grammar, const struct word_arc *arc)
{
    return arc->word == no_word || grammar->pronunciations[arc->word].may_be_empty;
}

/* Marks the points that can be reached from one, along the arcs or against them. */
static void mark(const struct grammar *grammar, char *marked, int from, int along)
{
    int more = 1;
    memset(marked, 0, (unsigned long)grammar->points.count);
    marked[from] = 1;
    while (more) {
        more = 0;
        for (long i = 0; i < grammar->arc_count; i++) {
            const struct word_arc *const arc = &grammar->arcs[i];
            const int near = along ? arc->from : arc->to, far = along ? arc->to : arc->from;
            if (marked[near] && !marked[far])
                marked[far] = 1, more = 1;
        }
    }
}

/* An arc whose ends are not both on ways from begin to end. */
static const char *check_reach(struct reader *reader)
{
    const struct grammar *const grammar = reader->grammar;
    const char *wrong = 0;
    char *const marked = harpy_memory(0, (unsigned long)grammar->points.count);
    for (int along = 0; along < 2 && !wrong; along++) {
        mark(grammar, marked, along ? grammar->begin : grammar->end, along);
        for (long i = 0; i < grammar->arc_count && !wrong; i++) {
            const struct word_arc *const arc = &grammar->arcs[i];
            const int lost = along ? arc->from : arc->to;
            reader->words.line = arc->line;
            if (!marked[lost])
                wrong = words_complain(&reader->words,
                                       along ? "no way leads from the beginning to '%s': add an arc to it"
                                             : "no way leads from '%s' to the end: add an arc from it",
                                       grammar->points.all[lost]);
        }
    }
    free(marked);
    return wrong;
}

/* Goes back along empty arcs among points that are left over, which must come round; any arc of the round. */
static const struct word_arc *arc_of_cycle(const struct grammar *grammar, const int *entering, int point)
{
    const struct word_arc *last = 0;
    for (long step = 0; step <= grammar->points.count; step++)
        for (long i = 0; i < grammar->arc_count; i++) {
            const struct word_arc *const arc = &grammar->arcs[i];
            if (arc->to == point && grammar_is_empty(grammar, arc) && entering[arc->from] > 0) {
                last = arc;
                point = arc->from;
                break;
            }
        }
    return last;
}

/* Points are taken away that no empty arc enters; if some are left, empty arcs go round. */
static const char *check_cycles(struct reader *reader)
{
    const struct grammar *const grammar = reader->grammar;
    const long points = grammar->points.count;
    int *const entering = harpy_memory(0, 2 * (unsigned long)points * sizeof *entering);
    int *const free_points = entering + points;
    long found = 0, taken = 0;
    const char *wrong = 0;
    memset(entering, 0, (unsigned long)points * sizeof *entering);
    for (long i = 0; i < grammar->arc_count; i++)
        entering[grammar->arcs[i].to] += grammar_is_empty(grammar, &grammar->arcs[i]);
    for (int point = 0; point < points; point++)
        if (!entering[point])
            free_points[found++] = point;
    for (; taken < found; taken++)
        for (long i = 0; i < grammar->arc_count; i++) {
            const struct word_arc *const arc = &grammar->arcs[i];
            if (arc->from == free_points[taken] && grammar_is_empty(grammar, arc) && !--entering[arc->to])
                free_points[found++] = arc->to;
        }
    for (int point = 0; point < points && !wrong && found < points; point++)
        if (entering[point] > 0) {
            const struct word_arc *const arc = arc_of_cycle(grammar, entering, point);
            reader->words.line = arc->line;
            wrong = words_complain(&reader->words,
                                   "this arc closes a cycle of words without a phoneme, from '%s' to '%s':"
                                   " take it out, or give a word on the way a phoneme",
                                   grammar->points.all[arc->from], grammar->points.all[arc->to]);
        }
    free(entering);
    return wrong;
}

static const char *check_whole(struct reader *reader)
{
    const struct grammar *const grammar = reader->grammar;
    if (grammar->begin < 0 || grammar->end < 0)
        return words_complain(&reader->words, "there is no line '%s POINT' up to here",
                              grammar->begin < 0 ? "begin" : "end");
    if (!grammar->arc_count)
        return words_complain(&reader->words, "there is no arc up to here");
    const char *wrong = check_reach(reader);
    if (!wrong)
        wrong = check_cycles(reader);
    return wrong;
}

const char *grammar_read(struct grammar *grammar, const char *text, const char *file)
{
    static struct reader reader;
    const char *wrong = 0;
    *grammar = (struct grammar){.begin = -1, .end = -1};
    reader = (struct reader){.grammar = grammar};
    words_begin(&reader.words, text, file);
    while (!wrong && words_next_line(&reader.words))
        wrong = read_line(&reader);
    if (!wrong)
        wrong = check_whole(&reader);
    name_free(&reader.class_names);
    free(reader.classes);
    free(reader.members);
    return wrong;
}

void grammar_free(struct grammar *grammar)
{
    name_free(&grammar->phonemes);
    name_free(&grammar->words);
    name_free(&grammar->points);
    free(grammar->pronunciations);
    free(grammar->arcs);
    *grammar = (struct grammar){0};
}
