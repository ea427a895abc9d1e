/* SPDX-License-Identifier: MIT */
/* Which of several waiting messages a receive or a probe takes. */
#include "selftest.h"

enum { type_first = 1, type_second = 2, type_third = 3, type_large = 500, type_force = 0x40000000 };

static void by_type(void)
{
    if (mynode() == 0) {
        post(type_first, 1, 10, 1);
        post(type_second, 1, 20, 1);
    }
    if (mynode() == 1) {
        CHECK(counts(take(type_second, 4), 1, 20));
        CHECK(counts(take(type_first, 4), 1, 10));
    }
}

static void any_type(void)
{
    if (mynode() == 0) {
        post(type_third, 1, 30, 1);
        post(type_first, 1, 10, 1);
    }
    if (mynode() == 1) {
        CHECK(counts(take(-1, 4), 1, 30));
        CHECK(infotype() == type_third);
        CHECK(counts(take(-1, 4), 1, 10));
    }
}

static void by_mask(void)
{
    if (mynode() == 0) {
        post(type_third, 1, 30, 1);
        post(type_large, 1, 50, 1);
        post(type_second, 1, 20, 1);
        post(type_first, 1, 10, 1);
    }
    if (mynode() == 1) {
        CHECK(counts(take(0x80000006, 4), 1, 20)); /* the types 1 and 2, in a long that is not negative */
        CHECK(counts(take((int)0x80000006, 4), 1, 10));
        CHECK(counts(take((int)0xc0000000, 4), 1, 50)); /* every type from 30 on */
        CHECK(counts(take(0x80000008, 4), 1, 30));
    }
}

static void force_type(void)
{
    if (mynode() == 1) {
        void *buffer = fresh(4);
        long id = nx_hands_over() ? 0 : irecv(type_force + 5, buffer, 4);
        gsync();
        if (id)
            msgwait(id);
        else
            buffer = take(type_force + 5, 4);
        CHECK(counts(buffer, 1, 77));
        CHECK(infotype() == type_force + 5);
        return;
    }
    gsync();
    if (mynode() == 0)
        post(type_force + 5, 1, 77, 1);
}

static void low_half_counts(void)
{
    if (mynode() == 0) {
        int *block = counted(1, 8);
        csend(0x500000000 + type_first, block, 4, 0x900000001, 0x100000000);
    }
    if (mynode() == 1)
        CHECK(counts(take(0x300000000 + type_first, 4), 1, 8));
}

static void probing(void)
{
    if (mynode() == 1) {
        CHECK(iprobe(type_first) == 0);
        gsync();
        cprobe(type_first);
        CHECK(infocount() == 12 && infonode() == 0 && infotype() == type_first);
        CHECK(iprobe(type_first) == 1);
        CHECK(iprobe(-1) == 1);
        CHECK(iprobe(type_second) == 0);
        CHECK(counts(take(type_first, infocount()), 3, 1));
        CHECK(iprobe(-1) == 0);
        return;
    }
    gsync();
    if (mynode() == 0)
        post(type_first, 3, 1, 1);
}

static void by_sender(void)
{
    long info[8];
    if (mynode() == 0) {
        int *buffer = fresh(4);
        cprobex(type_first, 1, -1, info);
        CHECK(info[2] == 1);
        crecvx(type_first, buffer, 4, 2, -1, info);
        CHECK(counts(buffer, 1, 2));
        CHECK(info[0] == type_first && info[1] == 4 && info[2] == 2 && info[3] == 0);
        CHECK(iprobex(type_first, 2, -1, info) == 0);
        crecvx(type_first, buffer, 4, 1, 0, msginfo);
        CHECK(counts(buffer, 1, 1));
        CHECK(infonode() == 1);
    } else if (mynode() <= 2) {
        post(type_first, 1, (int)mynode(), 0);
    }
}

static void library_is_apart(void)
{
    if (mynode() == 0)
        CHECK(iprobe(-1) == 0);
    gsync();
    CHECK(iprobe(-1) == 0);
    gsync();
}

static const struct test tests[] = {
    {"a receive takes the type it names and leaves earlier ones", by_type, need_nothing},
    {"selector -1 takes the first message of any type", any_type, need_nothing},
    {"a selector with the sign bit is a mask of types", by_mask, need_nothing},
    {"a force-type message reaches the receive that names it", force_type, need_nothing},
    {"only the low 32 bits of types, nodes and pids count", low_half_counts, need_nothing},
    {"a probe finds a message and leaves it", probing, need_nothing},
    {"crecvx and cprobex choose the sender", by_sender, need_copies | need_three_nodes},
    {"the library's own messages are invisible to selector -1", library_is_apart, need_nothing},
};

const struct test_list selection_tests = {tests, sizeof tests / sizeof tests[0]};
