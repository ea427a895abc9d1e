/* SPDX-License-Identifier: MIT */
#include "mail.h"

void mail_make(struct mail *mail, long type, long bytes, int shared, struct traffic *traffic)
{
    *mail = (struct mail){.type = type, .bytes = bytes, .shared = shared, .traffic = traffic};
    if (nx_hands_over())
        return;
    mail->out = buffers_take(shared, bytes, 64);
    mail->in = buffers_take(shared, bytes, 64);
}

void mail_free(struct mail *mail)
{
    buffers_return(mail->shared, mail->out);
    buffers_return(mail->shared, mail->in);
}

void mail_send(struct mail *mail, const void *contents, long bytes, long node)
{
    unsigned long start = nx_cycles();
    void *buffer = nx_hands_over() ? buffers_take(1, mail->bytes, 64) : mail->out;
    memcpy(buffer, contents, (size_t)bytes);
    csend(mail->type, buffer, bytes, node, mypid());
    traffic_call(mail->traffic, start);
    traffic_sent(mail->traffic, bytes);
    mail->sent++;
}

void mail_receive(struct mail *mail, void *contents)
{
    unsigned long start = nx_cycles();
    void *buffer = mail->in;
    crecvp(mail->type, &buffer, mail->bytes);
    memcpy(contents, buffer, (size_t)infocount());
    if (nx_hands_over())
        nx_free(buffer);
    traffic_call(mail->traffic, start);
}
