/* SPDX-License-Identifier: MIT */
/* What a message without bytes costs one way, beside bare cache lines: batches of messages, of a ping-pong
 * over one line that both sides write, and of one over two lines, one each way as messages go, by turns, for
 * a host may move its processors at any time. Reports the times, and each batch's ratios. */
#include "shared_lines.h"

#include <nx.h>

enum { batches = 61, rounds = 2000, type_null = 2 };

struct cells {
    _Alignas(shared_lines_alignment) volatile unsigned there;
    _Alignas(shared_lines_alignment) volatile unsigned back;
};

/* One side of a ping-pong: the words that it writes and polls. */
struct player {
    volatile unsigned *out, *in;
    unsigned turn;
};

static double messages[batches], one_line[batches], two_lines[batches], to_one[batches], to_two[batches];
static void *sent, *received;

static void one_message_each_way(void)
{
    if (mynode() == 0)
        csend(type_null, sent, 0, 1, 0);
    crecvp(type_null, &received, 0);
    if (mynode() == 1)
        csend(type_null, sent, 0, 0, 0);
}

static void await_turn(const struct player *player)
{
    while (*player->in != player->turn)
        nx_pause();
}

/* Node 0 writes odd numbers, node 1 even ones. */
static void one_turn_each_way(struct player *player)
{
    if (mynode() == 0) {
        *player->out = ++player->turn;
        player->turn++;
        await_turn(player);
    } else {
        player->turn++;
        await_turn(player);
        *player->out = ++player->turn;
    }
}

static double nanoseconds_one_way(unsigned long cycles)
{
    return (double)cycles * 1e9 / nx_cycles_per_second() / (2 * rounds);
}

static double time_messages(void)
{
    gsync();
    unsigned long start = nx_cycles();
    for (int i = 0; i < rounds; i++)
        one_message_each_way();
    return nanoseconds_one_way(nx_cycles() - start);
}

static double time_turns(struct player *player)
{
    gsync();
    unsigned long start = nx_cycles();
    for (int i = 0; i < rounds; i++)
        one_turn_each_way(player);
    return nanoseconds_one_way(nx_cycles() - start);
}

int main(void)
{
    struct cells *cells = shared_lines(2 * sizeof *cells);
    sent = nx_alloc(64);
    received = nx_alloc(64);
    if (!sent || !received)
        return 1;
    volatile unsigned *there = &cells->there, *back = &cells->back, *both = &cells[1].there;
    struct player two = {mynode() == 0 ? there : back, mynode() == 0 ? back : there, 0};
    struct player one = {both, both, 0};
    for (int i = 0; i < batches; i++) {
        messages[i] = time_messages();
        one_line[i] = time_turns(&one);
        two_lines[i] = time_turns(&two);
        to_one[i] = messages[i] / one_line[i];
        to_two[i] = messages[i] / two_lines[i];
    }
    if (mynode() != 0)
        return 0;
    nx_report("null message", 0, "", "ns", messages, batches);
    nx_report("one line", 0, "", "ns", one_line, batches);
    nx_report("two lines", 0, "", "ns", two_lines, batches);
    nx_report("to one line", 0, "", "times", to_one, batches);
    nx_report("to two lines", 0, "", "times", to_two, batches);
    return 0;
}
