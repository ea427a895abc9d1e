/* SPDX-License-Identifier: MIT */
/* What is known when a call has ended: info, ids, results of the underscore twins. */
#include "selftest.h"

enum { type_kept = 90, ids = 1024 };

static int refused(long value, int reason)
{
    return value == -1 && errno == reason;
}

static int info_is(long type, long count, long node)
{
    return infotype() == type && infocount() == count && infonode() == node && infopid() == mypid() &&
           infoptype() == mypid();
}

static void only_receives_inform(void)
{
    post(type_kept, 3, 1, mynode());
    post(type_kept + 1, 0, 0, mynode());
    cprobe(type_kept + 1);
    CHECK(info_is(type_kept + 1, 0, mynode()));
    CHECK(iprobe(type_kept + 7) == 0);
    CHECK(info_is(type_kept + 1, 0, mynode())); /* a probe that finds nothing says nothing */
    CHECK(iprobe(type_kept) == 1);
    CHECK(info_is(type_kept, 12, mynode()));
    take(type_kept + 1, 0);
    CHECK(info_is(type_kept + 1, 0, mynode()));
    take(type_kept, 12);
    CHECK(info_is(type_kept, 12, mynode()));
    long id = isend(type_kept, 0, 0, mynode(), 0);
    take(type_kept, 0);
    msginfo[0] = 4711;
    msgwait(id);
    CHECK(infotype() == 4711); /* nor does the end of a send */
}

static void ends_inform(void)
{
    int *buffers = fresh(16);
    long first = irecv(type_kept, buffers, 4), second = irecv(type_kept + 1, buffers + 1, 8);
    CHECK(_msgdone(first) == 0);
    post(type_kept + 1, 2, 1, mynode());
    post(type_kept, 1, 1, mynode());
    msgwait(second);
    CHECK(info_is(type_kept + 1, 8, mynode()));
    while (_msgdone(first) == 0)
        flick();
    CHECK(info_is(type_kept, 4, mynode()));
    CHECK(_msgwait(first) == 0 && _msgdone(first) == 1); /* just released: quiet */
}

static void too_short_when_posted(void)
{
    long id = irecv(type_kept, fresh(4), 4);
    post(type_kept, 10, 1, mynode());
    cprobe(type_kept);
    CHECK(refused(_msgwait(id), EQMSGLONG));
    CHECK(counts(take(type_kept, 40), 10, 1));
}

static void as_many_ids(void)
{
    static long posted[ids];
    int *buffer = fresh(4);
    for (int i = 0; i < ids; i++)
        CHECK((posted[i] = _irecv(type_kept + i, buffer, 4)) > 0);
    CHECK(refused(_irecv(type_kept, buffer, 4), EQNOMID));
    for (int i = 0; i < ids; i++)
        CHECK(_msgcancel(posted[i]) == 0);
    CHECK(iprobe(-1) == 0);
}

static void twins_answer(void)
{
    long info[8];
    int *buffer = fresh(8);
    CHECK(_isend(type_kept, counted(2, 3), 8, mynode(), 0) > 0);
    CHECK(_cprobe(type_kept) == 0 && _iprobe(type_kept) == 1 && _iprobe(type_kept + 1) == 0);
    CHECK(_crecv(type_kept, buffer, 8) == 0 && infocount() == 8 && counts(buffer, 2, 3));
    post(type_kept, 1, 3, mynode());
    CHECK(_cprobex(type_kept, mynode(), 0, info) == 0 && info[1] == 4);
    CHECK(_iprobex(type_kept, mynode(), 0, info) == 1);
    CHECK(_crecvx(type_kept, buffer, 8, -1, -1, info) == 0 && info[1] == 4 && info[2] == mynode() &&
          info[3] == 0);
    long id = _irecvx(type_kept, buffer, 8, mynode(), -1, info);
    CHECK(id > 0 && _msgdone(id) == 0);
    CHECK(_csend(type_kept, counted(1, 3), 4, mynode(), 0) == 0 && _msgwait(id) == 0);
    CHECK(_csendrecv(type_kept, counted(1, 3), 4, mynode(), 0, type_kept, buffer, 8) == 4);
    id = _isendrecv(type_kept, counted(1, 3), 4, mynode(), 0, type_kept, buffer, 8);
    CHECK(id > 0 && _msgwait(id) == 0);
    CHECK(refused(_csendrecv(type_kept, buffer, 4, numnodes() + 1, 0, type_kept, buffer, 8), EQNODE));
    CHECK(_flushmsg(-1, -1, -1) == 0 && _msgcancel(_irecv(type_kept, buffer, 8)) == 0);
    CHECK(refused(_msgcancel(-7), EQMID) && refused(_msgignore(-7), EQMID));
    CHECK(_mynode() == mynode() && _numnodes() == numnodes() && _myhost() == numnodes());
    CHECK(_mypid() == 0 && _myptype() == 0 && _nodedim() == nodedim() && _gray(3) == 2 && _ginv(2) == 3);
    CHECK(_flick() == 0 && _led(0) == 0 && _infocount() == infocount() && _infoptype() == infoptype());
}

static void sent_to_a_list(void)
{
    long *others = fresh((long)sizeof(long) * numnodes()), count = 0;
    for (long node = numnodes() - 1; node >= 0; node--)
        if (node != mynode())
            others[count++] = node;
    if (nx_hands_over())
        return; /* the first takes the block */
    if (mynode() == 0)
        gsendx(type_kept, counted(1, 5), 4, others, count);
    else
        CHECK(counts(take(type_kept, 4), 1, 5));
    CHECK(iprobe(-1) == 0); /* the sender is not in its list */
    gsync();
    if (mynode() == 1) {
        CHECK(_gsendx(type_kept, counted(1, 6), 4, (long[]){1}, 1) == 0);
        CHECK(counts(take(type_kept, 4), 1, 6));
        CHECK(refused(_gsendx(type_kept, 0, 0, (long[]){numnodes() + 1}, 1), EQNODE));
    }
}

static const struct test tests[] = {
    {"info tells of receives and probes that found something", only_receives_inform, need_nothing},
    {"msgwait and msgdone on a receive fill info", ends_inform, need_copies},
    {"a message too long for a posted receive fails it and stays", too_short_when_posted, need_copies},
    {"1024 ids may be under way, and one more is refused", as_many_ids, need_copies},
    {"the underscore twins answer", twins_answer, need_copies},
    {"gsendx reaches the listed nodes and no others", sent_to_a_list, need_nothing},
};

const struct test_list completion_tests = {tests, sizeof tests / sizeof tests[0]};
