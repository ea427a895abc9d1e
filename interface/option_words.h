/* SPDX-License-Identifier: MIT */
/* The options that sentences of errors name, where programs are booted: words of make run. On Linux another
 * header of this name has nxrun's options (native/libnx/shadow). */
#ifndef PARLEY_KERNEL_INTERFACE_OPTION_WORDS_H
#define PARLEY_KERNEL_INTERFACE_OPTION_WORDS_H

#define PARLEY_ASK_DESIGN(design) "DESIGN=" design
#define PARLEY_ASK_SEMAPHORE(kind) "SEMAPHORE=" kind
#define PARLEY_ASK_BUDGET "BUDGET="
#define PARLEY_ASK_NODES "NODES="
#define PARLEY_ASK_PIDS "PIDS="
#define PARLEY_ASK_HOST "HOSTED="

#endif
