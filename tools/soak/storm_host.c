/* SPDX-License-Identifier: MIT */
/* Programs are loaded, talk, and are ended in the middle of it, again and again: storm_host SEED ROUNDS.
 * After each kill those that live must answer, and before anybody takes the places of the dead; but where
 * what waits for the dead is kept, who waits for its delivery waits for the next program there. */
#include <nx.h>
#include <stdlib.h>

#include "storm.h"

static long messages;

static void start(long node, long nodes)
{
    load("storm_node", node, 0);
    for (long i = node == -1 ? 0 : node; i < (node == -1 ? nodes : node + 1); i++) {
        long *seed = nx_alloc(sizeof *seed); /* the message's, or used for nothing else */
        *seed = (long)below(1UL << 30);
        msgignore(isend(seed_type, seed, sizeof *seed, i, 0));
    }
}

/* The next message. Nodes that wait for the delivery of theirs are not left waiting. */
static long receive(void)
{
    void *nothing = 0;
    crecvp(-1, &nothing, 0);
    if (infotype() == note_type)
        messages += messages_a_note;
    return infotype();
}

static void listen_for(unsigned long notes)
{
    while (notes > 0)
        notes -= receive() == note_type;
}

/* All but one answer, or nobody has been left alive (-1). */
static void hear_all_but(long dead, long nodes)
{
    long answers = 0;
    for (long i = 0; i < nodes && dead != -1; i++)
        if (i != dead) {
            msgignore(isend(ping_type, 0, 0, i, 0));
            answers++;
        }
    while (answers > 0)
        answers -= receive() == pong_type;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    state = strtoul(argv[1], 0, 0) * 2654435761u + 1;
    const long rounds = atol(argv[2]), nodes = numnodes();
    double killed = 0;
    setpid(0);
    start(-1, nodes);
    for (long round = 0; round < rounds; ++round) {
        listen_for(below(12));
        const long node = below(6) == 0 ? -1 : (long)below((unsigned long)nodes);
        const int keeps = below(2) != 0;
        if (keeps)
            killproc(node, 0);
        else
            killcube(node, below(2) ? -1 : 0);
        killed += node == -1 ? (double)nodes : 1;
        if (keeps)
            start(node, nodes);
        hear_all_but(node, nodes);
        if (below(2) != 0)
            flushmsg(-1, -1, -1);
        if (!keeps)
            start(node, nodes);
    }
    killcube(-1, -1);
    killed += (double)nodes;
    nx_report("kills", 0, "none", "kills", &killed, 1);
    nx_report("messages", 0, "none", "messages", &(double){(double)messages}, 1);
    return 0;
}
