/* SPDX-License-Identifier: MIT */
/* The measured loops: each works on `bytes`, a multiple of 64, eight words at a time. */
#ifndef PARLEY_BUFFER_LOOPS_H
#define PARLEY_BUFFER_LOOPS_H

enum { loop_count = 3 };

struct loop {
    const char *name;
    const char *access;
    void (*run)(void *to, const void *from, long bytes);
};

/* read, write and copy, in words of 4 or 8 bytes. */
const struct loop *loops_of_word(long word);

#endif
