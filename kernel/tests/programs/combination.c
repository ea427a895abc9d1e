/* SPDX-License-Identifier: MIT */
/* A little of everything that every design and every kind of semaphores has: messages of several lengths
 * both ways, to all and to oneself, global operations, P and V, events. Two nodes, on each a process or more;
 * those of pid 0 talk to each other, and so on. Status 0: all of it was right. */
#include <nx.h>
#include <nx_semaphores.h>
#include <stdio.h>

enum { rounds = 3, longest = 5000, others = 100 };

static long wrongs;

static void expect(int holds, const char *what)
{
    if (holds)
        return;
    printf("node %ld, pid %ld: %s\n", mynode(), mypid(), what);
    wrongs++;
}

static char letter(long type, long length)
{
    return (char)('a' + (type * 7 + length) % 26);
}

static char *filled(long type, long length)
{
    char *block = nx_alloc(length ? length : 1);
    for (long i = 0; i < length; i++)
        block[i] = letter(type, length);
    return block;
}

/* A block that is lent, or is its receiver's, is left to the end of the program. */
static void let_go(char *block)
{
    if (!(nx_capabilities() & (NX_BUFFERS_ARE_LENT | NX_BLOCKS_CHANGE_OWNER)))
        nx_free(block);
}

static void send(long type, long length, long node)
{
    char *block = filled(type, length);
    csend(type, block, length, node, mypid());
    let_go(block);
}

static void receive(long type, long length)
{
    void *block = 0;
    crecvp(type, &block, longest);
    const char *bytes = block;
    expect(infocount() == length, "the length is another");
    for (long i = 0; i < length; i++)
        if (bytes[i] != letter(type, length)) {
            expect(0, "the bytes are others");
            break;
        }
    if (block)
        nx_free(block);
}

static void exchange(long round)
{
    static const long lengths[] = {0, 20, 100, 1000, longest};
    for (long i = 0; i < 5; i++) {
        if (mynode() == 0)
            send(round, lengths[i], 1), receive(round, lengths[i]);
        else
            receive(round, lengths[i]), send(round, lengths[i], 0);
    }
}

static void to_oneself(void)
{
    char *block = filled(others, 300);
    msgwait(isend(others, block, 300, mynode(), mypid()));
    receive(others, 300);
    let_go(block);
}

static void to_all(void)
{
    if (mynode() == 0)
        send(others + 1, 40, -1);
    else
        receive(others + 1, 40);
}

/* One of the two processes of a pid waits for the other, and both keep others out. */
static void semaphores(void)
{
    const long told = nx_semaphore(10 + mypid(), 0), mutex = nx_semaphore(1, 1);
    if (mynode() == 0)
        V(told);
    else
        P(told);
    P(mutex);
    nx_event(1, mynode());
    V(mutex);
}

int main(void)
{
    for (long round = 0; round < rounds; round++) {
        exchange(round);
        semaphores();
        long sum = mynode() + 1, work;
        gisum(&sum, 1, &work);
        expect(sum == 3, "the sum is another");
    }
    to_oneself();
    to_all();
    gsync();
    return wrongs != 0;
}
