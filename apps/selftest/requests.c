/* SPDX-License-Identifier: MIT */
/* isend, irecv and what ends them. */
#include "selftest.h"

enum { type_request = 40 };

static void posted_in_order(void)
{
    enum { messages = 20 };
    if (mynode() == 1) {
        long ids[messages];
        int *buffers = fresh(messages * 4);
        for (int i = 0; i < messages; i++)
            ids[i] = irecv(type_request, buffers + i, 4);
        gsync();
        for (int i = messages - 1; i >= 0; i--)
            msgwait(ids[i]);
        CHECK(counts(buffers, messages, 0));
        return;
    }
    gsync();
    for (int i = 0; i < messages && mynode() == 0; i++)
        csend(type_request, counted(1, i), 4, 1, 0);
}

static void posted_before_blocking(void)
{
    if (mynode() == 1) {
        int *buffers = fresh(8);
        long id = irecv(-1, buffers, 4);
        gsync();
        crecv(-1, buffers + 1, 4);
        msgwait(id);
        CHECK(counts(buffers, 2, 0));
        return;
    }
    gsync();
    for (int i = 0; i < 2 && mynode() == 0; i++)
        csend(type_request, counted(1, i), 4, 1, 0);
}

static void done_then_wait(void)
{
    if (mynode() == 1) {
        long id = irecv(type_request, fresh(4), 4);
        CHECK(msgdone(id) == 0);
        gsync();
        while (!msgdone(id))
            flick();
        CHECK(infocount() == 4 && infonode() == 0);
        msgwait(id);
        return;
    }
    gsync();
    if (mynode() == 0)
        post(type_request, 1, 0, 1);
}

static void thousand_ids(void)
{
    enum { messages = 1000 };
    if (mynode() == 1) {
        static long ids[messages];
        int *buffers = fresh(messages * 4);
        for (int i = 0; i < messages; i++)
            ids[i] = irecv(type_request + i, buffers + i, 4);
        gsync();
        for (int i = 0; i < messages; i++)
            msgwait(ids[i]);
        CHECK(counts(buffers, messages, 0));
        return;
    }
    gsync();
    for (int i = 0; i < messages && mynode() == 0; i++)
        csend(type_request + i, counted(1, i), 4, 1, 0);
}

static void cancelled(void)
{
    if (mynode() == 1) {
        int *buffer = counted(1, 99);
        msgcancel(irecv(type_request, buffer, 4));
        gsync();
        CHECK(counts(take(type_request, 4), 1, 5));
        CHECK(*buffer == 99);
        return;
    }
    gsync();
    if (mynode() == 0)
        post(type_request, 1, 5, 1);
}

static void probe_skips_posted(void)
{
    if (mynode() == 1) {
        long id = irecv(type_request, fresh(4), 4);
        gsync();
        while (!msgdone(id))
            CHECK(iprobe(type_request) == 0);
        return;
    }
    gsync();
    if (mynode() == 0)
        post(type_request, 1, 5, 1);
}

static void exchanging(void)
{
    if (mynode() > 1)
        return;
    int *mine = counted(8, (int)mynode()), *reply = fresh(64);
    CHECK(csendrecv(type_request, mine, 32, 1 - mynode(), 0, type_request, reply, 64) == 32);
    CHECK(counts(reply, 8, 1 - (int)mynode()));
    int *second = fresh(64);
    msgwait(isendrecv(type_request, mine, 32, 1 - mynode(), 0, type_request, second, 64));
    CHECK(counts(second, 8, 1 - (int)mynode()));
    CHECK(infocount() == 32);
}

static void info_on_completion(void)
{
    if (mynode() == 0)
        post(type_request, 2, 1, 1);
    if (mynode() != 1)
        return;
    long info[8] = {-7, -7, -7, -7};
    long id = irecvx(type_request, fresh(8), 8, 0, -1, info);
    msgwait(id);
    CHECK(info[0] == type_request && info[1] == 8 && info[2] == 0 && info[3] == 0);
}

static void sends_complete(void)
{
    if (mynode() == 0) {
        long id = isend(type_request, counted(4, 2), 16, 1, 0);
        while (!msgdone(id))
            flick();
    }
    if (mynode() == 1)
        CHECK(counts(take(type_request, 16), 4, 2));
}

static const struct test tests[] = {
    {"posted receives with equal selectors are filled in the order of posting", posted_in_order, need_copies},
    {"a posted receive comes before a later crecv", posted_before_blocking, need_copies},
    {"msgwait on an id that msgdone has just ended returns quietly", done_then_wait, need_copies},
    {"a thousand receives may be under way", thousand_ids, need_copies},
    {"a cancelled receive takes no message", cancelled, need_copies},
    {"a probe does not see what a posted receive takes", probe_skips_posted, need_copies},
    {"two nodes may exchange with csendrecv and isendrecv", exchanging, need_copies},
    {"irecvx fills its info array when the message has come", info_on_completion, need_copies},
    {"isend ends when its message is on its way", sends_complete, need_nothing},
};

const struct test_list request_tests = {tests, sizeof tests / sizeof tests[0]};
