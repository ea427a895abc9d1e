/* SPDX-License-Identifier: MIT */
/* What round trips are compared with: a bare cache line bounced between two processors, and an empty proxy
 * call. */
#ifndef PARLEY_RING_YARDSTICKS_H
#define PARLEY_RING_YARDSTICKS_H

/* A word in shared memory, on a line of its own. */
struct ping_pong_cell {
    volatile unsigned value;
};

void ping_pong_serve(struct ping_pong_cell *cell);   /* the far side; returns when the near one is done */
void ping_pong_measure(struct ping_pong_cell *cell); /* the near side; reports "bare ping-pong" */
void null_call_measure(void);                        /* reports "null proxy call" */

/* Cycles to nanoseconds. */
double nanoseconds(unsigned long cycles);

#endif
