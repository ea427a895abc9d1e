/* SPDX-License-Identifier: MIT */
#include "native/libnx/child.h"

#include "native/interface/departure.h"
#include "native/libnx/rank.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/this_process.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pid_t rank;

int nx_is_rank(void)
{
    return getpid() == rank;
}

void nx_leave_to_parent(void)
{
    if (nx_is_rank() || nx_socket < 0)
        return;
    nx_bind_proxies(); /* which end in nx_refuse_children() */
    close(nx_socket);
    nx_socket = -1;
    /* Both are of the message system's, and whoever sends them means the parent. */
    signal(PARLEY_NATIVE_INTERRUPT, SIG_IGN);
    signal(PARLEY_NATIVE_DEPART, SIG_IGN);
}

void nx_be_rank(void)
{
    rank = getpid();
    pthread_atfork(0, 0, nx_leave_to_parent);
}

void nx_refuse_children(void)
{
    if (nx_is_rank())
        return;
    char line[200];
    snprintf(line, sizeof line,
             "parley: %s: a process that its program has started (fork) has called NX/2, and "
             "only the program itself may: let it send and receive\n",
             nx_own_name().text);
    fflush(0);
    (void)!write(STDERR_FILENO, line, strlen(line));
    _exit(1); /* it has nothing to leave */
}
