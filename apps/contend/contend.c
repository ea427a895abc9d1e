/* SPDX-License-Identifier: MIT */
/* What a lock costs when parties contend for it. 1, 2, 4 ... nodes at once send messages to the last node,
 * empty ones unless somebody says otherwise, as fast as they can: its port fills, and whoever wants room in
 * it takes the receiver's lock, as the receiver does at every message. Then 2, 4 ... nodes do so to each
 * other, and each reads what has come only when it has sent everything. The times are those of the slowest
 * sender, divided by its messages:
 * make run APP=contend NODES=5 DESIGN="exp6 exp6,synchronization=mcs" */
#include "../support/buffers.h"
#include "../support/one_process.h"
#include "../support/own_table.h"

#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    its_type = 1,
    most_messages = 100000,
    most_samples = 100,
    most_sizes = 16,
    largest_message = 1 << 20,
    warm_up = 1
};

static const char help[] =
    "contend: what a lock costs that several nodes want, on 2 nodes or more\n"
    "  --messages N   of each sender in a sample, 1 to 100000 (default 1000)\n"
    "  --samples N    1 to 100 (default 5)\n"
    "  --sizes LIST   of the messages in bytes, as 0,64,1024: 16 numbers at most, up to\n"
    "                 1048576 (default 0)\n";

struct request {
    long messages;
    long samples;
    long sizes[most_sizes];
    int size_count;
};

/* The messages of one size. Where csend hands its block over, each message has a block that was taken before
 * the clock runs, and those that came are given back when it stands. */
struct mail {
    long bytes;
    void *buffer, *into;  /* null where blocks are handed over, or messages are empty */
    void **own, **theirs; /* null elsewhere */
    long taken, sent, come;
};

/* Both return what this node has sent, in messages. */
typedef long pattern(struct mail *mail, long parties, long messages);

static int parse_sizes(struct request *request, const char *text)
{
    for (request->size_count = 0; request->size_count < most_sizes;) {
        char *end;
        long bytes = strtol(text, &end, 10);
        if (end == text || bytes < 0 || bytes > largest_message || (*end && *end != ','))
            return 0;
        request->sizes[request->size_count++] = bytes;
        if (!*end)
            return 1;
        text = end + 1;
    }
    return 0;
}

static int parse(struct request *request, int count, char **arguments)
{
    *request = (struct request){.messages = 1000, .samples = 5, .size_count = 1};
    for (int i = 1; i < count; i += 2) {
        if (!strcmp(arguments[i], "--sizes") && i + 1 < count) {
            if (!parse_sizes(request, arguments[i + 1]))
                return 0;
            continue;
        }
        char *end = 0;
        long value = i + 1 < count ? strtol(arguments[i + 1], &end, 10) : 0;
        if (value < 1 || *end)
            return 0;
        if (!strcmp(arguments[i], "--messages") && value <= most_messages)
            request->messages = value;
        else if (!strcmp(arguments[i], "--samples") && value <= most_samples)
            request->samples = value;
        else
            return 0;
    }
    return 1;
}

/* The least number of messages, from so many on, of which each of so many receivers gets as many. */
static long rounds_of(long receivers, long messages)
{
    return (messages + receivers - 1) / receivers;
}

static void *memory_of(long count)
{
    void *memory = malloc((size_t)count * sizeof(void *));
    if (!memory) {
        fprintf(stderr, "contend: no memory for %ld messages\n", count);
        exit(1);
    }
    return memory;
}

static struct mail open_mail(long bytes, long messages)
{
    struct mail mail = {.bytes = bytes};
    int shared = buffers_are_shared(buffers_automatic);
    if (bytes != 0 && nx_hands_over()) {
        mail.own = memory_of(messages + numnodes());
        mail.theirs = memory_of(numnodes() * (messages + numnodes()));
    } else if (bytes != 0) {
        mail.buffer = buffers_take(shared, bytes, 16);
        mail.into = buffers_take(shared, bytes, 16);
    }
    return mail;
}

static void close_mail(struct mail *mail)
{
    int shared = buffers_are_shared(buffers_automatic);
    if (mail->buffer)
        buffers_return(shared, mail->buffer);
    if (mail->into)
        buffers_return(shared, mail->into);
    free(mail->own);
    free(mail->theirs);
}

/* Before the clock runs. */
static void take_blocks(struct mail *mail, long messages)
{
    for (mail->sent = mail->come = mail->taken = 0; mail->own && mail->taken < messages; mail->taken++)
        mail->own[mail->taken] = buffers_take(1, mail->bytes, 16);
}

