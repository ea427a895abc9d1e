/* SPDX-License-Identifier: MIT */
/* How long an Active Message may be that goes straight into its destination's queue (calls.def:
 * send_active), and how they are taken out of it (take_active). */
#ifndef PARLEY_KERNEL_INTERFACE_ACTIVE_MESSAGES_H
#define PARLEY_KERNEL_INTERFACE_ACTIVE_MESSAGES_H

#define PARLEY_ACTIVE_BYTES 64
/* A packet's memory, wherever it lies, has this room, or PARLEY_ACTIVE_BYTES if it is longer than that: then
 * it is copied without a look at its length. So much of it lies in the first line of a port's entry. */
#define PARLEY_ACTIVE_BRIEF 40

/* Which messages a take is about, and what it does where there is none; any of them together. */
enum parley_take {
    PARLEY_TAKES_ANY = 0,
    PARLEY_TAKES_REPLIES = 1, /* replies alone; requests stay */
    /* The caller has something to do, so it keeps its processor where there is no message. Without this it
     * will probably ask again, so others may run first. */
    PARLEY_TAKES_AND_GOES_ON = 2
};

#endif
