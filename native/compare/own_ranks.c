/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/compare/own_ranks.h"
#include "native/compare/wire.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank, ranks = 2;
static const char *program;
static char *next_shared, *shared_end;

void own_rank_fails(const char *what)
{
    fprintf(stderr, "%s: rank %d: %s: %s\n", program, rank, what, strerror(errno));
    exit(1);
}

int own_ranks(int *count, char ***words, size_t shared_bytes)
{
    const char *const slash = strrchr((*words)[0], '/');
    program = slash ? slash + 1 : (*words)[0];
    if (*count > 2 && !strcmp((*words)[1], "-n")) {
        ranks = atoi((*words)[2]);
        (*words)[2] = (*words)[0];
        *words += 2;
        *count -= 2;
    }
    if (ranks < 1 || ranks > most_own_ranks) {
        fprintf(stderr, "%s: -n takes 1 to %d ranks\n", program, most_own_ranks);
        exit(2);
    }
    next_shared = mmap(0, shared_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (next_shared == MAP_FAILED)
        own_rank_fails("mmap");
    shared_end = next_shared + shared_bytes;
    return ranks;
}

/* When a rank fails, the others would wait for its messages for ever: this signal tells the first rank. */
static void look_after(int number)
{
    (void)number;
    int status;
    while (waitpid(-1, &status, WNOHANG) > 0)
        if (status != 0)
            _exit(1);
}

int own_ranks_start(void)
{
    fflush(stdout);
    const struct sigaction looks = {.sa_handler = look_after, .sa_flags = SA_RESTART};
    if (sigaction(SIGCHLD, &looks, NULL) != 0)
        own_rank_fails("sigaction");
    const pid_t first = getpid();
    for (int number = 1; number < ranks; number++) {
        const pid_t child = fork();
        if (child < 0)
            own_rank_fails("fork");
        if (child == 0) {
            signal(SIGCHLD, SIG_DFL);
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (getppid() != first)
                exit(1);
            return rank = number;
        }
    }
    return 0;
}

void wire_end(void)
{
    int status;
    while (rank == 0 && wait(&status) > 0)
        if (status != 0)
            exit(1);
}

int wire_rank(void)
{
    return rank;
}

int wire_ranks(void)
{
    return ranks;
}

void *wire_shared(size_t bytes)
{
    void *const found = next_shared;
    next_shared += (bytes + 4095) / 4096 * 4096;
    if (next_shared > shared_end) {
        errno = ENOMEM;
        own_rank_fails("shared memory");
    }
    return found;
}
