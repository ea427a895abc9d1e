/* SPDX-License-Identifier: MIT */
/* How often polls look into the far source: the message system's own classes (messaging/polling.hpp), with
 * the arguments that they have unless a design says otherwise. One at a time. */
#ifndef PARLEY_CLUMPS_PACE_H
#define PARLEY_CLUMPS_PACE_H

#ifdef __cplusplus
extern "C" {
#endif

enum pace {
    pace_never, /* there is no far source */
    pace_fixed,
    pace_fractional,
    pace_adaptive,
    paces
};

/* As `polling=' has it in a design; "never" for the first. */
const char *pace_name(enum pace pace);
/* Begins anew. */
void pace_begin(enum pace pace);
/* A poll begins. Not 0: it looks into the far source too. */
int pace_looks_far(void);
/* The poll has taken so many near messages, and of the far source so many: none where it has not looked. */
void pace_note(unsigned near, unsigned far);

#ifdef __cplusplus
}
#endif

#endif
