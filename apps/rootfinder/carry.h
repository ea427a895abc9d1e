/* SPDX-License-Identifier: MIT */
/* What can carry a stage: how processes post, and hear that the next one begins. */
#ifndef PARLEY_ROOTFINDER_CARRY_H
#define PARLEY_ROOTFINDER_CARRY_H

#include "force.h"

enum carry_kind { carry_semaphores, carry_messages, carry_collective, carry_kinds };

const char *carry_name(enum carry_kind kind);

/* One shared force. A post is an atomic step; the last to post does FIND, and wakes the others by one V
 * each. */
void carry_by_semaphores(struct force *force, const struct task *task, long process,
                         struct experience *experience);

/* Each process has a force of its own. Posts are messages to process 1, which does FIND and sends to each of
 * the others where it goes on. Under every design: messages are sent from blocks and received as blocks. */
void carry_by_messages(struct force *force, const struct task *task, long process,
                       struct experience *experience);
/* Before, by each process. 0, or 1: there is no memory for its messages. */
int carry_prepare_messages(struct force *force, long process, long processes);
void carry_end_messages(struct force *force, long processes);

/* Each process has a force of its own, gets all values by one collective call, and does FIND itself. */
void carry_by_collective(struct force *force, const struct task *task, long process,
                         struct experience *experience);

#endif
