/* SPDX-License-Identifier: MIT */
/* Processes that a rank starts itself (fork, vfork, system ...). They inherit its memory and its connections,
 * and never speak for it: neither does their end close its endpoint, nor do they send, receive or answer. */
#ifndef PARLEY_NATIVE_CHILD_H
#define PARLEY_NATIVE_CHILD_H

/* Makes the calling process the rank; what it forks is not. Called once, when nx_socket is known. */
__attribute__((visibility("hidden"))) void nx_be_rank(void);

/* Whether the calling process is the rank. */
__attribute__((visibility("hidden"))) int nx_is_rank(void);

/* In a child: takes from it what it has inherited of its parent's place in the job. Harmless in the rank and
 * when called twice. What fork() starts has done it before fork() returns. */
__attribute__((visibility("hidden"))) void nx_leave_to_parent(void);

/* Ends a child that has called what only its parent may; returns in the rank. */
__attribute__((visibility("hidden"))) void nx_refuse_children(void);

#endif
