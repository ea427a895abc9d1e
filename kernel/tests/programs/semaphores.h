/* SPDX-License-Identifier: MIT */
/* Types of the messages between semaphores_host.c and its nodes. */
#ifndef PARLEY_SEMAPHORES_H
#define PARLEY_SEMAPHORES_H

enum { type_round = 1, type_ready = 2 };

#endif
