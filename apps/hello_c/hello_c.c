/* SPDX-License-Identifier: MIT */
/* An ordinary C program: every node greets node 0, which prints the greetings. */
#include <math.h>
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { type_greeting = 10, greeting_bytes = 64 };

static void greet(void)
{
    char *greeting = nx_alloc(greeting_bytes);
    if (!greeting)
        exit(1);
    snprintf(greeting, greeting_bytes, "square root of %ld is %.4f", mynode(), sqrt((double)mynode()));
    long id = isend(type_greeting + mynode(), greeting, (long)strlen(greeting) + 1, 0, 0);
    msgwait(id);
    nx_free(greeting);
}

int main(void)
{
    if (mynode() != 0) {
        greet();
        return 0;
    }
    printf("hello from node 0 of %ld\n", numnodes());
    void *greeting = 0;
    for (long node = 1; node < numnodes(); node++) {
        crecvp(type_greeting + node, &greeting, greeting_bytes);
        printf("node %ld says: %s\n", infonode(), (char *)greeting);
        if (nx_hands_over()) { /* each is a block of its own; elsewhere all come into the first */
            nx_free(greeting);
            greeting = 0;
        }
    }
    nx_free(greeting);
    return 0;
}
