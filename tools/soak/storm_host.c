/* SPDX-License-Identifier: MIT */
/* Programs are loaded, talk, and are ended in the middle of it, again and again: storm_host SEED ROUNDS. */
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long state;
static unsigned long below(unsigned long end)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % end;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    state = strtoul(argv[1], 0, 0) * 2654435761u + 1;
    const long rounds = atol(argv[2]), nodes = numnodes();
    double killed = 0;
    setpid(0);
    load("storm_node", -1, 0);
    for (long round = 0; round < rounds; ++round) {
        const unsigned long seed = below(1UL << 30);
        csend(1, &seed, sizeof seed, -1, 0);
        for (unsigned long i = below(40); i > 0; --i) { /* some have talked for a while by then */
            char note[64];
            crecv(2, note, sizeof note);
        }
        const long node = below(4) == 0 ? -1 : (long)below((unsigned long)nodes);
        killcube(node, below(2) ? -1 : 0);
        killed += node == -1 ? (double)nodes : 1;
        if (below(2) != 0)
            flushmsg(-1, -1, -1);
        load("storm_node", node, 0);
    }
    killcube(-1, -1);
    killed += (double)nodes;
    nx_report("kills", 0, "none", "kills", &killed, 1);
    return 0;
}
