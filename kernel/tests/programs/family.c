/* SPDX-License-Identifier: MIT */
/* A job of the AMX family of two nodes. Node 0 polls; node 1 ends alone, or ends the job, with the status
 * that the argument is, or by AMX_FatalErr. NAME is the library's, LIBRARY and JOB are
 * its headers. */
#include LIBRARY
#include JOB

#include <signal.h>
#include <string.h>
#include <unistd.h>

_Static_assert(NAME == 1, "a header tells whose it is");

static volatile int is_over;

static void hear(void *token)
{
    (void)token;
    is_over = 1;
}

static void tell(int status)
{
    printf("told of %d\n", status);
    fflush(stdout);
}

static void leave(int status)
{
    printf("left with %d\n", status);
    exit(status);
}

/* A program's handler must not hide that the job has failed. */
static void hide(int number)
{
    (void)number;
    _exit(0);
}

int main(int argc, char **argv)
{
    eb_t bundle;
    ep_t endpoint;
    uint64_t job;
    AMX_VerboseErrors = 1;
    if (AMX_SPMDStartup(&argc, &argv, 0, &job, &bundle, &endpoint) != AM_OK || argc != 2)
        return 9;
    AM_SetHandler(endpoint, 9, hear);
    AMX_SPMDSetExitCallback(tell);
    AMX_SPMDkillmyprocess = leave;
    signal(SIGABRT, hide);
    AMX_SPMDBarrier();
    if (AMX_SPMDMyProc() == 0)
        while (!is_over)
            AM_Poll(bundle);
    else if (!strcmp(argv[1], "fatal"))
        AMX_FatalErr("%s after %d", "over", 3);
    else if (!strcmp(argv[1], "0"))
        AM_Request0(endpoint, 0, 9);
    AMX_SPMDExit(atoi(argv[1]));
    return 9;
}
