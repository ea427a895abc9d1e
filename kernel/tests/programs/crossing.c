/* SPDX-License-Identifier: MIT */
/* Every node sends every other node numbered messages of many lengths, and receives theirs: none may be lost,
 * come twice, overtake another of its sender, or have other bytes. crossing MESSAGES (of each pair) */
#include <nx.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { longest = 20000, control = 1000000 };

static unsigned char out[longest], in[longest];

/* Mostly short ones, some of several pages. */
static long length_of(long from, long to, long number)
{
    const unsigned long mixed = (unsigned long)(from * 7919 + to * 104729 + number * 31) * 2654435761u >> 7;
    return number % 64 == 63 ? (long)(mixed % longest) : (long)(mixed % 300);
}

static unsigned char byte_of(long from, long number, long at)
{
    return (unsigned char)(from * 31 + number + at);
}

static void fail(const char *what, long from, long number)
{
    printf("crossing: node %ld, from node %ld, message %ld: %s\n", mynode(), from, number, what);
    exit(1);
}

static void check(long from, long number)
{
    const long length = length_of(from, mynode(), number);
    if (infocount() != length)
        fail("is another message", from, number);
    for (long at = 0; at < length; at += at < 64 ? 1 : 97)
        if (in[at] != byte_of(from, number, at))
            fail("has other bytes", from, number);
}

int main(int count, char **words)
{
    const long messages = count > 1 ? atol(words[1]) : 100;
    const long nodes = numnodes();
    long received[64] = {0};
    for (long number = 0; number < messages; ++number) {
        for (long to = 0; to < nodes; ++to) {
            if (to == mynode())
                continue;
            const long length = length_of(mynode(), to, number);
            for (long at = 0; at < length; ++at)
                out[at] = byte_of(mynode(), number, at);
            csend(1, (char *)out, length, to, 0);
        }
        for (long some = 1; some < nodes; ++some) {
            crecv(1, (char *)in, longest);
            check(infonode(), received[infonode()]++);
        }
    }
    gsync();
    if (iprobe(-1))
        fail("came though all had", infonode(), messages);
    long sum = messages, work = 0;
    gisum(&sum, 1, &work);
    if (mynode() == 0)
        printf("crossing: %ld messages crossed\n", sum * (nodes - 1));
    return 0;
}
