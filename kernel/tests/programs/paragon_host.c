/* SPDX-License-Identifier: MIT */
/* A Paragon program's launch with nx_load, in place of a host's calls. */
#include <errno.h>
#include <nx.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    long pids[64], failures = 0;
    static char long_word[1024];
    char *words[] = {"leaving_node", memset(long_word, 'x', sizeof long_word - 1), 0};
    long nodes = nx_initve(0, -1, "", &argc, argv);
    failures += nodes != numnodes();
    failures += nx_nfork(0, -1, 0, pids) != -1; /* a host cannot be in two places */
    failures += nx_loadve(0, -1, 0, pids, "leaving_node", words, 0) != -1 || errno != EQPARAM;
    failures += nx_load(((long[]){0, nodes}), 2, 0, pids, "no such program") != -1 || errno != EQBADFIL;
    words[1] = 0;
    failures += nx_loadve(0, -1, 0, pids, "leaving_node", words, 0) != nodes;
    failures += pids[0] == pids[1];
    failures += nx_waitall() != 0;
    /* Where nx.h says long; and node 1, which is loaded first, sends to node 0 at once. */
    int list[2] = {1, 0}, ids[3] = {0, 0, 77};
    failures += nx_load(list, 2, 0, ids, "leaving_node") != nodes;
    failures += ids[0] != 2 || ids[1] != 1 || ids[2] != 77;
    failures += nx_waitall() != 0;
    printf("paragon: %ld failures\n", failures);
    return failures != 0;
}
