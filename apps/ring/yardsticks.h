/* SPDX-License-Identifier: MIT */
/* What round trips are compared with: bare cache lines bounced between two processors, and an empty proxy
 * call. */
#ifndef PARLEY_RING_YARDSTICKS_H
#define PARLEY_RING_YARDSTICKS_H

/* Two words in shared memory, each on lines of its own (adjacent lines are fetched in pairs). */
struct ping_pong_cells {
    _Alignas(128) volatile unsigned there;
    _Alignas(128) volatile unsigned back;
};

/* Over one line, which both sides write by turns, or over two, one each way, as messages go. */
enum ping_pong_lines { one_line = 1, two_lines = 2 };

/* The far side; returns when the near one is done. */
void ping_pong_serve(struct ping_pong_cells *cells, enum ping_pong_lines lines);
/* The near side; reports "bare ping-pong" or "two-line ping-pong" of `count` samples, at least 1. The words
 * are 0 before. */
void ping_pong_measure(struct ping_pong_cells *cells, enum ping_pong_lines lines, int count);
void null_call_measure(int count); /* reports "null proxy call" */

/* Cycles to nanoseconds. */
double nanoseconds(unsigned long cycles);

#endif
