/* SPDX-License-Identifier: MIT */
/* Requests of msgignore: nobody asks about them, so the library itself gives their ids back once they have
 * ended: when a call finds no id left, and when the program ends. */
#ifndef PARLEY_NX_IGNORED_H
#define PARLEY_NX_IGNORED_H

/* Gives the ids of ignored requests back that have ended; how many. */
int nx_forget_ignored(void);

/* Whether a call that has answered this, minus an error, is to be made again: it was interrupted, and the
 * handlers have run now; or there was no id for it, and now there is. */
int nx_may_be_made_again(long value);

#endif
