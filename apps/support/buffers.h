/* SPDX-License-Identifier: MIT */
/* Message buffers as the design wants them, or as the user does. `automatic` takes nx_alloc blocks where the
 * design needs shared buffers or hands them over, and private memory elsewhere. */
#ifndef PARLEY_APPS_BUFFERS_H
#define PARLEY_APPS_BUFFERS_H

#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum buffers_kind { buffers_automatic, buffers_private, buffers_shared };

/* 1 when the word is one of auto, private and shared. */
static inline int buffers_parse(enum buffers_kind *kind, const char *word)
{
    static const char *const words[] = {"auto", "private", "shared"};
    for (int i = 0; i < 3; i++)
        if (!strcmp(word, words[i])) {
            *kind = (enum buffers_kind)i;
            return 1;
        }
    return 0;
}

static inline int buffers_are_shared(enum buffers_kind kind)
{
    return kind == buffers_shared || (kind == buffers_automatic && (nx_needs_shared() || nx_hands_over()));
}

/* Null, or why this design cannot work with such buffers. */
static inline const char *buffers_refused(enum buffers_kind kind)
{
    if (kind == buffers_private && nx_hands_over())
        return "--buffers private: this design hands blocks over, so buffers must be shared";
    return 0;
}

/* Ends the program when there is no memory. Alignment: a power of two, 8 or more. */
static inline void *buffers_take(int shared, long bytes, long alignment)
{
    void *buffer = 0;
    if (shared)
        buffer = nx_alloc_aligned(bytes, alignment);
    else if (posix_memalign(&buffer, (size_t)alignment, (size_t)bytes))
        buffer = 0;
    if (!buffer) {
        fprintf(stderr, "node %ld: no memory for a %s buffer of %ld bytes\n", mynode(),
                shared ? "shared" : "private", bytes);
        exit(1);
    }
    return buffer;
}

static inline void buffers_return(int shared, void *buffer)
{
    shared ? nx_free(buffer) : free(buffer);
}

#endif
