/* SPDX-License-Identifier: MIT */
/* The machine's side of handlers: which instructions are the program's own, and how it is interrupted. */
#ifndef PARLEY_NX_HANDLER_CODE_H
#define PARLEY_NX_HANDLER_CODE_H

/* Tells the kernel how this program is interrupted, once. Ends a program that was linked without the
 * wrappers: nobody knows where its own code lies. 0 or minus an error. */
long nx_prepare_interruptions(void);

/* Whether that address is one of the program's instructions. */
int nx_is_program_code(const void *address);

#endif
