/* SPDX-License-Identifier: MIT */
/* Prototypes by a macro, which for compilers of the time left the parameters out; and a call of NX's in the
 * program's own way. */
#define ANSI_ARGS(parameters) parameters
extern int mynode ANSI_ARGS((void));
extern int itable_ ANSI_ARGS((int* number));
extern int twice ANSI_ARGS((int number));
extern int (*chosen)();
