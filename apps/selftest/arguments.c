/* SPDX-License-Identifier: MIT */
/* What arguments may be: types, selectors, lengths, and what old programs leave in the upper halves. */
#include "selftest.h"

enum { type_any = 70, mask_of_types = (int)0x80000000 };

/* An int as K&R code passes it: the upper half of the register is what happened to be there. Lengths and
 * counts are read whole. */
static long upper_garbage(long value)
{
    return (long)(0x5a5a5a5a00000000 | (unsigned)value);
}
#define G(value) upper_garbage(value)

static int refused(long value, int reason)
{
    return value == -1 && errno == reason;
}

static void type_limits(void)
{
    static const long legal[] = {0, 29, 30, 0x10000000, 999999999, 0x40000000, 1999999999};
    static const long illegal[] = {-1, -2, 1000000000, 0x3fffffff, 2000000000, 0x7fffffff};
    for (int i = 0; i < 7; i++) {
        if (mynode() == 0)
            post(legal[i], 1, i, 1);
        if (mynode() == 1) {
            CHECK(counts(take(legal[i], 4), 1, i));
            CHECK(infotype() == legal[i]);
        }
    }
    for (int i = 0; i < 6; i++) {
        CHECK(refused(_csend(illegal[i], 0, 0, 1, 0), EQTYPE));
        CHECK(refused(_isend(illegal[i], 0, 0, 1, 0), EQTYPE));
    }
}

/* Bit n is type n, bit 30 stands for all from 30 on. */
static void every_mask_bit(void)
{
    for (int type = 30; type >= 0 && mynode() == 0; type--)
        post(type, 1, type, 1);
    if (mynode() != 1)
        return;
    cprobe(0); /* the last is here, so all are */
    for (int type = 0; type <= 30; type++) {
        CHECK(iprobe(mask_of_types | 1 << type) == 1);
        CHECK(infotype() == type);
        CHECK(counts(take(mask_of_types | 1 << type, 4), 1, type));
        CHECK(iprobe(mask_of_types | 1 << type) == 0);
    }
    CHECK(iprobe(mask_of_types) == 0); /* no type at all */
}

static void lengths(void)
{
    void *block = 0;
    CHECK(refused(_csend(type_any, 0, -1, mynode(), 0), EQLEN));
    CHECK(refused(_isend(type_any, 0, -1, mynode(), 0), EQLEN));
    CHECK(refused(_crecvp(type_any, &block, -1), EQLEN));
    if (nx_hands_over())
        return;
    CHECK(refused(_crecv(type_any, 0, -1), EQLEN));
    CHECK(refused(_irecv(type_any, 0, -1), EQLEN));
    CHECK(refused(_crecvx(type_any, 0, -1, -1, -1, msginfo), EQLEN));
    CHECK(refused(_csendrecv(type_any, 0, -1, mynode(), 0, type_any, 0, 0), EQLEN));
}

static void garbage_in_sends(void)
{
    long info[8];
    if (mynode() == 0) {
        msgwait(G(isend(G(type_any), counted(1, 6), 4, G(1), G(0))));
        csend(G(type_any), counted(1, 7), 4, G(1), G(0));
        csend(G(type_any), counted(1, 8), 4, G(-1), G(0));
        gsendx(G(type_any), counted(1, 9), 4, (long[]){G(1)}, 1);
    }
    int last = mynode() == 1 ? 9 : 8;
    for (int value = mynode() == 1 ? 6 : 8; value <= last && mynode() != 0; value++) {
        void *block = 0;
        cprobe(G(type_any));
        CHECK(iprobe(G(type_any)) == 1 && iprobe(G(-1)) == 1);
        CHECK(iprobex(G(type_any), G(0), G(0), info) == 1 && iprobex(G(-1), G(-1), G(-1), info) == 1);
        cprobex(G(type_any), G(-1), G(-1), info);
        crecvp(G(type_any), &block, 4);
        CHECK(counts(block, 1, value));
        nx_free(block);
    }
}

static void garbage_in_receives(void)
{
    long info[8];
    int *buffers = fresh(16);
    for (int i = 0; i < 5; i++)
        post(type_any, 1, i, mynode());
    crecv(G(type_any), buffers, 4);
    crecvx(G(type_any), buffers + 1, 4, G(mynode()), G(0), info);
    long id = irecv(G(type_any), buffers + 2, 4);
    while (!msgdone(G(id)))
        flick();
    msgwait(G(irecvx(G(type_any), buffers + 3, 4, G(-1), G(-1), info)));
    CHECK(counts(buffers, 4, 0));
    cprobe(type_any); /* a delivery process may still have the last one, and nobody can flush that */
    flushmsg(G(type_any), G(-1), G(-1));
    CHECK(iprobe(-1) == 0);
    msgcancel(G(irecv(G(type_any), buffers, 4)));
    int *mine = counted(1, 5);
    CHECK(csendrecv(G(type_any), mine, 4, G(mynode()), G(0), G(type_any), buffers, 4) == 4);
    msgwait(G(isendrecv(G(type_any), mine, 4, G(mynode()), G(0), G(type_any), buffers + 1, 4)));
    CHECK(buffers[0] == 5 && buffers[1] == 5);
}

static void garbage_elsewhere(void)
{
    double x = 1, work;
    long total = 2, spare, count, *parts = fresh(8 * numnodes());
    CHECK(gray(G(5)) == 7 && ginv(G(7)) == 5);
    CHECK(masktrap(G(0)) == 0);
    setpid(G(0));
    led(G(1));
    gdsum(&x, 1, &work);
    gisum(&total, 1, &spare);
    CHECK(x == (double)numnodes() && total == 2 * numnodes());
    gcol(&total, 8, parts, 8 * numnodes(), &count);
    CHECK(count == 8 * numnodes() && mypid() == 0);
}

static const struct test tests[] = {
    {"types end at their limits", type_limits, need_nothing},
    {"every bit of a mask selects its type", every_mask_bit, need_nothing},
    {"negative lengths are refused", lengths, need_nothing},
    {"sends and probes read the low halves of types, nodes and pids", garbage_in_sends, need_nothing},
    {"receives read the low halves of selectors, nodes, pids and ids", garbage_in_receives, need_copies},
    {"other calls read the low halves of what is no length", garbage_elsewhere, need_nothing},
};

const struct test_list argument_tests = {tests, sizeof tests / sizeof tests[0]};
