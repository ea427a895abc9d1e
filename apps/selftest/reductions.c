/* SPDX-License-Identifier: MIT */
/* Every reduction of every type, beside what one node computes alone; sizes; what collectives leave alone. */
#include "selftest.h"

enum { elements = 5, many = 20000, type_waiting = 95 };

/* What node `node` brings: small, so that sums and products are exact, and sometimes 0. */
static long brought(long node, int i)
{
    return (node * 7 + i * 3) % 5 - 1;
}

static long plus(long a, long b)
{
    return a + b;
}
static long times(long a, long b)
{
    return a * b;
}
static long higher(long a, long b)
{
    return a > b ? a : b;
}
static long lower(long a, long b)
{
    return a < b ? a : b;
}
static long bits_of_both(long a, long b)
{
    return a & b;
}
static long bits_of_either(long a, long b)
{
    return a | b;
}
static long bits_of_one(long a, long b)
{
    return a ^ b;
}
static long both(long a, long b)
{
    return a && b;
}
static long either(long a, long b)
{
    return a || b;
}
static long one(long a, long b)
{
    return !a != !b;
}

static long expected(long (*combine)(long a, long b), int i)
{
    long result = brought(0, i);
    for (long node = 1; node < numnodes(); node++)
        result = combine(result, brought(node, i));
    return result;
}

static void integers(void)
{
    static const struct {
        void (*reduce)(long x[], long n, long work[]);
        long (*twin)(long x[], long n, long work[]);
        long (*combine)(long a, long b);
    } calls[] = {{gisum, _gisum, plus},        {giprod, _giprod, times},      {gihigh, _gihigh, higher},
                 {gilow, _gilow, lower},       {giand, _giand, bits_of_both}, {gior, _gior, bits_of_either},
                 {gixor, _gixor, bits_of_one}, {gland, _gland, both},         {glor, _glor, either},
                 {glxor, _glxor, one}};
    for (unsigned call = 0; call < sizeof calls / sizeof calls[0]; call++)
        for (int as_twin = 0; as_twin < 2; as_twin++) {
            long x[elements], work[elements];
            for (int i = 0; i < elements; i++)
                x[i] = brought(mynode(), i);
            if (as_twin)
                CHECK(calls[call].twin(x, elements, work) == 0);
            else
                calls[call].reduce(x, elements, work);
            for (int i = 0; i < elements; i++)
                CHECK(x[i] == expected(calls[call].combine, i));
            CHECK(calls[call].twin(x, -1, work) == -1 && errno == EQLEN);
        }
}

#define REAL_REDUCTIONS(name, type, letter)                                \
    static void name(void)                                                 \
    {                                                                      \
        static const struct {                                              \
            void (*reduce)(type x[], long n, type work[]);                 \
            long (*twin)(type x[], long n, type work[]);                   \
            long (*combine)(long a, long b);                               \
        } calls[] = {{g##letter##sum, _g##letter##sum, plus},              \
                     {g##letter##prod, _g##letter##prod, times},           \
                     {g##letter##high, _g##letter##high, higher},          \
                     {g##letter##low, _g##letter##low, lower}};            \
        for (unsigned call = 0; call < 4; call++)                          \
            for (int as_twin = 0; as_twin < 2; as_twin++) {                \
                type x[elements], work[elements];                          \
                for (int i = 0; i < elements; i++)                         \
                    x[i] = (type)brought(mynode(), i);                     \
                if (as_twin)                                               \
                    CHECK(calls[call].twin(x, elements, work) == 0);       \
                else                                                       \
                    calls[call].reduce(x, elements, work);                 \
                for (int i = 0; i < elements; i++)                         \
                    CHECK(x[i] == (type)expected(calls[call].combine, i)); \
            }                                                              \
    }
REAL_REDUCTIONS(doubles, double, d)
REAL_REDUCTIONS(floats, float, s)

/* A count of 0 is nothing, 20000 doubles are more than the work arrays of old. */
static void sizes(void)
{
    static double x[many], work[many];
    for (int i = 0; i < many; i++)
        x[i] = i;
    gdhigh(x, 0, work);
    gdsum(x, many, work);
    for (int i = 0; i < many; i++)
        CHECK(x[i] == (double)i * (double)numnodes());
}

static void unequal_parts(void)
{
    char part[3] = {(char)('a' + mynode()), (char)('A' + mynode()), 0};
    char *whole = fresh(2 * numnodes()), *wanted = fresh(2 * numnodes());
    long *lengths = fresh((long)sizeof(long) * numnodes()), bytes = 0, count = -1;
    for (long node = 0; node < numnodes(); node++) {
        lengths[node] = node % 3;
        for (long i = 0; i < lengths[node]; i++)
            wanted[bytes++] = (char)((i ? 'A' : 'a') + node);
    }
    CHECK(_gcol(part, mynode() % 3, whole, 2 * numnodes(), &count) == 0 && count == bytes);
    for (long i = 0; i < bytes; i++)
        CHECK(whole[i] == wanted[i]), whole[i] = 0;
    CHECK(_gcolx(part, lengths, whole) == 0);
    for (long i = 0; i < bytes; i++)
        CHECK(whole[i] == wanted[i]);
    CHECK(_gcol(part, -1, whole, 2 * numnodes(), &count) == -1 && errno == EQLEN);
    CHECK(_gsync() == 0);
}

/* Messages that wait, and a receive of any type that is posted, are no business of collectives. */
static void left_alone(void)
{
    long total = 1, work, id = 0;
    int *buffer = fresh(4);
    if (!nx_hands_over())
        id = irecv(-1, buffer, 4);
    gsync();
    gisum(&total, 1, &work);
    CHECK(total == numnodes() && (!id || msgdone(id) == 0) && iprobe(-1) == 0);
    post(type_waiting, 1, 3, mynode());
    gisum(&total, 1, &work);
    CHECK(total == numnodes() * numnodes());
    if (id)
        msgwait(id);
    else
        buffer = take(-1, 4);
    CHECK(counts(buffer, 1, 3) && infotype() == type_waiting);
}

static const struct test tests[] = {
    {"every reduction of integers combines every node's", integers, need_nothing},
    {"every reduction of doubles combines every node's", doubles, need_nothing},
    {"every reduction of floats combines every node's", floats, need_nothing},
    {"reductions have any length", sizes, need_nothing},
    {"gcol and gcolx take parts of different lengths, and none", unequal_parts, need_nothing},
    {"collectives neither take nor give messages of the program's", left_alone, need_nothing},
};

const struct test_list reduction_tests = {tests, sizeof tests / sizeof tests[0]};
