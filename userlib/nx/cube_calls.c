/* SPDX-License-Identifier: MIT */
#include "userlib/nx/cube_calls.h"

#include "userlib/nx/arrival.h"
#include "userlib/nx/job_call.h"

static struct parley_reply wait_for(long node, long pid, int one)
{
    NX_UNINTERRUPTED(NX_JOB(wait_for, (int)node, (int)pid, one, 0));
}

long nx_wait_for_all(long node, long pid)
{
    return wait_for(node, pid, 0).value;
}

long nx_wait_for_one(long node, long pid, struct nx_ended *ended)
{
    struct parley_reply reply = wait_for(node, pid, 1);
    if (reply.value < 0)
        return reply.value;
    *ended = (struct nx_ended){(int)reply.source, (int)(reply.source >> 32), (int)reply.value};
    return 0;
}

long nx_kill(long node, long pid)
{
    return NX_JOB(kill, (int)node, (int)pid, 0, 0).value;
}

long nx_set_pid(long pid)
{
    if (nx_process.library) {
        long value = nx_process.library->set_pid(nx_process.self, nx_process.start->endpoint, (int)pid).value;
        if (value < 0)
            return value;
    }
    long value = NX_JOB(set_pid, (int)pid, 0, 0, 0).value;
    if (value >= 0)
        nx_process.pid = (int)pid;
    return value;
}

long nx_check_cube(const char *type, unsigned long length)
{
    unsigned long at = length > 0 && type[0] == 'd' ? 1 : 0;
    long number = 0;
    for (; at < length && type[at] >= '0' && type[at] <= '9' && number < 1000000; at++)
        number = number * 10 + (type[at] - '0');
    if (length > 0 && type[0] == 'd')
        number = number < 20 ? 1l << number : 1l << 20;
    return number > nx_process.nodes ? -nx_error_bad_argument : 0;
}

/* One message of the program's that nobody has asked for. 0: there is none. */
static long drop_one(long typesel)
{
    struct parley_reply found = nx_probe(typesel, 0, nx_any, nx_address(nx_any, nx_program));
    if (found.value <= 0)
        return found.value;
    void *room = 0;
    if (!nx_process.hands_over && found.block > 0) {
        struct parley_reply block = nx_allocate(found.block, 1);
        if (block.value < 0)
            return block.value;
        room = (void *)block.value;
    }
    struct parley_reply reply = nx_receive_block(found.type, room, found.block, (int)found.source,
                                                 nx_address(found.source >> 32, nx_program));
    void *block = reply.value > 0 ? (void *)reply.block : room;
    if (block)
        nx_release(block);
    return reply.value < 0 ? reply.value : 1;
}

long nx_flush(long typesel, long node, long pid)
{
    int mine =
        ((int)node == -1 || (int)node == nx_process.node) && ((int)pid == -1 || (int)pid == nx_process.pid);
    long value = mine ? 1 : 0;
    while (value > 0)
        value = drop_one((int)typesel);
    return value;
}
