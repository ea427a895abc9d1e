/* SPDX-License-Identifier: MIT */
/* How many instructions a message takes, under any design. Runs instruction-counted, where the time-stamp
 * counter moves by one with every instruction of any processor. One node sends to itself and receives: csend
 * and crecv apart, without anybody to wait for. Two nodes, each on a processor of its own, send one message
 * to and fro: a csend that waits for its delivery, a crecv that waits for its message, and what the waiting
 * takes, of both together. */
#include <nx.h>
#include <stdio.h>

enum { warm_up = 8, rounds = 64, type = 1 };

static const long sizes[] = {0, 100, 1000};
static void *block; /* what this node sends next */
static double sends[rounds], receives[rounds];

static unsigned long reading_cost(void)
{
    unsigned long least = ~0ul;
    for (int i = 0; i < rounds; i++) {
        unsigned long start = nx_cycles(), cost = nx_cycles() - start;
        least = cost < least ? cost : least;
    }
    return least;
}

static void send(long bytes, long node)
{
    csend(type, block, bytes, node, 0);
}

/* Where blocks change owner, the message that comes is the next to go. */
static inline void receive(long bytes, void *buffer, long blocks_change_owner)
{
    if (!blocks_change_owner) {
        crecv(type, buffer, bytes);
        return;
    }
    void *given = 0;
    crecvp(type, &given, bytes);
    if (bytes) /* a message without bytes brings no block */
        block = given;
}

/* Which receive it is, the compiler knows in each of the two copies: a branch would be counted. */
[[gnu::always_inline]] static inline void count_apart(long bytes, void *buffer, long blocks_change_owner)
{
    unsigned long reading = reading_cost();
    for (int i = -warm_up; i < rounds; i++) {
        unsigned long start = nx_cycles();
        send(bytes, 0);
        unsigned long middle = nx_cycles();
        receive(bytes, buffer, blocks_change_owner);
        unsigned long end = nx_cycles();
        if (i >= 0) {
            sends[i] = (double)(middle - start - reading);
            receives[i] = (double)(end - middle - reading);
        }
    }
}

static void count_to_itself(long bytes, void *buffer)
{
    if (nx_hands_over())
        count_apart(bytes, buffer, 1);
    else
        count_apart(bytes, buffer, 0);
    nx_report("csend", bytes, "", "instructions", sends, rounds);
    nx_report("crecv", bytes, "", "instructions", receives, rounds);
}

static void count_to_and_fro(long bytes, void *buffer)
{
    unsigned long reading = reading_cost();
    for (int i = -warm_up; i < rounds; i++) {
        unsigned long start = nx_cycles();
        send(bytes, 1);
        receive(bytes, buffer, nx_hands_over());
        if (i >= 0)
            sends[i] = (double)(nx_cycles() - start - reading);
    }
    nx_report("to and fro", bytes, "", "instructions", sends, rounds);
}

static void answer(long bytes, void *buffer)
{
    for (int i = -warm_up; i < rounds; i++) {
        receive(bytes, buffer, nx_hands_over());
        send(bytes, 0);
    }
}

int main(void)
{
    void (*run)(long, void *) = numnodes() == 1 ? count_to_itself : mynode() == 0 ? count_to_and_fro : answer;
    void *buffer = nx_alloc(sizes[2]);
    block = nx_alloc(sizes[2]);
    if (!buffer || !block) {
        fprintf(stderr, "counts: no memory for the messages\n");
        return 1;
    }
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        run(sizes[i], buffer);
    return 0;
}