/* When it stands. */
static void give_blocks(struct mail *mail)
{
    while (mail->sent < mail->taken)
        buffers_return(1, mail->own[mail->sent++]);
    while (mail->come > 0)
        buffers_return(1, mail->theirs[--mail->come]);
}

static void send(struct mail *mail, long node)
{
    csend(its_type, mail->own ? mail->own[mail->sent++] : mail->buffer, mail->bytes, node, 0);
}

static void receive(struct mail *mail, long count)
{
    void *none = 0;
    while (count-- > 0)
        if (nx_hands_over())
            crecvp(its_type, mail->theirs ? &mail->theirs[mail->come++] : &none, mail->bytes);
        else
            crecv(its_type, mail->into, mail->bytes);
}

/* The last node receives, and sends nothing. */
static long all_to_one(struct mail *mail, long senders, long messages)
{
    long receiver = numnodes() - 1;
    if (mynode() == receiver)
        receive(mail, senders * messages);
    if (mynode() >= senders)
        return 0;
    for (long i = 0; i < messages; i++)
        send(mail, receiver);
    return messages;
}

/* Each sends as often to every other. */
static long all_to_each_other(struct mail *mail, long parties, long messages)
{
    long rounds = rounds_of(parties - 1, messages);
    if (mynode() >= parties)
        return 0;
    for (long i = 0; i < rounds; i++)
        for (long next = 1; next < parties; next++)
            send(mail, (mynode() + next) % parties);
    receive(mail, rounds * (parties - 1));
    return rounds * (parties - 1);
}

/* The slowest sender's time for a message, in ns; the same on every node. */
static double measure(struct mail *mail, pattern *run, long parties, long messages)
{
    take_blocks(mail, mynode() < parties ? messages + parties : 0);
    gsync();
    unsigned long start = nx_cycles();
    long sent = run(mail, parties, messages);
    double cycles = (double)(nx_cycles() - start);
    give_blocks(mail);
    double slowest = sent ? cycles * 1e9 / nx_cycles_per_second() / (double)sent : 0, work = 0;
    gdhigh(&slowest, 1, &work);
    return slowest;
}

static int in_order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* One line of the table: returns its median. The first sample finds everything cold and is left out. */
static double row(const char *title, struct mail *mail, pattern *run, long parties,
                  const struct request *request, double alone)
{
    double samples[most_samples];
    for (long i = -warm_up; i < request->samples; i++) {
        double each = measure(mail, run, parties, request->messages);
        if (i >= 0)
            samples[i] = each;
    }
    qsort(samples, (size_t)request->samples, sizeof *samples, in_order);
    double median = samples[request->samples / 2];
    if (mynode() == 0) {
        char name[64];
        snprintf(name, sizeof name, "%s, %ld", title, parties);
        nx_report(name, mail->bytes, "none", "ns", samples, request->samples);
        table_printf("%-20s %8ld %8ld %14.1f %9.2f\n", title, parties, mail->bytes, median,
                     median / (alone > 0 ? alone : median));
    }
    return median;
}

/* 1, 2, 4 ... and all of them. */
static long after(long parties, long all)
{
    return parties < all && 2 * parties > all ? all : 2 * parties;
}

static void measure_size(const struct request *request, long bytes)
{
    struct mail mail = open_mail(bytes, request->messages);
    double alone = 0;
    long senders = numnodes() - 1;
    for (long parties = 1; parties <= senders; parties = after(parties, senders)) {
        double each = row("to one", &mail, all_to_one, parties, request, alone);
        alone = parties == 1 ? each : alone;
    }
    if (!(nx_capabilities() & NX_SENDS_AWAIT_DELIVERY))
        for (long parties = 2; parties <= numnodes(); parties = after(parties, numnodes()))
            row("to each other", &mail, all_to_each_other, parties, request, alone);
    else if (mynode() == 0)
        printf("to each other: not here, for each csend would wait for a node that also sends\n");
    close_mail(&mail);
}

int main(int count, char **arguments)
{
    struct request request;
    if (!parse(&request, count, arguments) || numnodes() < 2) {
        if (mynode() == 0)
            fputs(help, stderr);
        return 2;
    }
    if (mynode() == 0)
        table_printf("contend: %ld messages of each sender, ns a message of the slowest\n"
                     "%-20s %8s %8s %14s %9s\n",
                     request.messages, "", "parties", "bytes", "ns", "x alone");
    for (int i = 0; i < request.size_count; i++)
        measure_size(&request, request.sizes[i]);
    return 0;
}
