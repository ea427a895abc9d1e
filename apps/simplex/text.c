/* SPDX-License-Identifier: MIT */
#include "text.h"

#include "mail.h"
#include "problem.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static char sentence[300];

static const char *complain(const char *file, const char *reason)
{
    snprintf(sentence, sizeof sentence, "%s: %s", file, reason);
    return sentence;
}

const char *text_read(struct text *text, const char *file)
{
    long room = 0;
    FILE *stream = strcmp(file, "-") ? fopen(file, "r") : stdin;
    *text = (struct text){0, 0};
    if (!stream)
        return complain(file, strerror(errno));
    do {
        text->letters = grown(text->letters, &room, text->length, 1);
        text->length += (long)fread(text->letters + text->length, 1, (size_t)(room - text->length), stream);
    } while (!feof(stream) && !ferror(stream));
    const char *wrong = ferror(stream) ? complain(file, strerror(errno)) : 0;
    if (stream != stdin)
        fclose(stream);
    if (!wrong && text->length == 0)
        return complain(file, "there is nothing in it");
    return wrong;
}

enum { type_text = 20, piece_bytes = 32768 };

/* The length comes first, then pieces. Every piece waits for an answer, so that its buffer may be filled
 * again where it was only lent. */
void text_share(struct text *text, int shared, struct traffic *traffic)
{
    struct mail pieces;
    if (numnodes() == 1)
        return;
    mail_make(&pieces, type_text, piece_bytes, shared, traffic);
    if (mynode() == 0) {
        mail_send(&pieces, &text->length, sizeof text->length, -1);
        gsync();
    } else {
        char piece[piece_bytes];
        mail_receive(&pieces, piece);
        gsync();
        memcpy(&text->length, piece, sizeof text->length);
        text->letters = need_memory(text->length > 0 ? (size_t)text->length : 1);
    }
    for (long at = 0; at < text->length; at += piece_bytes) {
        long bytes = text->length - at < piece_bytes ? text->length - at : piece_bytes;
        char piece[piece_bytes];
        if (mynode() == 0) {
            mail_send(&pieces, text->letters + at, bytes, -1);
        } else {
            mail_receive(&pieces, piece);
            memcpy(text->letters + at, piece, (size_t)bytes);
        }
        gsync();
    }
    mail_free(&pieces);
}
