# SPDX-License-Identifier: MIT
"""Handlers of signals that a program sets itself: one that returns harms nothing wherever it comes, and one
that has interrupted the message library and does not return to it ends the job with a sentence."""

import os
import subprocess
import unittest

from native_case import NATIVE, NativeCase, for_each

# Node 1 has the handler.
SIGNALS = """
#include <nx.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

void (*sigset(int number, void (*handler)(int)))(int); /* in no header without a warning */
#define HELD ((void (*)(int))2)

static sigjmp_buf before;
static volatile sig_atomic_t signals;
static volatile long handled;
static const char *how;

static void on_signal(int number)
{
    (void)number;
    signals++;
    if (!strcmp(how, "calls"))
        csend(9, 0, 0, mynode(), 0);
    if (!strcmp(how, "exits"))
        exit(0);
    if (strcmp(how, "returns"))
        siglongjmp(before, 1);
}

static void on_message(long type, long count, long node, long pid)
{
    (void)count, (void)node, (void)pid;
    handled++;
    hrecv(type, 0, 0, on_message);
}

static void every(long microseconds)
{
    const struct itimerval time = {{0, microseconds}, {0, microseconds}};
    setitimer(ITIMER_REAL, &time, 0);
}

/* Messages and message handlers go on between the signals. */
static void exchange(void)
{
    long last = 0, rounds = 0;
    if (mynode() == 1) {
        hrecv(8, 0, 0, on_message);
        every(500);
    }
    gsync();
    do {
        if (mynode() == 1) {
            last = signals >= 200;
            csend(6, &last, sizeof last, 0, 0);
            crecv(7, 0, 0);
        } else {
            crecv(6, &last, sizeof last);
            csend(8, 0, 0, 1, 0);
            csend(7, 0, 0, 1, 0);
        }
        rounds++;
    } while (!last);
    while (mynode() == 1 && handled < rounds)
        flick();
}

/* Until a signal comes in there. */
static void send_for_ever(void)
{
    static char bytes[4000];
    sigsetjmp(before, 1);
    every(2000);
    for (;;) {
        csend(7, bytes, sizeof bytes, mynode(), 0);
        crecv(7, bytes, sizeof bytes);
    }
}

static void interrupted(void)
{
    if (!strcmp(how, "faults") || !strcmp(how, "exits")) {
        if (!sigsetjmp(before, 1))
            csend(1, (void *)0x2000, 8, 0, 0);
    } else if (!strcmp(how, "computes")) {
        if (!sigsetjmp(before, 1))
            for (every(10000);;)
                ;
    } else if (!strcmp(how, "sends")) {
        send_for_ever();
    } else { /* one that comes before the call may jump: then there is another */
        sigsetjmp(before, 1);
        every(10000);
        crecv(5, 0, 0);
    }
}

static void set_handler(int number)
{
    struct sigaction action = {.sa_handler = on_signal}, found;
    if (sigaction(number, &action, 0) != 0 || sigaction(number, 0, &found) != 0 ||
        found.sa_handler != on_signal || signal(number, SIG_IGN) != on_signal ||
        signal(number, on_signal) != SIG_IGN || signal(number, on_signal) != on_signal)
        exit(9);
    if (!strcmp(how, "sets") && (sigset(number, HELD) != on_signal ||
        sigset(number, SIG_IGN) != HELD || sigset(number, on_signal) != SIG_IGN))
        exit(9);
}

int main(int count, char **words)
{
    long got = 0, word = mynode();
    how = words[count - 1];
    if (mynode() == 1) {
        set_handler(SIGALRM);
        set_handler(SIGSEGV);
    }
    gsync();
    if (!strcmp(how, "returns"))
        exchange();
    else if (mynode() == 1)
        interrupted();
    every(0);
    csend(3, &word, sizeof word, 1 - mynode(), 0);
    crecv(3, &got, sizeof got);
    gsync();
    if (mynode() == 1)
        printf("%ld %s\\n", got, signals ? "signals" : "none");
    return 0;
}
"""
HARMLESS = ("returns", "computes")
REFUSED = ("jumps", "sets", "sends", "faults", "calls", "exits")
DESIGNS = ("native", "exp4", "synchronization=mcs", "synchronization=semaphore", "exp6,light")
SENTENCE = "parley: node 1, pid 0: a handler of a signal has interrupted the message library and has not "
LIMIT = ("-n", "2", "--limit", "20")


@for_each(DESIGNS, "handlers_of_signals_return_to_the_message_library_under")
class Signals(NativeCase):
    def handlers_of_signals_return_to_the_message_library_under(self, design):
        program = self.compiled(SIGNALS)
        for how in HARMLESS:
            ran = self.well(*LIMIT, "-d", design, program, how)
            self.assertEqual((ran.out, ran.errors), ("0 signals\n", ""), how)
        for how in REFUSED:
            self.refused(design, program, how)

    def refused(self, design, program, how):
        ran = self.nxrun(*LIMIT, "-d", design, program, how)
        self.assertEqual((ran.status, ran.out), (1, ""), how + ran.errors)
        first, *rest = ran.errors.splitlines()
        self.assertTrue(first.startswith(SENTENCE), first)
        self.assertEqual(rest, ["nxrun: The job failed: node 1 was ended by signal 6 (Aborted)."], how)

    def test_a_handler_that_is_set_for_one_signal_alone(self):
        """As signal() sets it in plain standard C."""
        plain = self.compiled(SIGNALS, "plain", ".c", "-std=c17", "-D_POSIX_C_SOURCE=200809L")
        for how in ("jumps", "faults"):
            self.refused("native", plain, how)

    def test_a_program_with_the_shared_libnx(self):
        """It is linked without the wrappers."""
        with open(self.path("shared.c"), "w", encoding="utf-8") as file:
            file.write(SIGNALS)
        include, library = (os.path.join(NATIVE, *words) for words in (("include", "parley"), ("lib",)))
        program = self.path("shared")
        words = [f"-I{include}", "-o", program, self.path("shared.c")]
        subprocess.run(["cc", *words, f"-L{library}", f"-Wl,-rpath,{library}", "-lnx"], check=True)
        self.assertEqual(self.well(*LIMIT, program, "returns").out, "0 signals\n")
        for how in REFUSED:
            self.refused("native", program, how)


if __name__ == "__main__":
    unittest.main()
