/* SPDX-License-Identifier: MIT */
#include "mail.h"
#include "names.h"
#include "text.h"

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
