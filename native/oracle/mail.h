/* SPDX-License-Identifier: MIT */
/* NX messages over MPI: what this rank has sent and what has come. MPI matches tags that are equal; NX/2
 * selects by masks and by sender, so every message travels under one tag with its type in front, is taken
 * from MPI as soon as it is there, and is matched here. */
#ifndef PARLEY_ORACLE_MAIL_H
#define PARLEY_ORACLE_MAIL_H

enum { mail_any = -1, mail_all_others = -1 };

/* In the order of msginfo. */
struct mail_envelope {
    int type, length, node, pid;
};

struct mail_selector {
    int typesel, nodesel, pidsel;
};

extern int mail_rank, mail_ranks;

/* Copies the bytes and never waits for the receiver; node may be mail_all_others. */
void mail_send(int type, const void* bytes, int length, int node);

/* A receive is posted into a slot that stays where it is until it is done. Posted receives are served in
 * order. */
struct mail_receive {
    struct mail_receive* next;
    struct mail_selector wanted;
    void* buffer;
    int maximum;
    int done;
    struct mail_envelope found;
};
void mail_post(struct mail_receive* receive);

/* 1, and the envelope of the oldest message that has come and is wanted; else 0. */
int mail_look(const struct mail_selector* wanted, struct mail_envelope* found);

/* Lets MPI go on, and takes what has come; 1: something has. Whoever waits calls it again and again. */
int mail_progress(void);
/* Gives the processor away after a look that found nothing: ranks may share one. */
void mail_idle(void);

/* Waits until what this rank has sent has left, and all others are as far; takes what comes meanwhile, or
 * those who send it long messages would wait for ever. */
void mail_finish(void);

/* Ends the job, with a sentence. */
_Noreturn __attribute__((format(printf, 1, 2))) void mail_fail(const char* format, ...);

#endif
