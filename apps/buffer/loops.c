/* SPDX-License-Identifier: MIT */
#include "loops.h"

#include <stdint.h>

/* Volatile, so that every word is really loaded or stored, one by one. */
#define BUFFER_LOOPS(type)                                                              \
    static void read_##type(void *to, const void *from, long bytes)                     \
    {                                                                                   \
        const volatile type *word = from, *end = word + bytes / (long)sizeof(type);     \
        (void)to;                                                                       \
        for (; word < end; word += 8) {                                                 \
            (void)word[0], (void)word[1], (void)word[2], (void)word[3];                 \
            (void)word[4], (void)word[5], (void)word[6], (void)word[7];                 \
        }                                                                               \
    }                                                                                   \
    static void write_##type(void *to, const void *from, long bytes)                    \
    {                                                                                   \
        volatile type *word = to, *end = word + bytes / (long)sizeof(type);             \
        (void)from;                                                                     \
        for (; word < end; word += 8) {                                                 \
            word[0] = 1, word[1] = 1, word[2] = 1, word[3] = 1;                         \
            word[4] = 1, word[5] = 1, word[6] = 1, word[7] = 1;                         \
        }                                                                               \
    }                                                                                   \
    static void copy_##type(void *to, const void *from, long bytes)                     \
    {                                                                                   \
        const volatile type *source = from, *end = source + bytes / (long)sizeof(type); \
        volatile type *word = to;                                                       \
        for (; source < end; source += 8, word += 8) {                                  \
            word[0] = source[0], word[1] = source[1], word[2] = source[2];              \
            word[3] = source[3], word[4] = source[4], word[5] = source[5];              \
            word[6] = source[6], word[7] = source[7];                                   \
        }                                                                               \
    }

BUFFER_LOOPS(uint32_t)
BUFFER_LOOPS(uint64_t)

static const struct loop four_bytes[loop_count] = {
    {"read 4-byte words", "read", read_uint32_t},
    {"write 4-byte words", "write", write_uint32_t},
    {"copy 4-byte words", "write", copy_uint32_t},
};

static const struct loop eight_bytes[loop_count] = {
    {"read 8-byte words", "read", read_uint64_t},
    {"write 8-byte words", "write", write_uint64_t},
    {"copy 8-byte words", "write", copy_uint64_t},
};

const struct loop *loops_of_word(long word)
{
    return word == 8 ? eight_bytes : four_bytes;
}
