/* SPDX-License-Identifier: MIT */
/* One collective operation, the one that is named: its trace shows how many messages follow from each
 * other. */
#include <nx.h>
#include <stdio.h>
#include <string.h>

enum { words = 4, most_nodes = 64 };

static long combine(void *into, void *from)
{
    *(long *)into += *(long *)from;
    return 0;
}

int main(int argc, char **argv)
{
    double numbers[words] = {1, 2, 3, 4}, work[words];
    long sum[1] = {1}, spare[1], lengths[most_nodes], parts[most_nodes], count;
    const char *name = argc == 2 ? argv[1] : "";
    for (int node = 0; node < most_nodes; node++)
        lengths[node] = sizeof *parts;
    if (!strcmp(name, "gsync"))
        gsync();
    else if (!strcmp(name, "gdsum"))
        gdsum(numbers, words, work);
    else if (!strcmp(name, "gdhigh"))
        gdhigh(numbers, words, work);
    else if (!strcmp(name, "gopf"))
        gopf((char *)sum, sizeof sum, (char *)spare, combine);
    else if (!strcmp(name, "gcol"))
        gcol(sum, sizeof *sum, parts, sizeof parts, &count);
    else if (!strcmp(name, "gcolx"))
        gcolx(sum, lengths, parts);
    else {
        fprintf(stderr, "collective: name one of gsync gdsum gdhigh gopf gcol gcolx\n");
        return 2;
    }
    return 0;
}
