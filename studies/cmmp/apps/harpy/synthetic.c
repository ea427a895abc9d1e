/* SPDX-License-Identifier: MIT */
#include "synthetic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* splitmix64: the same numbers everywhere. */
static unsigned long drawn(unsigned long *state)
{
    unsigned long value = *state += 0x9e3779b97f4a7c15ul;
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9ul;
    value = (value ^ value >> 27) * 0x94d049bb133111ebul;
    return value ^ value >> 31;
}

static long below(unsigned long *state, long limit)
{
    return (long)(drawn(state) % (unsigned long)limit);
}

static const char lexicon[] = "# A synthetic task: commands to a machine of nodes. Names are made up.\n"
                              "word please = p l (iy | ih) z [sil]\n"
                              "word show = sh ow\n"
                              "word list = l ih s t\n"
                              "word count = k aw n [t]\n"
                              "word stop = s t aa p\n"
                              "word start = s t aa [r] t\n"
                              "word wake = w ey k\n"
                              "word move = m uw v\n"
                              "word send = s eh n [d]\n"
                              "word give = g ih v\n"
                              "word me = m (iy | ih)\n"
                              "word us = ah s\n"
                              "word the = dh (ah | iy)\n"
                              "word all = (ao | aa) l\n"
                              "word every = eh v [ah] r iy\n"
                              "word a = (ah | ey)\n"
                              "word one_more = w ah n m ao [r]\n"
                              "word process = p r (aa | ow) s eh s\n"
                              "word processes = p r (aa | ow) s eh s ih z\n"
                              "word message = m eh s ih jh\n"
                              "word messages = m eh s ih jh ih z\n"
                              "word port = p ao [r] t\n"
                              "word ports = p ao [r] t s\n"
                              "word job = jh aa b\n"
                              "word jobs = jh aa b z\n"
                              "word node = n ow [d]\n"
                              "word nodes = n ow [d] z\n"
                              "word semaphores = s eh m ah f ao [r] z\n"
                              "word of = (ah | ao) v\n"
                              "word on = (aa | ao) n\n"
                              "word from = f r (ah | aa) m\n"
                              "word to = t (uw | ah)\n"
                              "word what = w (ah | aa) t\n"
                              "word who = hh uw\n"
                              "word how_many = hh aw m eh n iy\n"
                              "word is = ih z\n"
                              "word are = aa [r]\n"
                              "word wrote = r ow t\n"
                              "word holds = hh ow l d z\n"
                              "word waits_for = w ey t s f (ao | er) [r]\n"
                              "word about = ah b aw [t]\n"
                              "word there = dh eh [r]\n"
                              "word and = (ae | ah) n [d]\n"
                              "word now = n aw\n"
                              "word zero = z (iy | ih) r ow\n"
                              "word one = w ah n\n"
                              "word two = t uw\n"
                              "word three = th r iy\n"
                              "word four = f ao [r]\n"
                              "word five = f ay v\n"
                              "word six = s ih k s\n"
                              "word seven = s eh v ah n\n"
                              "word eight = ey t\n"
                              "word nine = n (ay | aa) n\n"
                              "class digit = zero one two three four five six seven eight nine\n"
                              "class things = processes messages ports jobs nodes semaphores\n"
                              "class thing = process message port job node\n"
                              "class act = stop start wake move\n"
                              "class ask = show list count give\n"
                              "class whom = me us\n"
                              "class which = the all every one_more\n"
                              "class near = of on from about\n";

