/* SPDX-License-Identifier: MIT */
/* What carries a stage: how processes post, and hear that the next one begins. Each way is one object in a
 * file of its own (by_semaphores.c); its name stands in carrier.c, and rootfinder.c has the list of them. */
#ifndef PARLEY_ROOTFINDER_CARRIER_H
#define PARLEY_ROOTFINDER_CARRIER_H

#include "force.h"

enum carrier_kind { carried_by_semaphores, carried_by_messages, carried_by_collective, carrier_kinds };

/* As users say it. */
const char *carrier_name(enum carrier_kind kind);

struct carrier {
    /* What its parts are called in reports; null: it has none. */
    const char *tell_others, *wake, *pass;
    /* All have one force, in memory that they share; else each process has its own. */
    int shares_force;
    /* By each process, before its work, and behind it. Null: there is nothing to do. 0, or 1: there is no
     * memory for its messages. */
    int (*prepare)(struct force *force, long process, long processes);
    void (*end)(struct force *force, long processes);
    /* The process has its value in the force's members: returns when the next stage may begin, or all is
     * over. */
    void (*stage)(struct force *force, const struct task *task, long process, struct experience *experience);
};

/* One shared force. A post is an atomic step; the last to post does FIND, and wakes the others by one V
 * each, or by one call. */
extern const struct carrier by_semaphores;
/* Posts are messages to process 1, which does FIND and sends to each of the others where it goes on. Under
 * every design: messages are sent from blocks and received as blocks. */
extern const struct carrier by_messages;
/* Each process gets all values by one collective call, and does FIND itself. */
extern const struct carrier by_collective;

#endif
