/* SPDX-License-Identifier: MIT */
/* Semaphores of a native job: what the kernel does for them when a machine is booted (calls.def). Each
 * answers a value, or minus an error. */
#ifndef PARLEY_NATIVE_SEMAPHORES_H
#define PARLEY_NATIVE_SEMAPHORES_H

struct parley_semaphore_counts;

#define PARLEY_HIDDEN __attribute__((visibility("hidden")))
PARLEY_HIDDEN long nx_native_open(long number, long count);
/* The word of a spin lock; null otherwise. */
PARLEY_HIDDEN long nx_native_bind(long id, unsigned** word);
PARLEY_HIDDEN long nx_native_p(long id);
PARLEY_HIDDEN long nx_native_v(long id);
PARLEY_HIDDEN long nx_native_v_all(const long* ids, long count);
PARLEY_HIDDEN long nx_native_read_counts(struct parley_semaphore_counts* counts);
#undef PARLEY_HIDDEN

#endif
