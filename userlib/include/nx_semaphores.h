/* SPDX-License-Identifier: MIT */
/* Semaphores for the processes of a job, beside their messages: P and V as C.mmp's programs had them. What
 * waiting is, was chosen with the job (SEMAPHORE=spin, kernel, policy-0, policy-1:300ms, ...); a program is
 * the same over all of them. Not in nx.h: programs of the time have names of their own like these.
 *
 * A plain call that fails prints one sentence and ends the program with status 1; its underscore twin returns
 * -1 and sets errno. */
#ifndef PARLEY_NX_SEMAPHORES_H
#define PARLEY_NX_SEMAPHORES_H

#include "interface/semaphores.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The id of the job's semaphore with that number, from 0 to 255. The first process to open it makes it, with
 * this count, from 0 to 65535 (under spin to 1); the others say the same count. An id is good in every
 * process of the job, whoever has opened it. */
long nx_semaphore(long number, long count);

/* P waits until the count is above 0 and takes 1 off; V puts 1 on. Under spin two Vs in a row are one. A
 * message handler that is due runs when P is over. */
void P(long semaphore);
void V(long semaphore);
/* V of each of so many, in one call of the system: how they wake is the kind's business too. Where one is
 * wrong, none has had its V; where one's count is at its limit, the others have. */
void nx_v_all(const long *semaphores, long count);

/* What kind the job's semaphores are, with all arguments: "policy-1:300ms:2". */
const char *nx_semaphores(void);
/* What the job's semaphores have counted so far. */
void nx_semaphore_counts(struct parley_semaphore_counts *counts);

long _nx_semaphore(long number, long count);
long _P(long semaphore);
long _V(long semaphore);
long _nx_v_all(const long *semaphores, long count);

#ifdef __cplusplus
}
#endif

#include "nx_spinning.h"

#endif
