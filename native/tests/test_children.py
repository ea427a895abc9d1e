# SPDX-License-Identifier: MIT
"""Processes that a rank starts itself: whatever they do and however they end, the rank goes on sending and
receiving."""

import unittest

from native_case import NativeCase, for_each

# Each node has its neighbour send to it after its own child has ended, with a handler that waits besides.
STARTS = """
#define _GNU_SOURCE
#include <nx.h>
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static volatile int handled;

static void on_message(long type, long count, long node, long pid)
{
    (void)type, (void)count, (void)node, (void)pid;
    handled++;
}

static void end(pid_t child)
{
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
        exit(9);
}

static void start(const char *how)
{
    if (!strcmp(how, "exit")) {
        pid_t child = fork();
        if (child == 0)
            exit(0);
        end(child);
    } else if (!strcmp(how, "status")) {
        pid_t child = fork();
        if (child == 0)
            exit(5);
        end(child);
    } else if (!strcmp(how, "_exit")) {
        pid_t child = fork();
        if (child == 0)
            _exit(0);
        end(child);
    } else if (!strcmp(how, "call")) {
        pid_t child = syscall(SYS_fork);
        if (child == 0)
            exit(0);
        end(child);
    } else if (!strcmp(how, "signal")) {
        pid_t child = fork();
        if (child == 0)
            raise(SIGSEGV);
        end(child);
    } else if (!strcmp(how, "interrupt")) {
        pid_t child = fork();
        if (child == 0) {
            raise(SIGUSR1); /* the one that handlers come by, */
            raise(63);      /* and the one that ranks are told to end by */
            exit(0);
        }
        end(child);
    } else if (!strcmp(how, "vfork")) {
        pid_t child = vfork();
        if (child == 0)
            _exit(0);
        end(child);
    } else if (!strcmp(how, "system")) {
        if (system("exit 0") != 0)
            exit(8);
    } else if (!strcmp(how, "popen")) {
        char line[20] = "";
        FILE *pipe = popen("echo word", "r");
        if (!fgets(line, sizeof line, pipe) || pclose(pipe) != 0 || strcmp(line, "word\\n"))
            exit(8);
    } else if (!strcmp(how, "spawn")) {
        pid_t child;
        char *words[] = {"true", 0};
        if (posix_spawnp(&child, "true", 0, 0, words, environ) != 0)
            exit(8);
        end(child);
        if (posix_spawnp(&child, "/not/there", 0, 0, words, environ) != ENOENT)
            exit(8);
    } else if (!strcmp(how, "sends") || !strcmp(how, "receives") || !strcmp(how, "reports")) {
        pid_t child = fork();
        long word = 7;
        if (child == 0 && *how == 's')
            csend(3, &word, sizeof word, 1 - mynode(), 0);
        else if (child == 0 && !strcmp(how, "receives"))
            crecv(3, &word, sizeof word);
        else if (child == 0)
            setpid(3);
        if (child == 0)
            exit(0);
        int status = 0;
        waitpid(child, &status, 0);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 1)
            exit(7);
    } else
        exit(6);
}

int main(int count, char **words)
{
    long other = 1 - mynode(), word = mynode(), got = -1, more;
    hrecv(4, &more, sizeof more, on_message);
    gsync();
    if (mynode() == 1)
        start(words[count - 1]);
    gsync();
    csend(3, &word, sizeof word, other, 0);
    csend(4, &word, sizeof word, other, 0);
    crecv(3, &got, sizeof got);
    while (!handled)
        flick();
    if (mynode() == 1)
        printf("%ld %d\\n", got, handled);
    return got != other;
}
"""
HARMLESS = ("exit", "status", "_exit", "call", "signal", "interrupt", "vfork", "system", "popen", "spawn")
REFUSED = ("sends", "receives", "reports")
DESIGNS = ("native", "exp4", "exp6,light")
LIMIT = ("-n", "2", "--limit", "10")


@for_each(DESIGNS, "a_child_never_speaks_for_its_parent_under")
class Children(NativeCase):
    def a_child_never_speaks_for_its_parent_under(self, design):
        program = self.compiled(STARTS)
        for how in HARMLESS:
            ran = self.well(*LIMIT, "-d", design, program, how)
            self.assertEqual((ran.out, ran.errors), ("0 1\n", ""), how)
        for what in REFUSED:
            ran = self.well(*LIMIT, "-d", design, program, what)
            self.assertEqual(ran.out, "0 1\n", what)
            self.assertRegex(ran.errors, r"^parley: node 1, pid 0: a process that its program has started")
            self.assertEqual(len(ran.errors.splitlines()), 1, ran.errors)


if __name__ == "__main__":
    unittest.main()
