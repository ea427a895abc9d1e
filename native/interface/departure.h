/* SPDX-License-Identifier: MIT */
/* How a rank ends that its own job ends (killcube, killproc); the kernel's way is
 * kernel/process/departure.hpp.
 * nxrun writes `must_end` into its place and sends it PARLEY_NATIVE_DEPART. Where the signal finds it in the
 * message library, it may hold what others wait for: so its waits give up, all other code of the process
 * loses the right to execute, and the return out of the library faults. From that fault, or from wherever
 * else the signal finds it, it goes on at the library's `leave`, which closes its endpoint and ends it.
 * The process that has the network takes the signal as the word that all ranks are being ended by force
 * (native/network/job_departure.hpp). */
#ifndef PARLEY_NATIVE_DEPARTURE_H
#define PARLEY_NATIVE_DEPARTURE_H

/* The signal that tells a rank to end: the last but one of real time's, which programs hardly use. */
#define PARLEY_NATIVE_DEPART 63

/* Executable memory of a process outside the message library, whole pages. */
struct parley_native_code {
    unsigned long start, bytes;
};

/* What the message library has for this. */
struct parley_native_departure {
    const char *code_start, *code_end; /* of the library */
    /* Ends a handler that has interrupted the library's code, with what Linux gave it as its context: the
     * process goes on in the library, and faults when it returns from it into any code of the list. The
     * signal interrupts one thread, the one that calls the message system. */
    void (*unwind)(void* context, const struct parley_native_code* code, unsigned count);
};

#endif
