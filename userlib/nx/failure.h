/* SPDX-License-Identifier: MIT */
/* How a call that failed ends: plain calls in one sentence and exit status 1, underscore calls in -1 and
 * errno. `error` is the positive number of PARLEY_ERRORS. */
#ifndef PARLEY_NX_FAILURE_H
#define PARLEY_NX_FAILURE_H

#include "interface/errors.h"

enum nx_error {
#define NX_ERROR(name, number, nx_errno, sentence) nx_error_##name = number,
    PARLEY_ERRORS(NX_ERROR)
#undef NX_ERROR
};

const char *nx_sentence(long error);
long nx_set_errno(long error); /* always -1 */
/* The sentence behind this value of errno, the last one's where several share it; null: none of NX's. */
const char *nx_error_text(int number);

/* Before a process says that it fails: one that is ended from outside is to say nothing. A port whose
 * processes may learn that before they end waits here for their end; else nothing. */
void nx_wait_for_own_end(void);

/* The process that a sentence is about, as "node 1, pid 0". */
struct nx_name {
    char text[40];
};
struct nx_name nx_own_name(void);

_Noreturn void nx_end(const char *line);
/* What failed, with its arguments, and why. */
__attribute__((format(printf, 3, 4))) _Noreturn void nx_end_call(const char *call, const char *sentence,
                                                                 const char *format, ...);
_Noreturn void nx_fail(const char *call, long error);
/* Ends the program if that cannot be the length of a call's list of nodes (lengths.h). */
void nx_check_node_count(const char *call, long count);
_Noreturn void nx_fail_send(const char *call, long type, long length, long node, long pid, long error);
/* A message that is too long still waits: the sentence says how long it is and whose. */
_Noreturn void nx_fail_receive(const char *call, long typesel, long maximum, long nodesel, long pidsel,
                               long error);
_Noreturn void nx_fail_process(const char *call, long node, long pid, long error);
_Noreturn void nx_fail_id(const char *call, long id, long error);

#endif
