/* SPDX-License-Identifier: MIT
 * Parallel loops and messages in one program: each node's threads add up what node 0 gathers. */
#include <nx.h>
#include <stdio.h>

int main(void)
{
    const long nodes = numnodes();
    long sum = 0;
#pragma omp parallel for schedule(dynamic, 3) reduction(+ : sum)
    for (int i = 0; i < 1000; i++)
        sum += i * (mynode() + 1);
    if (mynode() != 0) {
        csend(1, &sum, sizeof sum, 0, 0);
        return 0;
    }
    for (long others = 1; others < nodes; others++) {
        long theirs = 0;
        crecv(1, &theirs, sizeof theirs);
        sum += theirs;
    }
    printf("%ld nodes have %ld\n", nodes, sum);
    return 0;
}