/* Points: COMMAND is where any command begins, PLACE a node or a name, CLOSE where a command is over. */
static const char arcs[] = "begin START\n"
                           "arc START please COMMAND\n"
                           "arc START - COMMAND\n"
                           "arc COMMAND ask ASKED\n"
                           "arc ASKED whom WHICH\n"
                           "arc ASKED - WHICH\n"
                           "arc WHICH which THINGS\n"
                           "arc WHICH - THINGS\n"
                           "arc THINGS things NEAR\n"
                           "arc NEAR near PLACE\n"
                           "arc NEAR - CLOSE\n"
                           "arc PLACE node DIGIT\n"
                           "arc DIGIT digit DIGITS\n"
                           "arc DIGITS digit CLOSE\n"
                           "arc DIGITS - CLOSE\n"
                           "arc PLACE name CLOSE\n"
                           "arc COMMAND act ACTED\n"
                           "arc ACTED the ONE\n"
                           "arc ACTED every ONE\n"
                           "arc ONE thing ONE_NAMED\n"
                           "arc ONE_NAMED name TO\n"
                           "arc ONE_NAMED - TO\n"
                           "arc TO to PLACE\n"
                           "arc TO - CLOSE\n"
                           "arc COMMAND send SENDING\n"
                           "arc SENDING a SENT\n"
                           "arc SENDING the SENT\n"
                           "arc SENT message TO_WHOM\n"
                           "arc SENT job TO_WHOM\n"
                           "arc TO_WHOM to PLACE\n"
                           "arc COMMAND who WHO\n"
                           "arc WHO wrote OBJECT\n"
                           "arc WHO holds OBJECT\n"
                           "arc WHO waits_for OBJECT\n"
                           "arc OBJECT the OBJECT_THING\n"
                           "arc OBJECT_THING thing NEAR\n"
                           "arc OBJECT name CLOSE\n"
                           "arc COMMAND how_many COUNTED\n"
                           "arc COUNTED things COUNTED_ARE\n"
                           "arc COUNTED_ARE are THERE\n"
                           "arc THERE there NEAR\n"
                           "arc COMMAND what WHAT\n"
                           "arc WHAT is OBJECT\n"
                           "arc WHAT about OBJECT\n"
                           "arc CLOSE and COMMAND\n"
                           "arc CLOSE now STOP\n"
                           "arc CLOSE please STOP\n"
                           "arc CLOSE - STOP\n"
                           "end STOP\n";

static const char *const consonants[] = {"b", "d", "f", "g", "k", "l", "m",
                                         "n", "p", "r", "s", "t", "v", "z"};
static const char *const vowels[] = {"aa", "eh", "iy", "ow", "uw"};
static const char letters[] = "aeiou";

/* Two or three syllables; the number makes it one of its own. */
static void write_name(FILE *words, FILE *names, unsigned long *state, long number)
{
    const long syllables = 2 + below(state, 2);
    char spelled[24] = "", said[80] = "";
    for (long i = 0; i < syllables; i++) {
        const char *const consonant = consonants[below(state, sizeof consonants / sizeof *consonants)];
        const long vowel = below(state, sizeof vowels / sizeof *vowels);
        const unsigned long at = strlen(spelled), heard = strlen(said);
        snprintf(spelled + at, sizeof spelled - at, "%s%c", consonant, letters[vowel]);
        snprintf(said + heard, sizeof said - heard, " %s %s", consonant, vowels[vowel]);
    }
    fprintf(words, "word %s_%ld =%s [n]\n", spelled, number, said);
    fprintf(names, " %s_%ld", spelled, number);
}

static FILE *text_stream(char **text, size_t *length)
{
    FILE *const stream = open_memstream(text, length);
    if (!stream) {
        fprintf(stderr, "harpy: there is no memory for a grammar\n");
        exit(1);
    }
    return stream;
}

char *synthetic_grammar(long names, unsigned long seed)
{
    char *text, *class;
    size_t length, class_length;
    FILE *const out = text_stream(&text, &length), *const all_names = text_stream(&class, &class_length);
    fputs(lexicon, out);
    for (long i = 0; i < names; i++)
        write_name(out, all_names, &seed, i);
    fclose(all_names);
    fprintf(out, "class name =%s\n%s", class, arcs);
    fclose(out);
    free(class);
    return text;
}

