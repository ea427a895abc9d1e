/* SPDX-License-Identifier: MIT */
/* What a message of the rootfinder's costs under a design, in instructions: one processor, and counted. One
 * node sends to itself and receives, which waits for nobody; two by turns, where who waits leaves its
 * processor: each sends to the other and waits, so that a round is two messages and all that lies between
 * them. */
#include "apps/support/traffic.h"

#include <nx.h>
#include <stdio.h>

enum { warm_up = 8, rounds = 200, type = 1, bytes = 112 }; /* a notice, as in by_messages.c */

static double sends[rounds], receives[rounds];
static void *block;

static void count_alone(void)
{
    const double reading = (double)traffic_reading_cost();
    for (int i = -warm_up; i < rounds; i++) {
        const unsigned long start = nx_cycles();
        csend(type, block, bytes, 0, 0);
        const unsigned long middle = nx_cycles();
        crecvp(type, &block, bytes);
        const unsigned long end = nx_cycles();
        if (i >= 0) {
            sends[i] = (double)(middle - start) - reading;
            receives[i] = (double)(end - middle) - reading;
        }
    }
    nx_report("csend alone", 0, "", "instructions", sends, rounds);
    nx_report("crecv alone", 0, "", "instructions", receives, rounds);
}

static void count_turns(void)
{
    const double reading = (double)traffic_reading_cost();
    for (int i = -warm_up; i < rounds; i++) {
        const unsigned long start = nx_cycles();
        csend(type, block, bytes, 1, 0);
        const unsigned long middle = nx_cycles();
        crecvp(type, &block, bytes);
        if (i >= 0) {
            sends[i] = (double)(middle - start) - reading;
            receives[i] = (double)(nx_cycles() - start) - reading;
        }
    }
    nx_report("csend that wakes", 0, "", "instructions", sends, rounds);
    nx_report("round", 0, "", "instructions", receives, rounds);
}

int main(void)
{
    const double awaits = (nx_capabilities() & NX_SENDS_AWAIT_DELIVERY) != 0;
    block = nx_alloc(bytes);
    if (!block) {
        nx_perror("message_costs: nx_alloc");
        return 1;
    }
    if (mynode() != 0) {
        for (int i = -warm_up; i < rounds; i++) {
            crecvp(type, &block, bytes);
            csend(type, block, bytes, 0, 0);
        }
        return 0;
    }
    nx_report("awaits delivery", 0, "", "", &awaits, 1);
    if (numnodes() == 1)
        count_alone();
    else
        count_turns();
    return 0;
}
