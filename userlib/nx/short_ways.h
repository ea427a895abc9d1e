/* SPDX-License-Identifier: MIT */
/* csend, crecv and crecvp by either way to the message system. */
#ifndef PARLEY_NX_SHORT_WAYS_H
#define PARLEY_NX_SHORT_WAYS_H

/* By proxy calls. What a call was about that has not simply succeeded is still in its registers then, so
 * nothing is saved for the rest. */
void nx_csend_by_proxy(long type, const void *buffer, long length, long node, long pid);
void nx_crecv_by_proxy(long typesel, void *buffer, long maximum);
void nx_crecvp_by_proxy(long typesel, void **buffer, long maximum);

/* By the calls that are bound (nx_process.calls). */
void nx_csend_by_library(long type, const void *buffer, long length, long node, long pid);
void nx_crecv_by_library(long typesel, void *buffer, long maximum);
void nx_crecvp_by_library(long typesel, void **buffer, long maximum);

#endif
