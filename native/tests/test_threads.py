# SPDX-License-Identifier: MIT
"""Ranks with threads: what the list of checks in apps/threads tries, and who may call NX/2."""

import os
import unittest

from native_case import NativeCase, app

# Calls that no message system is asked for: of a word of libnx's, and of nxrun.
OTHER_CALLS = {"m": "masktrap(1)", "w": "waitall(-1, 1)", "l": "_load(words[0], 0, 1)", "s": "_setpid(1)"}
CALLS_IN_A_THREAD = (
    """
#include <nx.h>
#include <pthread.h>
static char **words;
static void *call(void *unused)
{
    switch (words[1][0]) {
"""
    + "".join(f"    case '{word}': (void){call}; break;\n" for word, call in OTHER_CALLS.items())
    + """
    }
    return unused;
}
int main(int count, char **arguments)
{
    pthread_t thread;
    (void)count;
    words = arguments;
    pthread_create(&thread, 0, call, 0);
    return pthread_join(thread, 0);
}
"""
)

PROCESSORS = """
#define _GNU_SOURCE
#include <nx.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
static void *count(void *counted)
{
    cpu_set_t own;
    sched_getaffinity(0, sizeof own, &own);
    *(int *)counted = CPU_COUNT(&own);
    return 0;
}
int main(void)
{
    int makers, threads;
    pthread_t thread;
    pthread_create(&thread, 0, count, &threads);
    pthread_join(thread, 0);
    count(&makers);
    printf("%d for the thread, %d for its maker\\n", threads, makers);
    return 0;
}
"""


class Threads(NativeCase):
    def test_ranks_have_threads(self):
        ran = self.well("-n", "2", app("threads"))
        self.assertRegex(ran.out, r"\n[1-9]\d* passed, 0 failed\n")

    def test_a_thread_that_has_not_joined_is_refused_by_message_calls(self):
        for design in ("native", "exp6"):
            ran = self.nxrun("-n", "2", "-d", design, app("threads"), "send")
            self.assertNotEqual(ran.status, 0, design)
            self.assertIn("made in another thread than the one that joined", ran.errors)

    def test_it_is_refused_by_calls_that_ask_nxrun_or_nobody(self):
        program = self.compiled(CALLS_IN_A_THREAD, "program", ".c", "-pthread")
        for word in OTHER_CALLS:
            ran = self.nxrun("-n", "1", program, word)
            self.assertEqual(ran.status, 1, ran.text)
            self.assertIn("the host: a call of NX/2 was made in another thread", ran.errors, word)

    def test_a_thread_of_openmp_is_refused_as_others_are(self):
        program = self.compiled(
            """
            #include <nx.h>
            int main(void)
            {
                #pragma omp parallel num_threads(2)
                {
                    #pragma omp for schedule(static)
                    for (int i = 0; i < 2; i++)
                        if (i == 1)
                            csend(1, 0, 0, 0, 0);
                }
                return 0;
            }
            """,
            "program",
            ".c",
            "-fopenmp",
        )
        ran = self.nxrun("-n", "1", program)
        self.assertEqual(ran.status, 1, ran.text)
        self.assertIn("made in another thread than the one that joined", ran.errors)

    def test_message_handlers_come_to_a_program_with_threads(self):
        program = self.program("threads_handlers")
        for design in ("native", "exp6", "exp6,light"):
            ran = self.well("-n", "2", "-d", design, program)
            self.assertIn("10 handled, 0 of them elsewhere", ran.out, design)

    def test_a_thread_runs_on_any_processor_and_its_maker_stays_where_it_is(self):
        all_of_them = len(os.sched_getaffinity(0))
        program = self.compiled(PROCESSORS, "processors", ".c", "-pthread")
        for design in ("native", "exp6,light"):
            ran = self.well("-n", "1", "-d", design, program)
            self.assertEqual(ran.out, f"{all_of_them} for the thread, 1 for its maker\n", design)

    def test_threads_end_with_their_rank(self):
        self.well("-n", "2", app("threads"), "return")


if __name__ == "__main__":
    unittest.main()
