/* SPDX-License-Identifier: MIT */
/* The problem's text: node 0 reads it, and the others get it by messages. */
#ifndef PARLEY_SIMPLEX_TEXT_H
#define PARLEY_SIMPLEX_TEXT_H

#include "../support/traffic.h"

struct text {
    char *letters;
    long length;
};

/* The whole file, "-" being standard input; null, or why it cannot be read. */
const char *text_read(struct text *text, const char *file);

/* Node 0's text becomes everybody's; length -1 says that there is none. */
void text_share(struct text *text, int shared, struct traffic *traffic);

#endif
