/* SPDX-License-Identifier: MIT */
/* What a lock costs when parties contend for it. 1, 2, 4 ... nodes at once send empty messages to the last
 * node, as fast as they can: its port fills, and whoever wants room in it takes the receiver's lock, as the
 * receiver does at every message. Then 2, 4 ... nodes do so to each other, and each reads what has come only
 * when it has sent everything. The times are those of the slowest sender, divided by its messages:
 * make run APP=contend NODES=5 DESIGN="exp6 exp6,synchronization=mcs" */
#include "../support/one_process.h"
#include "../support/own_table.h"

#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { its_type = 1, most_messages = 100000, most_samples = 100, warm_up = 1 };

static const char help[] = "contend: what a lock costs that several nodes want, on 2 nodes or more\n"
                           "  --messages N   of each sender in a sample, 1 to 100000 (default 1000)\n"
                           "  --samples N    1 to 100 (default 5)\n";

struct request {
    long messages;
    long samples;
};

/* Both return what this node has sent, in messages. */
typedef long pattern(long parties, long messages);

static int parse(struct request *request, int count, char **arguments)
{
    *request = (struct request){.messages = 1000, .samples = 5};
    for (int i = 1; i < count; i += 2) {
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

static void receive(long count)
{
    void *none = 0;
    while (count-- > 0)
        if (nx_hands_over())
            crecvp(its_type, &none, 0);
        else
            crecv(its_type, 0, 0);
}

/* The last node receives, and sends nothing. */
static long all_to_one(long senders, long messages)
{
    long receiver = numnodes() - 1;
    if (mynode() == receiver)
        receive(senders * messages);
    if (mynode() >= senders)
        return 0;
    for (long i = 0; i < messages; i++)
        csend(its_type, 0, 0, receiver, 0);
    return messages;
}

/* Each sends as often to every other. */
static long all_to_each_other(long parties, long messages)
{
    long rounds = (messages + parties - 2) / (parties - 1);
    if (mynode() >= parties)
        return 0;
    for (long i = 0; i < rounds; i++)
        for (long next = 1; next < parties; next++)
            csend(its_type, 0, 0, (mynode() + next) % parties, 0);
    receive(rounds * (parties - 1));
    return rounds * (parties - 1);
}

/* The slowest sender's time for a message, in ns; the same on every node. */
static double measure(pattern *run, long parties, long messages)
{
    gsync();
    unsigned long start = nx_cycles();
    long sent = run(parties, messages);
    double cycles = (double)(nx_cycles() - start);
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
static double row(const char *title, pattern *run, long parties, const struct request *request, double alone)
{
    double samples[most_samples];
    for (long i = -warm_up; i < request->samples; i++) {
        double each = measure(run, parties, request->messages);
        if (i >= 0)
            samples[i] = each;
    }
    qsort(samples, (size_t)request->samples, sizeof *samples, in_order);
    double median = samples[request->samples / 2];
    if (mynode() == 0) {
        char name[64];
        snprintf(name, sizeof name, "%s, %ld", title, parties);
        nx_report(name, 0, "none", "ns", samples, request->samples);
        table_printf("%-20s %8ld %14.1f %9.2f\n", title, parties, median,
                     median / (alone > 0 ? alone : median));
    }
    return median;
}

/* 1, 2, 4 ... and all of them. */
static long after(long parties, long all)
{
    return parties < all && 2 * parties > all ? all : 2 * parties;
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
        table_printf(
            "contend: %ld messages of each sender, ns a message of the slowest\n%-20s %8s %14s %9s\n",
            request.messages, "", "parties", "ns", "x alone");
    double alone = 0;
    long senders = numnodes() - 1;
    for (long parties = 1; parties <= senders; parties = after(parties, senders)) {
        double each = row("to one", all_to_one, parties, &request, alone);
        alone = parties == 1 ? each : alone;
    }
    if (nx_capabilities() & NX_SENDS_AWAIT_DELIVERY) {
        if (mynode() == 0)
            printf("to each other: not here, for each csend would wait for a node that also sends\n");
        return 0;
    }
    for (long parties = 2; parties <= numnodes(); parties = after(parties, numnodes()))
        row("to each other", all_to_each_other, parties, &request, alone);
    return 0;
}
