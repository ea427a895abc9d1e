/* SPDX-License-Identifier: MIT */
/* Shadow of interface/option_words.h on Linux: options of nxrun. */
#ifndef PARLEY_KERNEL_INTERFACE_OPTION_WORDS_H
#define PARLEY_KERNEL_INTERFACE_OPTION_WORDS_H

#define PARLEY_ASK_DESIGN(design) "--design " design
#define PARLEY_ASK_SEMAPHORE(kind) "--semaphore " kind
#define PARLEY_ASK_BUDGET "--budget"
#define PARLEY_ASK_NODES "-n"
#define PARLEY_ASK_PIDS "--pids"
#define PARLEY_ASK_HOST "--host"

#endif
