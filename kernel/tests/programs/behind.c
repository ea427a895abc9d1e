/* SPDX-License-Identifier: MIT */
/* The first half of the nodes lives on machine 0, the second half on machine 1. Jobs that follow each other:
 * behind write: all is well, and machine 1 has a file to send before its next job. behind fail: the link to
 * machine 1 is full, then the job fails on machine 0 */
#include <nx.h>

#include <stdio.h>
#include <string.h>

enum { messages = 6, block_bytes = 65536, blocks = 32, milliseconds = 300 };

static char block[block_bytes];

static void write_much(void)
{
    FILE *file = fopen("much", "w");
    for (int written = 0; written < blocks; ++written)
        fwrite(block, 1, sizeof block, file);
    fclose(file);
}

int main(int argc, char **argv)
{
    char byte = 0;
    const long half = numnodes() / 2, me = mynode();
    const int fails = argc > 1 && strcmp(argv[1], "fail") == 0;
    if (me >= half) {
        for (int received = 0; received < messages; ++received)
            crecv(1, &byte, sizeof byte);
        if (fails)
            crecv(2, &byte, sizeof byte);
        if (me == half)
            write_much();
        return 0;
    }
    for (int sent = 0; sent < messages; ++sent)
        csend(1, &byte, sizeof byte, half + me, 0);
    const unsigned long begin = mclock();
    if (fails && me == 0) {
        while (mclock() - begin < milliseconds) { }
        *(volatile int *)0 = 1;
    }
    if (fails)
        crecv(2, &byte, sizeof byte);
    if (me == 0)
        puts("behind: all is well");
    return 0;
}
