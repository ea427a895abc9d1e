/* SPDX-License-Identifier: MIT */
/* one_message BYTES...: node 0 sends messages of each length to node 1, and node 1 receives each
 * when it has come. When that is, it learns from a word of shared memory. */
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>

enum { messages = 16, its_type = 1, first_type = 2, pauses = 20000, longest = 65536 };

static void *block; /* what this node sends next, or receives into */
static long blocks_change_owner;
static volatile long *sending;

/* In the log of executed instructions a call ends here. */
[[gnu::noinline]] static void returned(void)
{
    __asm__ volatile("");
}

/* Where blocks change owner, the block that comes takes the place of the other. */
static void take_message(long type, long bytes)
{
    if (!blocks_change_owner) {
        crecv(type, block, bytes);
        returned();
        return;
    }
    void *given = 0;
    crecvp(type, &given, bytes);
    returned();
    if (bytes) /* a message without bytes brings no block */
        block = given;
}

static void send_some(long bytes)
{
    for (long i = 1; i <= messages; i++) {
        if (blocks_change_owner)
            block = nx_alloc(longest);
        *sending = i;
        csend(its_type, block, bytes, 1, 0);
        returned();
        while (*sending == i)
            __builtin_ia32_pause();
    }
}

static void receive_some(long bytes)
{
    for (long i = 1; i <= messages; i++) {
        while (*sending != i)
            __builtin_ia32_pause();
        for (int left = pauses; left > 0; left--)
            __builtin_ia32_pause();
        take_message(its_type, bytes);
        *sending = -i;
    }
}

/* The first message tells node 1 where the word is. */
static void agree_on_the_word(void)
{
    if (mynode() == 0) {
        sending = nx_alloc(sizeof *sending);
        *sending = 0;
        *(volatile long **)block = sending;
        csend(first_type, block, sizeof sending, 1, 0);
        returned();
    } else {
        take_message(first_type, sizeof sending);
        sending = *(volatile long **)block;
    }
}

int main(int count, char **arguments)
{
    block = nx_alloc(longest);
    if (!block) {
        fprintf(stderr, "one_message: no memory for the messages\n");
        return 1;
    }
    blocks_change_owner = nx_hands_over();
    agree_on_the_word();
    for (int i = 1; i < count; i++) {
        if (mynode() == 0)
            send_some(atol(arguments[i]));
        else
            receive_some(atol(arguments[i]));
    }
    return 0;
}
