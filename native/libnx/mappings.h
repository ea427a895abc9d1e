/* SPDX-License-Identifier: MIT */
/* The mappings of this process, read without the C library's streams and memory, so that the handler of a
 * fault can. */
#ifndef PARLEY_NATIVE_MAPPINGS_H
#define PARLEY_NATIVE_MAPPINGS_H

struct nx_mapping {
    unsigned long start, end;
    unsigned long offset; /* in its file */
    char protection[5];   /* "r-xp" */
    char path[1024];      /* empty: it has no name; longer ones are cut off */
};

struct nx_mappings {
    int file;
    long at, count; /* in the buffer */
    char buffer[2048];
};

__attribute__((visibility("hidden"))) void nx_open_mappings(struct nx_mappings* mappings);
/* The next by address; 0: there is none, and the list is closed. */
__attribute__((visibility("hidden"))) int nx_next_mapping(struct nx_mappings* mappings,
                                                          struct nx_mapping* mapping);

#endif
