/* SPDX-License-Identifier: MIT */
#include "userlib/nx/cube_calls.h"

#include "interface/library_messages.h"
#include "userlib/nx/arrival.h"
#include "userlib/nx/blocks.h"
#include "userlib/nx/operations.h"
#include "userlib/nx/proxies.h"

static struct parley_receive_status wait_for(long node, long pid, int one)
{
    struct parley_receive_status ended;
    nx_attend_if_due();
    NX_UNINTERRUPTED(ended, ended.contents, nx_job_wait_for((int)node, (int)pid, one));
    return ended;
}

/* Where a delivery process moves messages, all that the ended have sent to this process are here when one
 * that it sends to itself afterwards is. */
static long let_messages_arrive(void)
{
    if (!(nx_process.capabilities & NX_MESSAGES_ARE_CARRIED))
        return 0;
    long here = nx_address(nx_process.pid, nx_library);
    long value = nx_send(parley_library_call_waitall, 0, 0, nx_process.node, here);
    void *nothing = 0;
    return value < 0 ? value
                     : nx_length_or_error(
                           nx_receive_block(parley_library_call_waitall, &nothing, 0, nx_process.node, here));
}

long nx_wait_for_all(long node, long pid)
{
    long value = wait_for(node, pid, 0).contents;
    return value < 0 ? value : let_messages_arrive();
}

long nx_wait_for_one(long node, long pid, struct nx_ended *ended)
{
    const struct parley_receive_status one = wait_for(node, pid, 1);
    if (one.contents < 0)
        return one.contents;
    long arrived = let_messages_arrive();
    if (arrived < 0)
        return arrived;
    *ended = (struct nx_ended){(int)parley_receive_status_node(one), (int)parley_receive_status_pid(one),
                               (int)one.contents};
    return 0;
}

/* In user location only the processes themselves know the message system, so the killer clears the places. */
static long kill_processes(long node, long pid, enum nx_waiting_messages messages)
{
    long value = nx_job_kill((int)node, (int)pid, messages).contents;
    if (value >= 0)
        nx_process.library->reset(nx_process.self, nx_process.nodes, (int)node, (int)pid, messages);
    return value;
}

/* What is to be forgotten must have arrived first. */
long nx_kill(long node, long pid, enum nx_waiting_messages messages)
{
    long arrived = messages == nx_messages_forgotten ? let_messages_arrive() : 0;
    return arrived < 0 ? arrived : kill_processes(node, pid, messages);
}

/* The kernel or nxrun says whether the pid is free. Where the message system still finds another row by it,
 * the kernel or nxrun is told to take the old pid again. */
long nx_set_pid(long pid)
{
    long value = nx_job_set_pid((int)pid).contents;
    if (value < 0)
        return value;
    value = nx_process.library->set_pid(nx_process.self, nx_process.start->endpoint, (int)pid);
    if (value < 0)
        nx_job_set_pid(nx_process.pid);
    else
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
    const struct parley_receive_status found =
        nx_probe(typesel, parley_probe_looks, nx_any, nx_address(nx_any, nx_program));
    long is_there = nx_yes_or_no(found);
    if (is_there <= 0)
        return is_there;
    void *room = 0;
    long length = parley_receive_status_length(found);
    long made = nx_make_room(&room, length, 1);
    if (made < 0)
        return made;
    const struct parley_receive_status taken =
        nx_receive_block(parley_receive_status_type(found), &room, length, parley_receive_status_node(found),
                         nx_address(parley_receive_status_pid(found), nx_program));
    if (room)
        NX_CALL(release, (unsigned long)room);
    return taken.contents < 0 ? taken.contents : 1;
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
