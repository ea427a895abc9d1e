/* SPDX-License-Identifier: MIT */
/* How large a job, a machine and a message can be in the data formats. A boot may have memory, addresses and
 * processors for less. The runner reads these lines, too. */
#ifndef PARLEY_KERNEL_INTERFACE_LIMITS_H
#define PARLEY_KERNEL_INTERFACE_LIMITS_H

#define PARLEY_MAX_NODES 1024     /* of a job, and a host */
#define PARLEY_MAX_PIDS 64        /* processes of one node */
#define PARLEY_MAX_PROCESSES 4096 /* of a job: on its nodes, its host and its delivery processes together */
#define PARLEY_MAX_PROCESSORS 64  /* that run jobs; one more may keep the time */
#define PARLEY_MAX_LOOPS_TEXT 240 /* characters of what says which leaves a program's loops have */
#define PARLEY_MAX_JOBS 64        /* of a boot */
#define PARLEY_MAX_MESSAGE 2147483647 /* bytes of a message, and what a receive may have room for */
#define PARLEY_MEETING_BYTES 248      /* that a process brings to a meeting (calls.def: meet) */
#define PARLEY_MEETINGS_BYTES 4096    /* that all bring together, where they are on several machines */

/* For sentences. */
#define PARLEY_LIMIT_TEXT(limit) PARLEY_LIMIT_DIGITS(limit)
#define PARLEY_LIMIT_DIGITS(digits) #digits

#endif
