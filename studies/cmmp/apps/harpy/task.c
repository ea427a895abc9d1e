/* SPDX-License-Identifier: MIT */
#include "task.h"

#include "result.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char sentence[300];

static const char *complain(const char *file, const char *reason)
{
    snprintf(sentence, sizeof sentence, "%.200s: %s", file, reason);
    return sentence;
}

/* The whole file, with a 0 behind it. */
static const char *read_file(char **text, const char *file)
{
    enum { piece = 65536 };
    FILE *const stream = fopen(file, "r");
    unsigned long length = 0, more;
    *text = 0;
    if (!stream)
        return complain(file, strerror(errno));
    do {
        *text = harpy_memory(*text, length + piece + 1);
        more = fread(*text + length, 1, piece, stream);
        length += more;
    } while (more);
    (*text)[length] = 0;
    const int failed = ferror(stream);
    fclose(stream);
    if (!failed && strlen(*text) == length)
        return 0;
    return complain(file, failed ? strerror(errno) : "there is a byte 0 in it, so it is no text");
}

static const char *make_grammar(struct task *task, const struct harpy_options *options)
{
    const char *wrong = 0;
    if (options->grammar)
        wrong = read_file(&task->text, options->grammar);
    else
        task->text = synthetic_grammar(options->names, (unsigned long)options->seed);
    if (!wrong)
        wrong = grammar_read(&task->grammar, task->text,
                             options->grammar ? options->grammar : "synthetic grammar");
    return wrong ? wrong : network_compile(&task->network, &task->grammar);
}

static const char *read_table(struct task *task, const char *file)
{
    char *text;
    const char *wrong = read_file(&text, file);
    if (!wrong) {
        task->utterances = 1;
        wrong = match_read(&task->matches[0], text, file, &task->grammar.phonemes);
    }
    free(text);
    return wrong;
}

static const char *speak(struct task *task, const struct harpy_options *options)
{
    for (; task->utterances < options->utterances; task->utterances++) {
        struct match *const match = &task->matches[task->utterances];
        const unsigned long seed = (unsigned long)(options->seed * most_utterances + task->utterances);
        synthetic_speech(match, &task->spoken[task->utterances], &task->grammar, seed, options->noise);
        if (!match->segments)
            return "a sentence without a phoneme was drawn: take another --seed";
    }
    return 0;
}

const char *task_make(struct task *task, const struct harpy_options *options)
{
    *task = (struct task){0};
    const char *wrong = make_grammar(task, options);
    if (wrong)
        return wrong;
    return options->table ? read_table(task, options->table) : speak(task, options);
}

void task_free(struct task *task)
{
    free(task->text);
    network_free(&task->network);
    grammar_free(&task->grammar);
    for (long i = 0; i < most_utterances; i++)
        match_free(&task->matches[i]);
}

long task_segments(const struct task *task)
{
    long most = 0;
    for (long i = 0; i < task->utterances; i++)
        most = task->matches[i].segments > most ? task->matches[i].segments : most;
    return most;
}

static void write_match(const struct task *task)
{
    const struct match *const match = &task->matches[0];
    if (task->spoken[0].count) {
        printf("# A synthetic utterance:");
        for (long i = 0; i < task->spoken[0].count; i++)
            printf(" %s", task->grammar.words.all[task->spoken[0].words[i]]);
        printf("\n");
    }
    printf("phonemes");
    for (long phoneme = 0; phoneme < match->phonemes; phoneme++)
        printf(" %s", task->grammar.phonemes.all[phoneme]);
    for (long i = 0; i < match->segments * match->phonemes; i++)
        printf("%s %d", i % match->phonemes ? "" : "\nsegment", match->values[i]);
    printf("\n");
}

static void write_units(const struct task *task, const struct harpy_options *options)
{
    static struct result result;
    struct serial_record record = {.work = stdout};
    printf("# Work of harpy: a line for each candidate, with the state and score of each of its pairs; then "
           "how\n"
           "# many states were kept of those that were reached in the segment.\n");
    for (long i = 0; i < task->utterances; i++) {
        printf("utterance %ld\n", i);
        serial_search(&task->network, &task->matches[i], options->beam, &result, &record);
    }
}

void task_write(const struct task *task, const struct harpy_options *options)
{
    if (options->written == write_grammar)
        printf("%s", task->text);
    else if (options->written == write_table)
        write_match(task);
    else
        write_units(task, options);
}
