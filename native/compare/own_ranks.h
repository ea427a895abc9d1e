/* SPDX-License-Identifier: MIT */
/* Ranks that a program of the comparison starts itself: Linux processes that share memory which its first
 * process has mapped before, at one address in all. With it comes what wire.h asks of ranks: wire_rank(),
 * wire_ranks(), wire_shared() and wire_end(). */
#ifndef PARLEY_COMPARE_OWN_RANKS_H
#define PARLEY_COMPARE_OWN_RANKS_H

#include <stddef.h>

enum { most_own_ranks = 64 };

/* Takes `-n RANKS` from the front of the program's words (2 without it) and maps so many bytes of shared
 * memory, zeroed. Answers the number of ranks; one that it cannot take ends the program with status 2. Called
 * once, before own_ranks_start(). */
int own_ranks(int* count, char*** words, size_t shared_bytes);
/* Starts all other ranks; returns in each with its number. They end with the first, and one that fails ends
 * the program with status 1. */
int own_ranks_start(void);

/* Says on stderr what failed in this rank, with the reason in errno, and ends it with status 1. */
__attribute__((noreturn)) void own_rank_fails(const char* what);

#endif
