/* SPDX-License-Identifier: MIT */
#include "userlib/nx/cube_calls.h"

#include "userlib/nx/arrival.h"
#include "userlib/nx/blocks.h"
#include "userlib/nx/job_call.h"

static struct parley_reply wait_for(long node, long pid, int one)
{
    NX_UNINTERRUPTED(NX_JOB(wait_for, (int)node, (int)pid, one, 0));
}

/* Where a delivery process moves messages, all that the ended have sent to this process are here when one
 * that it sends to itself afterwards is. */
static long let_messages_arrive(void)
{
    enum { type_last = 1 };
    if (!(nx_process.capabilities & PARLEY_MESSAGES_ARE_CARRIED))
        return 0;
    long here = nx_address(nx_process.pid, nx_library);
    long value = nx_send(type_last, 0, 0, nx_process.node, here);
    return value < 0 ? value : nx_receive_block(type_last, 0, 0, nx_process.node, here).value;
}

long nx_wait_for_all(long node, long pid)
{
    long value = wait_for(node, pid, 0).value;
    return value < 0 ? value : let_messages_arrive();
}

long nx_wait_for_one(long node, long pid, struct nx_ended *ended)
{
    struct parley_reply reply = wait_for(node, pid, 1);
    if (reply.value < 0)
        return reply.value;
    long arrived = let_messages_arrive();
    if (arrived < 0)
        return arrived;
    *ended = (struct nx_ended){(int)reply.node, (int)reply.pid, (int)reply.value};
    return 0;
}

/* In user location only the processes themselves know the message system, so the killer clears the places. */
static long kill_processes(long node, long pid, enum nx_waiting_messages messages)
{
    long value = NX_JOB(kill, (int)node, (int)pid, messages, 0).value;
    if (value >= 0 && nx_process.library)
        nx_process.library->vacate(nx_process.self, nx_process.nodes, (int)node, (int)pid, messages);
    return value;
}

/* What is to be forgotten must have arrived first. */
long nx_kill(long node, long pid, enum nx_waiting_messages messages)
{
    long arrived = messages == nx_messages_forgotten ? let_messages_arrive() : 0;
    return arrived < 0 ? arrived : kill_processes(node, pid, messages);
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
    long made = nx_make_room(&room, found.block, 1);
    if (made < 0)
        return made;
    struct parley_reply reply =
        nx_receive_block(found.type, room, found.block, found.node, nx_address(found.pid, nx_program));
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
