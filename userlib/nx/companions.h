/* SPDX-License-Identifier: MIT */
/* What belongs to a message id besides the system's own request: the info array of an irecvx, the send half
 * of an isendrecv. Few programs use either, so ids without a companion cost one comparison. */
#ifndef PARLEY_NX_COMPANIONS_H
#define PARLEY_NX_COMPANIONS_H

struct nx_companion {
    long id;
    int send_id; /* or another request that ends together with this one (msgmerge); 0: none */
    int error;   /* minus what one of those has failed with that have ended; 0: nothing */
    long *info;  /* where the arrival is noted, instead of msginfo; null: in msginfo */
    int *narrow; /* a Fortran program's info array, filled from `info` as well; null: none */
};

/* False when the table is full. */
int nx_add_companion(struct nx_companion companion);

/* The companion of this id, or null; valid until the table changes. */
struct nx_companion *nx_find_companion(long id);

void nx_remove_companion(struct nx_companion *companion);

/* Removes this id's companion, if it has one; answers its send_id, or 0. */
long nx_separate(long id);

#endif
