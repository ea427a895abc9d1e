/* SPDX-License-Identifier: MIT */
/* The program's messages, in kinds of one type and one size each. Where blocks change owner every message
 * takes a fresh one and the reader frees it; elsewhere each kind has one buffer to send from and one to
 * receive into, and a node must not fill a kind's buffer again before it has heard from all readers. */
#ifndef PARLEY_SIMPLEX_MAIL_H
#define PARLEY_SIMPLEX_MAIL_H

#include "../support/buffers.h"
#include "../support/traffic.h"

struct mail {
    long type;
    long bytes;
    int shared;
    void *out, *in;
    struct traffic *traffic; /* may be shared by kinds */
    long sent;
};

void mail_make(struct mail *mail, long type, long bytes, int shared, struct traffic *traffic);
void mail_free(struct mail *mail);

/* Sends a copy of the contents, at most the kind's bytes; node -1: all others, as one message. */
void mail_send(struct mail *mail, const void *contents, long bytes, long node);

/* Receives into `contents`, which has room for the kind's bytes. */
void mail_receive(struct mail *mail, void *contents);

#endif
