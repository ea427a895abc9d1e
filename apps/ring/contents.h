/* SPDX-License-Identifier: MIT */
/* What the messages contain, and what a node does with the words of one. A pattern is given by its seed. */
#ifndef PARLEY_RING_CONTENTS_H
#define PARLEY_RING_CONTENTS_H

void contents_fill(void *buffer, long bytes, unsigned seed);

/* How many words differ from the pattern; a last part of a word counts as one. */
long contents_compare(const void *buffer, long bytes, unsigned seed);

/* Reads every word, and compares none. */
void contents_read(const void *buffer, long bytes);

#endif
