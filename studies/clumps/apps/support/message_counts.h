/* SPDX-License-Identifier: MIT */
/* Messages that a node has sent, those to its own multiprocessor apart from those to others, as in tables 5.6
 * to 5.8 of Lumetta's thesis. Multiprocessors have as many nodes each, which follow each other. Meetings of
 * all nodes (am_job_meet) are not counted. For one file of a program. */
#ifndef PARLEY_CLUMPS_MESSAGE_COUNTS_H
#define PARLEY_CLUMPS_MESSAGE_COUNTS_H

#include "apps/support/am_job.h"

#include <nx.h>
#include <stdio.h>

enum { counted_local, counted_remote, counted_kinds };

struct message_count {
    long shorts, bulk, bulk_bytes;
};

static struct {
    long processors; /* of a multiprocessor; 0: all nodes share one */
    struct message_count sent[counted_kinds];
} message_counts;

/* A row of the program's numbers. */
#define MESSAGE_COUNTS_ARGUMENT                           \
    {"--processors", &message_counts.processors, 0, 1024, \
     "nodes of a multiprocessor, for the counts; 0: all share one"}

static inline void message_counts_clear(void)
{
    for (int kind = 0; kind < counted_kinds; kind++)
        message_counts.sent[kind] = (struct message_count){0};
}

static inline struct message_count *message_counts_to(long node)
{
    const long each = message_counts.processors ? message_counts.processors : numnodes();
    return &message_counts.sent[node / each == mynode() / each ? counted_local : counted_remote];
}

static inline void count_short(long node)
{
    message_counts_to(node)->shorts++;
}

static inline void count_bulk(long node, long bytes)
{
    struct message_count *count = message_counts_to(node);
    count->bulk++;
    count->bulk_bytes += bytes;
}

/* A reply to whoever has sent the request. */
static inline void count_reply(void *token)
{
    en_t from;
    am_must(AM_GetSourceEndpoint(token, &from));
    count_short(from.node);
}

struct message_spread {
    long sum, least, most;
};

static inline struct message_spread message_spread_of(long mine)
{
    struct message_spread spread = {mine, mine, mine};
    long work;
    gisum(&spread.sum, 1, &work);
    gilow(&spread.least, 1, &work);
    gihigh(&spread.most, 1, &work);
    return spread;
}

/* All nodes call this; node 0 prints what a node has sent: the mean, the least and the most. Programs call it
 * before node 0 prints anything else, so that nobody waits for its printing. */
static inline void message_counts_tell(const char *program)
{
    static const char *const names[] = {"local", "remote"};
    struct message_spread shorts[counted_kinds], bulk[counted_kinds], bytes[counted_kinds];
    const struct message_count *sent = message_counts.sent;
    const struct message_spread all =
        message_spread_of(sent[counted_local].shorts + sent[counted_remote].shorts);
    long messages = 0;
    for (int kind = 0; kind < counted_kinds; kind++) {
        shorts[kind] = message_spread_of(sent[kind].shorts);
        bulk[kind] = message_spread_of(sent[kind].bulk);
        bytes[kind] = message_spread_of(sent[kind].bulk_bytes);
        messages += shorts[kind].sum + bulk[kind].sum;
    }
    if (mynode() != 0)
        return;
    printf("%s: %ld short messages of a node, %ld to %ld\n", program, all.sum / numnodes(), all.least,
           all.most);
    for (int kind = 0; kind < counted_kinds; kind++)
        printf("%s: %s: %ld short (%ld to %ld), %ld bulk of %ld bytes, %.0f %% of all messages\n", program,
               names[kind], shorts[kind].sum / numnodes(), shorts[kind].least, shorts[kind].most,
               bulk[kind].sum / numnodes(), bulk[kind].sum ? bytes[kind].sum / bulk[kind].sum : 0,
               messages ? 100.0 * (double)(shorts[kind].sum + bulk[kind].sum) / (double)messages : 0);
}

#endif
