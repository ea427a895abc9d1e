/* SPDX-License-Identifier: MIT */
/* One message, many messages, every size. Mostly node 0 sends and node 1 receives; the others look on. */
#include "selftest.h"

#include <stdlib.h>
#include <string.h>

enum { type_plain = 7 };

static void arrives(void)
{
    if (mynode() == 0)
        csend(type_plain, counted(100, 5), 400, 1, 0);
    if (mynode() != 1)
        return;
    CHECK(counts(take(type_plain, 400), 100, 5));
    CHECK(infotype() == type_plain);
    CHECK(infocount() == 400);
    CHECK(infonode() == 0);
    CHECK(infopid() == 0);
}

static void keeps_order(void)
{
    enum { messages = 100 };
    for (int i = 0; i < messages && mynode() == 0; i++)
        csend(type_plain, counted(3, i), 12, 1, 0);
    for (int i = 0; i < messages && mynode() == 1; i++)
        CHECK(counts(take(type_plain, 12), 3, i));
}

static void zero_length(void)
{
    if (mynode() == 0)
        csend(type_plain, 0, 0, 1, 0);
    if (mynode() != 1)
        return;
    void *block = 0;
    crecvp(type_plain, &block, 0);
    CHECK(infocount() == 0);
}

static void every_size(void)
{
    static const long sizes[] = {1,   3,   4,    7,    8,    9,     63,     64,     65,
                                 100, 128, 4095, 4096, 4097, 65536, 100001, 1 << 20};
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        long bytes = sizes[i];
        if (mynode() == 0) {
            char *block = fresh(bytes);
            for (long place = 0; place < bytes; place++)
                block[place] = (char)(place * 7 + bytes);
            csend(type_plain, block, bytes, 1, 0);
        }
        if (mynode() == 1) {
            const char *block = take(type_plain, bytes);
            long wrong = infocount() != bytes;
            for (long place = 0; place < bytes; place++)
                wrong += block[place] != (char)(place * 7 + bytes);
            CHECK(wrong == 0);
        }
    }
}

static void shorter_than_buffer(void)
{
    if (mynode() == 0)
        csend(type_plain, counted(2, 9), 8, 1, 0);
    if (mynode() != 1)
        return;
    int *buffer = counted(4, 100);
    crecv(type_plain, buffer, 16);
    CHECK(infocount() == 8);
    CHECK(counts(buffer, 2, 9));
    CHECK(counts(buffer + 2, 2, 102));
}

/* What the program does to its buffer afterwards is no business of the message's. */
static void buffer_is_free_again(void)
{
    enum { words = 5000 };
    int *buffer = counted(words, 0);
    for (int i = 0; i < 6 && mynode() == 0; i++) {
        for (int word = 0; word < words; word++)
            buffer[word] = i + word;
        if (i % 2)
            msgwait(isend(type_plain, buffer, words * 4, 1, 0));
        else
            csend(type_plain, buffer, words * 4, 1, 0);
    }
    for (int i = 0; i < 6 && mynode() == 1; i++)
        CHECK(counts(take(type_plain, words * 4), words, i));
}

static void to_oneself(void)
{
    post(type_plain, 10, 3, mynode());
    CHECK(counts(take(type_plain, 40), 10, 3));
    CHECK(infonode() == mynode());
}

static void to_all(void)
{
    if (mynode() == 0)
        csend(type_plain, counted(50, 1), 200, -1, 0);
    else
        CHECK(counts(take(type_plain, 200), 50, 1));
    gsync();
    CHECK(iprobe(-1) == 0);
}

static void exchange_at_once(void)
{
    enum { words = 1 << 14 };
    if (mynode() > 1)
        return;
    csend(type_plain, counted(words, (int)mynode()), words * 4, 1 - mynode(), 0);
    CHECK(counts(take(type_plain, words * 4), words, 1 - (int)mynode()));
}

static void many_to_one(void)
{
    enum { messages = 20 };
    int *next = fresh((long)sizeof(int) * numnodes());
    for (long node = 0; node < numnodes(); node++)
        next[node] = 0;
    for (int i = 0; i < messages && mynode() != 0; i++)
        csend(type_plain, counted(1, i), 4, 0, 0);
    for (long i = 0; i < messages * (numnodes() - 1) && mynode() == 0; i++) {
        const int *number = take(type_plain, 4);
        CHECK(*number == next[infonode()]++);
    }
}

static void many_unreceived(void)
{
    enum { messages = 500 };
    for (int i = 0; i < messages && mynode() == 0; i++)
        csend(type_plain, counted(1, i), 4, 1, 0);
    if (mynode() == 0)
        csend(type_plain + 1, 0, 0, 1, 0);
    if (mynode() != 1)
        return;
    take(type_plain + 1, 0);
    for (int i = 0; i < messages; i++)
        CHECK(counts(take(type_plain, 4), 1, i));
}

static void hands_over(void)
{
    if (mynode() == 0) {
        int *block = counted(10, 1);
        csend(type_plain, block, 40, 1, 0);
        CHECK(_csend(type_plain, block, 40, 1, 0) == -1 && errno == EQPBUF);
        csend(type_plain, &(void *){0}, 0, 1, 0);
    }
    if (mynode() == 1) {
        CHECK(counts(take(type_plain, 40), 10, 1));
        take(type_plain, 0);
        CHECK(infocount() == 0);
    }
}

static const struct test tests[] = {
    {"a message arrives with its bytes, length, type and sender", arrives, need_nothing},
    {"messages of one sender arrive in the order of sending", keeps_order, need_nothing},
    {"a message may have no bytes", zero_length, need_nothing},
    {"messages of every size arrive whole", every_size, need_nothing},
    {"bytes behind a shorter message stay as they were", shorter_than_buffer, need_copies},
    {"a buffer may be used again after csend, and after msgwait", buffer_is_free_again, need_own_buffers},
    {"a node may send to itself", to_oneself, need_nothing},
    {"a message to -1 reaches every node but the sender", to_all, need_nothing},
    {"two nodes may both send first", exchange_at_once, need_buffering},
    {"every sender's messages stay in order among those of others", many_to_one, need_nothing},
    {"a full port never hides a matching message", many_unreceived, need_buffering},
    {"a block that was sent belongs to its receiver", hands_over, need_handing_over},
};

const struct test_list pair_tests = {tests, sizeof tests / sizeof tests[0]};
