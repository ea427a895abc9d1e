/* SPDX-License-Identifier: MIT */
/* Talks to everybody in every way that the design has until it is killed, and answers its host. */
#include <nx.h>
#include <stdlib.h>

#include "storm.h"

enum { longest = 20000, buffers = 4 };

static void *buffer[buffers]; /* where blocks do not change owner: to send from, and the last to receive in */
static int hands_over, awaits;
static unsigned long sent_ever;
/* Messages that it may send before it has received others: with no bound the fastest would use up the budget.
 * What the dead have not received comes back with the time. */
static long credit = 20;

/* What was half sent by somebody who has been killed is lost, and so is what nobody lives to receive. */
static long or_closed(long value)
{
    if (value == -1 && errno != EQNOPROC)
        exit(3);
    return value;
}

static int has_credit(void)
{
    static double last;
    if (credit == 0 && dclock() - last > 0.002) {
        last = dclock();
        credit = 1;
    }
    return credit != 0;
}

static void send_one(long to)
{
    static const long sizes[] = {0, 4, 100, 1000, longest};
    const long bytes = sizes[below(5)];
    void *const from = hands_over ? nx_alloc(bytes + 1) : buffer[below(buffers - 1)];
    if (!from)
        return; /* the memory is used up for now */
    /* Two that csend to each other would wait for each other. */
    const int waits = below(2) && to != mynode() && (!awaits || to > mynode());
    const long sent = waits ? or_closed(_csend(talk_type, from, bytes, to, 0))
                            : or_closed(_isend(talk_type, from, bytes, to, 0));
    if (hands_over && (sent == -1 || bytes == 0))
        nx_free(from);
    if (!waits && sent != -1)
        msgignore(sent);
    credit--;
    if (++sent_ever % messages_a_note == 0)
        csend(note_type, 0, 0, myhost(), 0);
}

static void receive_one(void)
{
    void *to = hands_over ? 0 : buffer[buffers - 1];
    const long bytes = or_closed(_crecvp(talk_type, &to, longest));
    if (hands_over && bytes > 0)
        nx_free(to);
    credit++;
}

static void post_and_take_back(void)
{
    const long wanted = _irecv(talk_type, buffer[buffers - 1], longest);
    if (wanted == -1)
        exit(4);
    if (below(2) == 0 || or_closed(_msgdone(wanted)) == 0)
        _msgcancel(wanted);
}

static void answer(void)
{
    while (_iprobe(ping_type) == 1) {
        void *nothing = 0;
        crecvp(ping_type, &nothing, 0);
        csend(pong_type, 0, 0, myhost(), 0);
    }
}

int main(void)
{
    void *seed = 0;
    hands_over = (int)nx_hands_over();
    awaits = (nx_capabilities() & NX_SENDS_AWAIT_DELIVERY) != 0;
    for (int i = 0; i < buffers && !hands_over; i++)
        if (!(buffer[i] = nx_alloc(longest)))
            exit(5);
    crecvp(seed_type, &seed, sizeof(long));
    state += (unsigned long)*(long *)seed * 2 + (unsigned long)mynode();
    for (;;) {
        if (has_credit())
            send_one((long)below((unsigned long)numnodes()));
        for (int i = 0; i < 4 && _iprobe(talk_type) == 1; ++i)
            receive_one();
        if (below(8) == 0 && !hands_over)
            post_and_take_back();
        answer();
        if (below(30) == 0)
            flick();
    }
}
