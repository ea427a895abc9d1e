/* SPDX-License-Identifier: MIT */
/* The values that errno takes after an underscore call has returned -1. The names are those of the NX
 * headers; the original numbers did not survive, so these are our own, out of the way of the C library's.
 * What never happens here: EQBLEN, EQTIME, EQPCNODE, EQPCPID, EQPCCODE, EQSET and EQNOSET. */
#ifndef PARLEY_NX_ERRNO_H
#define PARLEY_NX_ERRNO_H

#define EQPBUF 1001 /* a buffer is not memory that the program may use, or not the kind this design needs */
#define EQBLEN 1002 /* a buffer has the wrong length */
#define EQLEN 1003  /* a length is negative or too large */
#define EQTIME 1004 /* time is up */
#define EQMSGLONG 1005 /* the message is longer than the buffer that should receive it */
#define EQPID 1006     /* no such process on that node */
#define EQNODE 1007    /* no such node */
#define EQTYPE 1008    /* not a message type */
#define EQMID 1009     /* not a message id */
#define EQHND 1010     /* not a handler */
#define EQNOPROC 1011  /* the process at the other end has ended */
#define EQUSEPID 1012  /* the process id is in use */
#define EQNOACT 1013   /* the call cannot act now */
#define EQBADFIL 1014  /* no such file, or no program */
#define EQPARAM 1015   /* an argument has no meaning */
#define EQPFIL 1016    /* a file name is not readable */
#define EQPCNODE 1017  /* the place for a node number is not writable */
#define EQPCPID 1018   /* the place for a process id is not writable */
#define EQPCCODE 1019  /* the place for a completion code is not writable */
#define EQPRIV 1020    /* not permitted */
#define EQMEM 1021     /* the memory budget is used up */
#define EQNOMID 1022   /* too many messages are under way */
#define EQSET 1023     /* already set */
#define EQNOSET 1024   /* not set yet */

#endif
