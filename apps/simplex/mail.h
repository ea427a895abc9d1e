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

static inline void mail_make(struct mail *mail, long type, long bytes, int shared, struct traffic *traffic)
{
    *mail = (struct mail){.type = type, .bytes = bytes, .shared = shared, .traffic = traffic};
    if (nx_hands_over())
        return;
    mail->out = buffers_take(shared, bytes, 64);
    mail->in = buffers_take(shared, bytes, 64);
}

static inline void mail_free(struct mail *mail)
{
    buffers_return(mail->shared, mail->out);
    buffers_return(mail->shared, mail->in);
}

/* Sends a copy of the contents, at most the kind's bytes; node -1: all others, as one message. */
static inline void mail_send(struct mail *mail, const void *contents, long bytes, long node)
{
    unsigned long start = nx_cycles();
    void *buffer = nx_hands_over() ? buffers_take(1, mail->bytes, 64) : mail->out;
    memcpy(buffer, contents, (size_t)bytes);
    csend(mail->type, buffer, bytes, node, mypid());
    traffic_call(mail->traffic, start);
    traffic_sent(mail->traffic, bytes);
    mail->sent++;
}

/* Receives into `contents`, which has room for the kind's bytes. */
static inline void mail_receive(struct mail *mail, void *contents)
{
    unsigned long start = nx_cycles();
    void *buffer = mail->in;
    crecvp(mail->type, &buffer, mail->bytes);
    memcpy(contents, buffer, (size_t)infocount());
    if (nx_hands_over())
        nx_free(buffer);
    traffic_call(mail->traffic, start);
}

#endif
