/* SPDX-License-Identifier: MIT */
/* Calls that cannot be: the underscore twins answer -1 and the right errno, and nothing is lost. */
#include "selftest.h"

enum { type_refused = 60, reserved_type = 1000000000 };

static void *const wild = (void *)0x123456789000;

static int refused(long value, int reason)
{
    return value == -1 && errno == reason;
}

static void too_long(void)
{
    if (mynode() == 0)
        post(type_refused, 10, 4, 1);
    if (mynode() != 1)
        return;
    void *buffer = fresh(8);
    CHECK(refused(_crecvp(type_refused, &buffer, 8), EQMSGLONG));
    CHECK(counts(take(type_refused, 40), 10, 4));
}

static void wrong_arguments(void)
{
    int *block = counted(1, 0);
    CHECK(refused(_csend(type_refused, block, 4, numnodes() + 1, 0), EQNODE));
    CHECK(refused(_csend(type_refused, block, 4, -2, 0), EQNODE));
    CHECK(refused(_csend(type_refused, block, -4, 0, 0), EQLEN));
    CHECK(refused(_csend(reserved_type, block, 4, 0, 0), EQTYPE));
    CHECK(refused(_csend(-5, block, 4, 0, 0), EQTYPE));
    CHECK(refused(_msgwait(-3), EQMID));
    CHECK(refused(_msgdone(123456789), EQMID));
}

static void wild_buffers(void)
{
    CHECK(refused(_csend(type_refused, wild, 4, mynode(), 0), EQPBUF));
    CHECK(refused(_csend(type_refused, (void *)0xffffffff80000000, 4, mynode(), 0), EQPBUF));
}

/* Whether the refused receive has used its message up is not promised; that the job goes on is. */
static void wild_receive(void)
{
    post(type_refused, 2, 1, mynode());
    CHECK(refused(_crecv(type_refused, wild, 8), EQPBUF));
    post(type_refused + 1, 0, 0, mynode());
    take(type_refused + 1, 0); /* the first message is here by now, if it still is one */
    if (iprobe(type_refused))
        take(type_refused, 8);
}

static void crecv_is_refused(void)
{
    int word;
    CHECK(refused(_crecv(type_refused, &word, 4), EQPARAM));
    CHECK(refused(_irecv(type_refused, &word, 4), EQPARAM));
}

static void unshared_is_refused(void)
{
    int word = 0;
    CHECK(refused(_csend(type_refused, &word, 4, 0, 0), EQPBUF));
}

static const struct test tests[] = {
    {"a message longer than the buffer is refused and kept", too_long, need_nothing},
    {"impossible nodes, lengths, types and ids are refused", wrong_arguments, need_nothing},
    {"a send from memory the program does not have is refused", wild_buffers, need_protection},
    {"a receive into memory the program does not have is refused", wild_receive,
     need_protection | need_copies},
    {"crecv is refused where blocks are handed over", crecv_is_refused, need_handing_over},
    {"an unshared buffer is refused where blocks must be shared", unshared_is_refused, need_shared},
};

const struct test_list refusal_tests = {tests, sizeof tests / sizeof tests[0]};
