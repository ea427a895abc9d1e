/* SPDX-License-Identifier: MIT */
/* Host programs and cubes. The job is the cube: getcube, attachcube and relcube find it there. */
#include "interface/option_words.h"
#include "userlib/nx/cube_calls.h"
#include "userlib/nx/failure.h"

#include <nx.h>
#include <string.h>

static long returned(long value)
{
    return value < 0 ? nx_set_errno(-value) : 0;
}

long _getcube(const char *name, const char *type, const char *manager, long keep)
{
    (void)name, (void)manager, (void)keep;
    return type ? returned(nx_check_cube(type, strlen(type))) : 0;
}

void getcube(const char *name, const char *type, const char *manager, long keep)
{
    (void)name, (void)manager, (void)keep;
    if (type && nx_check_cube(type, strlen(type)) < 0)
        nx_end("parley: getcube: the cube has more nodes than this job: say " PARLEY_ASK_NODES
               " when you start it\n");
}

long _attachcube(const char *name)
{
    (void)name;
    return 0;
}

void attachcube(const char *name)
{
    (void)name;
}

long _relcube(const char *name)
{
    (void)name;
    return 0;
}

void relcube(const char *name)
{
    (void)name;
}

long _setpid(long pid)
{
    return returned(nx_set_pid(pid));
}

void setpid(long pid)
{
    long value = nx_set_pid(pid);
    if (value < 0)
        nx_end_call("setpid", nx_sentence(-value), "pid %d", (int)pid);
}

long _setptype(long pid)
{
    return _setpid(pid);
}

void setptype(long pid)
{
    setpid(pid);
}

long _waitall(long node, long pid)
{
    return returned(nx_wait_for_all(node, pid));
}

void waitall(long node, long pid)
{
    long value = nx_wait_for_all(node, pid);
    if (value < 0)
        nx_fail_process("waitall", node, pid, -value);
}

static long wait_one(long node, long pid, long *ended_node, long *ended_pid, long *status)
{
    struct nx_ended ended;
    long value = nx_wait_for_one(node, pid, &ended);
    if (value < 0)
        return value;
    if (ended_node)
        *ended_node = ended.node;
    if (ended_pid)
        *ended_pid = ended.pid;
    if (status)
        *status = ended.status;
    return 0;
}

long _waitone(long node, long pid, long *ended_node, long *ended_pid, long *status)
{
    return returned(wait_one(node, pid, ended_node, ended_pid, status));
}

void waitone(long node, long pid, long *ended_node, long *ended_pid, long *status)
{
    long value = wait_one(node, pid, ended_node, ended_pid, status);
    if (value < 0)
        nx_fail_process("waitone", node, pid, -value);
}

long _killcube(long node, long pid)
{
    return returned(nx_kill(node, pid, nx_messages_forgotten));
}

void killcube(long node, long pid)
{
    long value = nx_kill(node, pid, nx_messages_forgotten);
    if (value < 0)
        nx_fail_process("killcube", node, pid, -value);
}

long _killproc(long node, long pid)
{
    return returned(nx_kill(node, pid, nx_messages_kept));
}

void killproc(long node, long pid)
{
    long value = nx_kill(node, pid, nx_messages_kept);
    if (value < 0)
        nx_fail_process("killproc", node, pid, -value);
}

long _flushmsg(long typesel, long node, long pid)
{
    return returned(nx_flush(typesel, node, pid));
}

void flushmsg(long typesel, long node, long pid)
{
    long value = nx_flush(typesel, node, pid);
    if (value < 0)
        nx_fail_process("flushmsg", node, pid, -value);
}
