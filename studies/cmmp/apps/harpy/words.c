/* SPDX-License-Identifier: MIT */
#include "words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int ends_line(char letter)
{
    return !letter || letter == '\n' || letter == '#';
}

static int is_blank(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\r';
}

void words_begin(struct words *words, const char *text, const char *file)
{
    *words = (struct words){.file = file, .at = "", .next = text};
}

int words_next_line(struct words *words)
{
    while (*words->next) {
        words->at = words->next;
        words->line++;
        words->next += strcspn(words->next, "\n");
        words->next += *words->next == '\n';
        while (is_blank(*words->at))
            words->at++;
        if (!ends_line(*words->at))
            return 1;
    }
    return 0;
}

int words_next(struct words *words, const char *signs)
{
    long length = 0;
    while (is_blank(*words->at))
        words->at++;
    if (ends_line(*words->at))
        return 0;
    if (strchr(signs, *words->at)) {
        words->word[length++] = *words->at++;
    } else {
        for (; !ends_line(*words->at) && !is_blank(*words->at) && !strchr(signs, *words->at); words->at++)
            if (length < longest_name)
                words->word[length++] = *words->at;
            else
                length = longest_name + 1;
    }
    if (length > longest_name)
        words->word[longest_name] = 0;
    else
        words->word[length] = 0;
    return length > longest_name ? -1 : 1;
}

const char *words_complain(struct words *words, const char *format, ...)
{
    va_list arguments;
    int length = snprintf(words->complaint, sizeof words->complaint, "%.80s:%ld: ", words->file, words->line);
    va_start(arguments, format);
    vsnprintf(words->complaint + length, sizeof words->complaint - (unsigned long)length, format, arguments);
    va_end(arguments);
    return words->complaint;
}
