/* SPDX-License-Identifier: MIT */
/* Collective calls, and the calls about place and time. */
#include "selftest.h"

enum { elements = 100 };

static void sums(void)
{
    double x[elements], work[elements];
    long expected = numnodes() * (numnodes() - 1) / 2;
    for (int i = 0; i < elements; i++)
        x[i] = (double)(mynode() + i);
    gdsum(x, elements, work);
    for (int i = 0; i < elements; i++)
        CHECK(x[i] == (double)(expected + i * numnodes()));
    long total = mynode(), spare;
    gisum(&total, 1, &spare);
    CHECK(total == expected);
}

static void extremes(void)
{
    long high = mynode(), low = mynode() + 5, spare;
    gihigh(&high, 1, &spare);
    gilow(&low, 1, &spare);
    CHECK(high == numnodes() - 1 && low == 5);
    const long most = numnodes() < 60 ? numnodes() : 60; /* nodes with a bit of their own */
    float product = mynode() < most ? 2 : 1, spare_float;
    gsprod(&product, 1, &spare_float);
    CHECK(product == (float)(1UL << most));
    long bits = mynode() < most ? 1L << mynode() : 0;
    gior(&bits, 1, &spare);
    CHECK(bits == (1L << most) - 1);
}

static long add_pairs(char *x, char *work)
{
    long *ours = (long *)x, *theirs = (long *)work;
    ours[0] += theirs[0];
    ours[1] += theirs[1];
    return 0;
}

static void by_program(void)
{
    long pair[2] = {1, 10}, work[2];
    gopf(pair, sizeof pair, work, add_pairs);
    CHECK(pair[0] == numnodes() && pair[1] == 10 * numnodes());
}

static void concatenation(void)
{
    const long all = numnodes() * (numnodes() + 1) / 2; /* words: 1 of node 0, 2 of node 1, ... */
    int *part = fresh(4 * numnodes()), *whole = fresh(4 * all);
    long count = 0, *lengths = fresh((long)sizeof(long) * numnodes()), words = 0;
    for (int i = 0; i < mynode() + 1; i++)
        part[i] = (int)mynode();
    gcol(part, (mynode() + 1) * 4, whole, 4 * all, &count);
    for (int node = 0; node < numnodes(); node++) {
        for (int i = 0; i < node + 1; i++)
            CHECK(whole[words++] == node);
        lengths[node] = (node + 1) * 4;
    }
    for (long i = 0; i < all; i++)
        whole[i] = -1;
    CHECK(count == words * 4);
    gcolx(part, lengths, whole);
    CHECK(whole[0] == 0 && whole[words - 1] == numnodes() - 1);
}

static void barriers(void)
{
    static volatile int *turn; /* a shared word that node 0 sets between two barriers */
    if (mynode() == 0) {
        turn = counted(1, 0);
        for (long node = 1; node < numnodes(); node++) {
            int *volatile *address = fresh(sizeof *address);
            *address = (int *)turn;
            csend(80, (const void *)address, sizeof *address, node, 0);
        }
    } else {
        turn = *(int **)take(80, sizeof turn);
    }
    for (int i = 1; i <= 20; i++) {
        gsync();
        if (mynode() == 0)
            *turn = i;
        gsync();
        CHECK(*turn == i);
    }
}

static void place(void)
{
    CHECK(mynode() >= 0 && mynode() < numnodes());
    CHECK(myhost() == numnodes());
    CHECK(1L << nodedim() <= numnodes() && 2L << nodedim() > numnodes());
    for (long i = 0; i < 64; i++)
        CHECK(ginv(gray(i)) == i);
    double before = dclock();
    for (int i = 0; i < 10; i++)
        flick();
    CHECK(dclock() >= before && before >= 0);
    CHECK(mclock() <= (unsigned long)(dclock() * 1e3) + 1);
}

static const struct test tests[] = {
    {"gdsum and gisum leave the sum on every node", sums, need_nothing},
    {"high, low, product and or reach every node", extremes, need_nothing},
    {"gopf combines as the program says", by_program, need_nothing},
    {"gcol and gcolx put the parts together in the order of nodes", concatenation, need_nothing},
    {"nobody leaves a gsync before everybody has come", barriers, need_one_machine},
    {"every node knows its place and the time", place, need_nothing},
};

const struct test_list collective_tests = {tests, sizeof tests / sizeof tests[0]};
