/* SPDX-License-Identifier: MIT */
/* msgmerge, msgignore, flushmsg, setptype, hwclock and the underscore forms, on two nodes. */
#include <errno.h>
#include <nx.h>
#include <stdio.h>

static int failures;

#define CHECK(condition) \
    ((condition) ? (void)0 : (void)(failures++, printf("line %d: %s\n", __LINE__, #condition)))

enum { parts = 5 };

static int *numbers, *others;

static void merging(void)
{
    long id = -1;
    if (mynode() == 0)
        for (int i = 0; i < parts; i++)
            id = msgmerge(id, irecv(10 + i, others + i, 4));
    gsync();
    if (mynode() == 1)
        for (int i = parts - 1; i >= 0; i--) {
            numbers[i] = i * i;
            id = msgmerge(id, isend(10 + i, numbers + i, 4, 0, 0));
        }
    CHECK(msgmerge(id, -1) == id);
    msgwait(id);
    for (int i = 0; i < parts && mynode() == 0; i++)
        CHECK(others[i] == i * i);
    if (mynode() == 1) {
        id = msgmerge(isend(20, numbers, 4, 0, 0), isend(21, numbers + 1, 4, 0, 0));
        while (!msgdone(id))
            flick();
    } else {
        id = msgmerge(irecv(21, others, 4), irecv(20, others + 1, 4));
        while (!msgdone(id))
            flick();
        CHECK(others[0] == 1 && others[1] == 0);
    }
}

/* A receive with an information array of its own waits for the other as well. */
static void merging_others(void)
{
    long info[8] = {0};
    if (mynode() != 0)
        return;
    numbers[2] = 7, numbers[3] = 8;
    long id = msgmerge(irecv(25, others, 4), irecvx(26, others + 1, 4, -1, -1, info));
    csend(26, numbers + 2, 4, 0, 0);
    CHECK(!msgdone(id));
    csend(25, numbers + 3, 4, 0, 0);
    msgwait(id);
    CHECK(others[0] == 8 && others[1] == 7 && info[0] == 26);
}

/* Cancelling a merged id cancels each of its receives: none of them takes a message that comes later. */
static void cancelling(void)
{
    if (mynode() != 0)
        return;
    for (int i = 0; i < 3; i++)
        others[i] = -1, numbers[i] = i;
    msgcancel(msgmerge(msgmerge(irecv(50, others, 4), irecv(51, others + 1, 4)), irecv(52, others + 2, 4)));
    for (int i = 0; i < 3; i++) {
        csend(50 + i, numbers + i, 4, 0, 0);
        cprobe(50 + i);
        CHECK(others[i] == -1);
    }
    flushmsg(-1, -1, -1);
}

/* A message that is too long for a part fails the whole, but not before every part is over. */
static void failing(void)
{
    if (mynode() != 0)
        return;
    numbers[0] = 6;
    for (int asked = 0; asked < 2; asked++) {
        others[0] = others[1] = 0;
        long id = msgmerge(irecv(60, others + 1, 1), irecv(61, others, 4)), done = 0;
        csend(60, numbers, 4, 0, 0);
        if (asked)
            CHECK(_msgdone(id) == 0);
        csend(61, numbers, 4, 0, 0);
        if (!asked)
            done = _msgwait(id);
        while (asked && !(done = _msgdone(id)))
            flick();
        CHECK(done == -1 && errno == EQMSGLONG);
        CHECK(others[0] == 6 && others[1] == 0);
        CHECK(_msgwait(id) == 0);
        flushmsg(-1, -1, -1);
    }
}

/* Receives for which nothing comes, each with an info array of its own: they leave few ids for others. */
enum { ids = 1024, left = 40 };
static long held[ids - left], held_info[8];

static void hold(void)
{
    for (int i = 0; i < ids - left; i++)
        held[i] = irecvx(77, others, 4, -1, -1, held_info);
}

static void let_go(void)
{
    for (int i = 0; i < ids - left; i++)
        msgcancel(held[i]);
}

/* No request that failed keeps an id, or a place for what belongs to one. */
static void failing_often(void)
{
    enum { turns = left + 10 };
    long info[8], failed = 0;
    if (mynode() != 0)
        return;
    hold();
    for (int i = 0; i < turns; i++) {
        failed += _isendrecv(62, numbers, 4, 0, 0, 63, others, -1) == -1 && errno == EQLEN;
        crecv(62, others, 4);
    }
    CHECK(failed == turns);
    failed = 0;
    for (int i = 0; i < turns; i++) {
        long id = _irecvx(63, others, 1, -1, -1, info);
        csend(63, numbers, 4, 0, 0);
        cprobe(63);
        failed += (i % 2 ? _msgwait(id) : _msgdone(id)) == -1 && errno == EQMSGLONG;
        flushmsg(-1, -1, -1);
    }
    CHECK(failed == turns);
    let_go();
}

static void no_handler() { }

static int begins_a_send(void)
{
    return _msgwait(_isend(66, numbers, 4, 0, 0)) == 0;
}

static int begins_a_send_for_a_handler(void)
{
    return _hsend(66, numbers, 4, 0, 0, no_handler) == 0;
}

static int begins_a_receive_for_a_handler(void)
{
    return _hrecv(66, others, 4, no_handler) == 0 && _hrecv(66, 0, 0, 0) == 0;
}

/* Ids of ignored requests that have ended, also of merged ones, are there for any call that wants one. */
static void ignoring_all(void)
{
    static int (*const calls[])(void) = {begins_a_send, begins_a_send_for_a_handler,
                                         begins_a_receive_for_a_handler};
    if (mynode() != 0)
        return;
    hold();
    for (int call = 0; call < 3; call++) {
        for (int i = 0; i < left; i += 2)
            msgignore(msgmerge(irecv(64, others, 4), irecv(65, others + 1, 4)));
        CHECK(_irecv(64, others, 4) == -1 && errno == EQNOMID);
        for (int i = 0; i < left; i++)
            csend(64 + i % 2, numbers, 4, 0, 0);
        csend(68, numbers, 4, 0, 0);
        crecv(68, others, 4); /* the others have come before it */
        msginfo[0] = 4711;
        CHECK(calls[call]());
        CHECK(infotype() == 4711); /* nobody hears of what was ignored */
        flushmsg(-1, -1, -1);
    }
    let_go();
}

/* Two thousand receives under way would not fit if their ids were not given free when they are over. */
static void ignoring(void)
{
    enum { turns = 20, messages = 100 };
    for (int turn = 0; turn < turns; turn++) {
        for (int i = 0; i < messages && mynode() == 0; i++)
            msgignore(irecv(30, others, 4));
        for (int i = 0; i < messages && mynode() == 0; i++) {
            const long id = irecv(31, others, 4);
            msgignore(id);
            msgcancel(id);
        }
        gsync();
        for (int i = 0; i < messages && mynode() == 1; i++)
            msgignore(isend(30, numbers, 4, 0, 0));
        gsync();
    }
}

static void flushing(void)
{
    if (mynode() == 1)
        for (int i = 0; i < 10; i++)
            csend(40 + i % 2, numbers, 4, 0, 0);
    gsync();
    if (mynode() != 0)
        return;
    flushmsg(40, -1, -1);
    CHECK(!iprobe(40) && iprobe(41));
    flushmsg(-1, mynode(), mypid());
    CHECK(!iprobe(-1));
}

static void small_calls(void)
{
    esize_t before, after;
    hwclock(&before);
    while (hwclock(&after), after.slow == before.slow)
        ;
    CHECK(_setptype(0) == 0 && mypid() == 0 && _setpid(-1) == -1 && errno == EQPID);
    long one = 1, work;
    CHECK(_gisum(&one, 1, &work) == 0 && one == numnodes());
    CHECK(_gisum(&one, -1, &work) == -1 && errno == EQLEN);
    const long first = irecv(27, 0, 0), second = irecv(28, 0, 0);
    CHECK(_msgmerge(first, first) == -1 && errno == EQMID); /* a circle would have no end */
    CHECK(_msgmerge(first, second) == second);
    CHECK(_msgmerge(second, first) == -1 && _msgmerge(first, second) == -1);
    CHECK(_msgcancel(second) == 0);
    CHECK(_masktrap(0) == 0 && _msgmerge(-1, -1) == -1);
    CHECK(_hsend(1, numbers, 4, 99, 0, ignoring) == -1 && errno == EQNODE);
    CHECK(_hrecv(1, numbers, -1, ignoring) == -1 && errno == EQLEN);
    CHECK(_load("anything", 0, 0) == -1 && errno == EQPRIV);
}

int main(void)
{
    numbers = nx_alloc(parts * sizeof(int)), others = nx_alloc(parts * sizeof(int));
    merging();
    gsync();
    merging_others();
    cancelling();
    failing();
    failing_often();
    ignoring_all();
    ignoring();
    flushing();
    gsync();
    small_calls();
    gsync();
    if (mynode() == 0)
        printf("%d failures\n", failures);
    return failures != 0;
}
