/* SPDX-License-Identifier: MIT */
/* Starting sends and receives, and ending them: what isend, irecv, isendrecv, msgwait and their kin share.
 * Results are minus an error, or what is said of the call in interface/calls.def. */
#ifndef PARLEY_NX_REQUESTS_H
#define PARLEY_NX_REQUESTS_H

/* A receive that notes its arrival in `info` (null: in msginfo) and, unless send_id is 0, ends together with
 * that send. */
long nx_begin_receive(long typesel, void *buffer, long maximum, long nodesel, long pidsel, long *info,
                      long send_id);

/* A message of gsendx to one of its nodes: 0 or minus an error, which ends the program in the second. */
long nx_send_to_listed(long type, const void *buffer, long length, long node);
void nx_must_send_to_listed(long type, const void *buffer, long length, long node);

long nx_finish(long id);      /* waits; 0 or minus an error */
long nx_is_finished(long id); /* 1, 0 or minus an error */

#endif