/* Of each point: how many words it is to the end. */
static void find_distances(const struct grammar *grammar, long *distances)
{
    int more = 1;
    for (long point = 0; point < grammar->points.count; point++)
        distances[point] = point == grammar->end ? 0 : most_words * most_words;
    while (more) {
        more = 0;
        for (long i = 0; i < grammar->arc_count; i++) {
            const struct word_arc *const arc = &grammar->arcs[i];
            if (distances[arc->to] + 1 < distances[arc->from])
                distances[arc->from] = distances[arc->to] + 1, more = 1;
        }
    }
}

/* One of the arcs that leave a point; of those that come nearer to the end, where it is `late`. */
static const struct word_arc *draw_arc(const struct grammar *grammar, const long *distances, int point,
                                       int late, unsigned long *state)
{
    const struct word_arc *chosen = 0;
    long seen = 0;
    for (long i = 0; i < grammar->arc_count; i++) {
        const struct word_arc *const arc = &grammar->arcs[i];
        if (arc->from == point && (!late || distances[arc->to] < distances[point]) && !below(state, ++seen))
            chosen = arc;
    }
    return chosen;
}

/* One of the bits. */
static int draw_bit(unsigned long bits, unsigned long *state)
{
    for (long skip = below(state, __builtin_popcountl(bits)); skip > 0; skip--)
        bits &= bits - 1;
    return __builtin_ctzl(bits);
}

static int is_vowel(const char *phoneme)
{
    return *phoneme && strchr(letters, *phoneme) != 0;
}

/* A segment's row, for the phoneme that is said. Phonemes of a kind, vowels or not, are nearer to each
 * other. */
static void say_segment(struct match *match, const struct names *phonemes, int said, long noise,
                        unsigned long *state)
{
    enum { near = 60, far = 100 };
    if (match->segments == most_segments)
        return;
    int *const row = match->values + match->segments++ * match->phonemes;
    for (int phoneme = 0; phoneme < phonemes->count; phoneme++) {
        const int alike = is_vowel(phonemes->all[phoneme]) == is_vowel(phonemes->all[said]);
        const long distance = phoneme == said ? 0 : alike ? near : far;
        row[phoneme] = -(int)(distance + below(state, noise * far / 100 + 1));
    }
}

static void say_word(struct match *match, const struct grammar *grammar, const struct pronunciation *word,
                     long noise, unsigned long *state)
{
    unsigned long next = word->first;
    int may_stop = word->may_be_empty;
    while (next && !(may_stop && !below(state, 2))) {
        const int position = draw_bit(next, state);
        for (long left = 1 + below(state, 3); left > 0; left--)
            say_segment(match, &grammar->phonemes, word->phoneme[position], noise, state);
        next = word->follow[position];
        may_stop = (int)(word->last >> position & 1);
    }
}

void synthetic_speech(struct match *match, struct utterance *utterance, const struct grammar *grammar,
                      unsigned long seed, long noise)
{
    enum { long_enough = 10 }; /* words */
    const unsigned long points = (unsigned long)grammar->points.count;
    long *const distances = harpy_memory(0, points * sizeof *distances);
    int point = grammar->begin;
    *match = (struct match){.phonemes = grammar->phonemes.count};
    match->values = harpy_memory(0, (unsigned long)(most_segments * match->phonemes) * sizeof *match->values);
    utterance->count = 0;
    find_distances(grammar, distances);
    while (point != grammar->end && utterance->count < most_words) {
        const int late = utterance->count >= long_enough;
        const struct word_arc *const arc = draw_arc(grammar, distances, point, late, &seed);
        point = arc->to;
        if (arc->word == no_word)
            continue;
        const long before = match->segments;
        say_word(match, grammar, &grammar->pronunciations[arc->word], noise, &seed);
        if (match->segments > before)
            utterance->words[utterance->count++] = arc->word;
    }
    free(distances);
}
