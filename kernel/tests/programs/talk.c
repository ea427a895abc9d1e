/* SPDX-License-Identifier: MIT */
/* Every node sends every other the same drawn messages, and receives them in a drawn order: by type, by
 * mask, by any type, by force type, by sender, probed first or posted before. What comes is decided by
 * NX/2 alone, so the digests of two message systems must be equal. */
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>

enum { rounds = 20, most = 12, longest = 3000, force = 0x40000000, common = 40 };

static const int types[] = {0, 1, 2, 5, 29, 30, 31, 4711, force, force + 7};

static unsigned long state;

static unsigned drawn(unsigned below)
{
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return (unsigned)(state >> 33) % below;
}

/* What node `from` sends node `to` in a round; both draw it. */
struct plan {
    int count, type[most], length[most], taken[most];
};

static struct plan plan_of(int round, int from, int to)
{
    struct plan plan = {0};
    state = (unsigned long)(round * 1000003 + from * 1009 + to * 13 + 1);
    plan.count = 1 + (int)drawn(most);
    for (int i = 0; i < plan.count; i++) {
        plan.type[i] = types[drawn(sizeof types / sizeof *types)];
        plan.length[i] = drawn(3) == 0 ? 0 : (int)drawn(longest + 1);
    }
    return plan;
}

static long selector_for(int type)
{
    const unsigned way = drawn(3);
    if (way == 0 || type >= force)
        return type;
    return way == 1 ? -1 : (long)(int)(0x80000000u | 1u << (type < 30 ? type : 30) | drawn(1u << 30));
}

static unsigned long digest = 0xcbf29ce484222325ul;

static void note(unsigned long value)
{
    digest = (digest ^ value) * 0x100000001b3ul;
}

static unsigned char buffer[longest], sent[longest];

static void note_received(const long info[8])
{
    for (int i = 0; i < 3; i++)
        note((unsigned long)info[i]);
    for (long i = 0; i < info[1]; i++)
        note(buffer[i]);
}

static void send_all(int round, int me, int nodes)
{
    for (int to = 0; to < nodes; to++) {
        const struct plan plan = plan_of(round, me, to);
        for (int i = 0; to != me && i < plan.count; i++) {
            for (int k = 0; k < plan.length[i]; k++)
                sent[k] = (unsigned char)(round + i + k * me);
            msgwait(isend(plan.type[i], sent, plan.length[i], to, 0));
        }
    }
}

/* The one that was taken is the first of those that the selector takes: found again by what it says of
 * itself. */
static void take_from(struct plan *plan, int from)
{
    for (int left = plan->count; left > 0; left--) {
        long info[8], typesel;
        int wanted;
        do
            wanted = (int)drawn((unsigned)plan->count);
        while (plan->taken[wanted]);
        typesel = selector_for(plan->type[wanted]);
        if (drawn(2)) {
            cprobex(typesel, from, -1, info);
            note((unsigned long)info[1]);
        }
        if (drawn(2))
            crecvx(typesel, buffer, longest, from, -1, info);
        else
            msgwait(irecvx(typesel, buffer, longest, from, -1, info));
        note_received(info);
        int found = 0;
        while (plan->taken[found] || plan->type[found] != info[0])
            found++;
        plan->taken[found] = 1;
    }
}

static void receive_all(int round, int me, int nodes)
{
    for (int from = 0; from < nodes; from++) {
        struct plan plan = plan_of(round, from, me);
        state ^= 0x9e3779b97f4a7c15ul;
        if (from != me)
            take_from(&plan, from);
    }
}

/* Node `round % nodes` tells all others; they have posted the receive before. */
static void broadcast(int round, int me, int nodes)
{
    long value = round * 31 + 7;
    if (me == round % nodes) {
        gsync();
        csend(common, &value, sizeof value, -1, 0);
    } else {
        long heard = 0, id = irecv(common, &heard, sizeof heard);
        gsync();
        msgwait(id);
        note((unsigned long)heard);
        note((unsigned long)infonode());
    }
}

static void combine(int me)
{
    long whole[4] = {me + 1, me * 3 + 1, 1L << me, me % 2}, work[4];
    double real[2] = {me + 0.5, -me}, real_work[2];
    gisum(whole, 1, work);
    gihigh(whole + 1, 1, work);
    gior(whole + 2, 1, work);
    gland(whole + 3, 1, work);
    gdsum(real, 1, real_work);
    gdlow(real + 1, 1, real_work);
    for (int i = 0; i < 4; i++)
        note((unsigned long)whole[i]);
    note((unsigned long)(long)(real[0] * 2));
    note((unsigned long)(long)real[1]);
}

int main(void)
{
    const int me = (int)mynode(), nodes = (int)numnodes();
    for (int round = 0; round < rounds; round++) {
        send_all(round, me, nodes);
        receive_all(round, me, nodes);
        broadcast(round, me, nodes);
        combine(me);
    }
    if (iprobe(-1)) {
        fprintf(stderr, "talk: node %d: a message is left over\n", me);
        return 1;
    }
    long whole = (long)digest, work;
    gixor(&whole, 1, &work);
    if (me == 0) {
        const double value = (double)((unsigned long)whole >> 16);
        printf("talk: %d nodes, %016lx\n", nodes, (unsigned long)whole);
        nx_report("talk", 0, "", "digest", &value, 1);
    }
    return 0;
}
