/* SPDX-License-Identifier: MIT */
/* P and V in the program's own code where semaphores spin, included by nx_semaphores.h: what is handed over
 * is one word, and a call would take as long again. Semaphores of other kinds are calls as ever, and so are
 * those of a run that is traced. */
#ifndef PARLEY_NX_SPINNING_H
#define PARLEY_NX_SPINNING_H

#include "interface/semaphores.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The semaphores that this process has used, by their numbers: a word for each that spins, with the id that
 * it is for, or an id that has not this number. */
struct nx_spin_word {
    long id;
    unsigned *word;
};
extern struct nx_spin_word nx_spin_words[PARLEY_MAX_SEMAPHORES];

/* P and V of any semaphore. */
void nx_p(long semaphore);
void nx_v(long semaphore);
/* Waits between two looks at a word. */
void nx_spin_delay(long semaphore);

PARLEY_IN_PLACE void P(long semaphore)
{
    const struct nx_spin_word *const spin = &nx_spin_words[PARLEY_SEMAPHORE_NUMBER(semaphore)];
    if (__builtin_expect(spin->id != semaphore, 0)) {
        nx_p(semaphore);
        return;
    }
    unsigned *const word = spin->word;
    while (!parley_spin_take(word))
        nx_spin_delay(semaphore);
}

PARLEY_IN_PLACE void V(long semaphore)
{
    const struct nx_spin_word *const spin = &nx_spin_words[PARLEY_SEMAPHORE_NUMBER(semaphore)];
    if (__builtin_expect(spin->id != semaphore, 0))
        nx_v(semaphore);
    else
        parley_spin_give(spin->word);
}

#ifdef __cplusplus
}
#endif

#endif
