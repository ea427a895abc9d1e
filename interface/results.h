/* SPDX-License-Identifier: MIT */
/* The results channel, by which a run's outcome leaves the machine.
 *
 * The kernel writes frames to I/O port PARLEY_RESULTS_PORT, a byte at a time. A frame, little endian:
 *   u32 magic, u32 kind, u32 sequence (0, 1, 2, ...), u32 payload bytes, payload,
 *   u32 CRC-32 (IEEE) of all before it.
 * Payloads are text lines "key=value\n" unless said otherwise. A run succeeded only if every frame is whole,
 * the first is `plan`, the last is `end`, and the emulator's exit status says so. Heartbeats do not count
 * there: they come from the kernel's first step on, then about once a second, and with an instruction-counted
 * clock at every tick. */
#ifndef PARLEY_KERNEL_INTERFACE_RESULTS_H
#define PARLEY_KERNEL_INTERFACE_RESULTS_H

#define PARLEY_CONSOLE_PORT 0xe9
#define PARLEY_RESULTS_PORT 0x5e9
#define PARLEY_EXIT_PORT 0xf4
#define PARLEY_FRAME_MAGIC 0x594c5250u /* "PRLY" */

enum parley_frame {
    PARLEY_FRAME_PLAN = 1,      /* first: version, processors, clock, checks, dispatch, memory, pause, jobs */
    PARLEY_FRAME_HEARTBEAT = 2, /* binary: u64 nanoseconds of guest time since the boot, u64 nanoseconds since
                                   the running job that was first told to end was told so (0: none) */
    PARLEY_FRAME_JOB = 3, /* a job starts: job, name, design (canonical), app, nodes, location, promises */
    PARLEY_FRAME_ROW = 4, /* binary: u32 job, i32 node, struct parley_row */
    /* binary: u32 job, u32 name bytes, u64 file bytes, u64 offset, name, contents. A file's first frame has
     * offset 0, its last ends at its size; what lies between two frames is zeroes. */
    PARLEY_FRAME_FILE = 5,
    PARLEY_FRAME_PROCESS = 6, /* a process ended: job, node, pid, status, reason */
    PARLEY_FRAME_JOB_END =
        7, /* job, status (ok|failed|deadlock|limit), frames_leaked, objects_leaked, unknown_calls */
    PARLEY_FRAME_PANIC = 8,  /* text of the panic */
    PARLEY_FRAME_END = 9,    /* last: jobs, failed, rows */
    PARLEY_FRAME_TRACE = 10, /* binary: parley_trace_head and records (trace.h) */
    PARLEY_FRAME_TIME =
        11, /* traced: job, endpoint, life, running, inside, waiting, calls (cycles), clock_hertz */
    PARLEY_FRAME_UNRECEIVED =
        12, /* what a process has left: job, node, pid, what, count, sentence; of a message
                                    or irecv type, bytes, from_node (-1: any), from_pid; of a call id */
    /* accounting: what the processors of a cluster did while a job ran: job, cluster, processors, elapsed
     * (cycles), clock_hertz, and for each activity of base/activity.hpp in its order cycles and times */
    PARLEY_FRAME_ACCOUNT = 13,
    /* accounting: what was waited for the kernel's spin locks while a job ran, in each place of the kernel:
     * job, cycles, times, clock_hertz, waiter (the function; empty: not known) */
    PARLEY_FRAME_LOCK_WAIT = 14
};

/* Values written to PARLEY_EXIT_PORT; the emulator then ends with 2 * value + 1. */
enum parley_exit { PARLEY_EXIT_SUCCESS = 0x10, PARLEY_EXIT_FAILED = 0x11, PARLEY_EXIT_PANIC = 0x12 };

/* One measurement. Strings end in a NUL. Times are in `unit`; `bytes` is the message or buffer size. */
struct parley_row {
    char name[24];   /* what was measured, for instance "round trip" */
    char unit[12];   /* "ns", "cycles", "instructions" */
    char access[12]; /* "none", "read", "write" or "" */
    long bytes;
    long samples;
    double median;
    double lower_quartile;
    double upper_quartile;
    double minimum;
    double maximum;
};

#endif
