# SPDX-License-Identifier: MIT
"""P and V on Linux: the programs that prove every kind in booted kernels, Fortran, wrong ids, which P and V
in the program's own code must not take for right ones, and ends of whoever waits or serves."""

import os
import signal
import subprocess
import time
import unittest

from native_case import LONGEST, NXRUN, WAIT_FOR_SLEEP, NativeCase, for_each, name_of, ranks_of

SPINNING = ("spin:0", "spin:20")
POLICIES = ("policy-0", "policy-1:300ms:2", "policy-1:0s:1")
QUEUED = ("kernel", "queue", "combining", *POLICIES)
KINDS = (*QUEUED, *SPINNING)
TURNS = """
      program turns
      include 'fnx.h'
      integer first, second, i
      first = nxsemaphore(0, 0)
      second = nxsemaphore(1, 0)
      do 10 i = 1, 100
        if (mynode() .eq. 0) then
          call v(first)
          call p(second)
        else
          call p(first)
          call v(second)
        end if
   10 continue
      if (mynode() .eq. 0) print *, 'turns', i - 1
      end
"""
WRONG = """
#include <nx.h>
#include <nx_semaphores.h>
#include <stdlib.h>
int main(int count, char **words)
{
    const long right = nx_semaphore(0, 1), wrong = atol(words[2]);
    P(right);
    V(right);
    words[1][0] == 'P' ? P(wrong) : V(wrong);
    return count - 3;
}
"""
# The right one is 256: 512 has its number.
NOBODYS = "this job has no such semaphore; nx_semaphore opens them, and numbers them from 0 to 255"
SENTENCES = {0: NOBODYS, 512: "this semaphore belongs to another job", 257: NOBODYS}


ALL_WAIT = """
#include <nx.h>
#include <nx_semaphores.h>
int main(void)
{
    P(nx_semaphore(7, 0));
    return 0;
}
"""
ONE_WAITS = """
#include <nx.h>
#include <nx_semaphores.h>
#include <unistd.h>
int main(void)
{
    if (mynode() == 0)
        pause();
    P(nx_semaphore(7, 0));
    return 0;
}
"""
# In each of 20 rounds somebody waits, if only because a V is made by one who runs.
COUNTED = """
#include <nx.h>
#include <nx_semaphores.h>
#include <stdio.h>
int main(void)
{
    const long there = nx_semaphore(0, 0), back = nx_semaphore(1, 0);
    struct parley_semaphore_counts counts;
    for (int round = 0; round < 20; round++) {
        if (mynode() == 0)
            V(there);
        P(mynode() == 0 ? back : there);
        if (mynode() == 1)
            V(back);
    }
    gsync();
    nx_semaphore_counts(&counts);
    if (mynode() == 0)
        printf("%lu %lu %lu %lu %lu %lu\\n", counts.calls, counts.waits, counts.wakes, counts.policy_runs,
               counts.page_writes + counts.page_reads, counts.in_time);
    return 0;
}
"""
# Node 0 waits in P when its other thread does what the word says.
THREAD = (
    WAIT_FOR_SLEEP
    + """
#include <nx.h>
#include <nx_semaphores.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static int ends;
static void *act(void *id)
{
    wait_for_sleep(getpid());
    if (ends)
        _exit(0);
    V((long)id);
    return 0;
}
int main(int count, char **words)
{
    const long id = nx_semaphore(4, 0);
    pthread_t thread;
    ends = count > 1 && words[1][0] == 'e';
    gsync();
    if (mynode() == 0)
        pthread_create(&thread, 0, act, (void *)id);
    P(id);
    return 0;
}
"""
)
# A signal's handler meets P of node 0 in the library, if not at once.
HANDLER = """
#include <nx.h>
#include <nx_semaphores.h>
#include <signal.h>
#include <unistd.h>
static long another;
static void give(int number)
{
    (void)number;
    V(another);
}
int main(void)
{
    const long id = nx_semaphore(4, 0);
    another = nx_semaphore(5, 0);
    signal(SIGALRM, give);
    if (mynode() == 0)
        ualarm(50000, 50000);
    P(id);
    return 0;
}
"""


@for_each(("kernel", "spin:0"), "fortran_takes_turns_under")
@for_each(("kernel", "spin:0"), "wrong_ids_are_refused_under")
class Semaphores(NativeCase):
    def test_every_kind_keeps_its_promises(self):
        program = self.program("semaphores")
        designs = [(kind, "native") for kind in KINDS] + [(kind, "native,light") for kind in POLICIES]
        for kind, design in designs:
            ran = self.well("-n", "3", "-d", design, "--semaphore", kind, program)
            self.assertIn(f"semaphores {kind}: 0 failures", ran.out, design)

    def test_ended_waiters_give_up_their_places(self):
        self.program("semaphores_node")
        program = self.program("semaphores_host")
        for kind in QUEUED:
            ran = self.well("-n", "3", "--semaphore", kind, program)
            self.assertIn("semaphores_host: 12 rounds", ran.out, kind)

    def test_a_deadlock_in_p_is_told(self):
        program = self.compiled(ALL_WAIT)
        for kind in ("kernel", "queue", "policy-1:0s:1"):
            ran = self.nxrun("-n", "2", "--semaphore", kind, program)
            self.assertEqual(ran.status, 1, kind)
            self.assertEqual(
                ran.errors,
                "nxrun: The job deadlocked: every rank waits, so none can ever go on.\n"
                "  node 0: P waits for a V of semaphore 7\n"
                "  node 1: P waits for a V of semaphore 7\n",
            )

    def test_a_policy_process_that_ends_ends_the_job(self):
        words = [NXRUN, "-n", "2", "--limit", "30", "--semaphore", "policy-0", self.compiled(ONE_WAITS)]
        with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as job:
            names: list[str] = []
            while names.count("program") < 2 or "nxrun" not in names:  # all ranks' programs have begun
                self.assertIsNone(job.poll())
                time.sleep(0.005)
                ranks = ranks_of(job.pid)
                names = [name_of(rank) for rank in ranks]
            os.kill(ranks[names.index("nxrun")], signal.SIGKILL)
            _, errors = job.communicate(timeout=LONGEST)
        self.assertEqual(job.returncode, 1)
        self.assertRegex(
            errors, r"^nxrun: The job failed: policy process \d was ended by signal 9 \(Killed\)\.\n$"
        )

    def test_each_kind_counts_what_it_does(self):
        program = self.compiled(COUNTED)
        for kind in ("kernel", "queue", "combining", "policy-0", "policy-1:0s:1", "policy-1:3600s:1"):
            ran = self.well("-n", "2", "--semaphore", kind, program)
            calls, waits, wakes, runs, pages, in_time = (int(word) for word in ran.out.split())
            self.assertEqual((calls, pages), (80, 0), kind)
            self.assertTrue(0 < wakes <= waits <= 40, ran.out)
            self.assertEqual(runs != 0, kind in ("policy-0", "policy-1:0s:1"), ran.out)
            self.assertEqual(in_time, wakes if kind == "policy-1:3600s:1" else 0, kind)

    def test_a_rank_that_ends_in_p_by_itself_ends_its_job(self):
        ran = self.nxrun("-n", "2", self.compiled(THREAD), "ends")
        self.assertEqual(ran.status, 1)
        self.assertEqual(
            ran.errors,
            "nxrun: The job failed: node 0 ended while it waited in P of semaphore 4, where a V would be "
            "lost to it.\n",
        )

    def test_other_threads_and_handlers_above_the_library_are_refused(self):
        for text, sentence in (
            (THREAD, "a call of NX/2 was made in another thread than the one that joined"),
            (HANDLER, "a handler of a signal has interrupted the message library and has not returned to it"),
        ):
            ran = self.nxrun("-n", "2", self.compiled(text))
            self.assertEqual(ran.status, 1)
            self.assertIn(sentence, ran.errors)

    def fortran_takes_turns_under(self, kind):
        ran = self.well("-n", "2", "--semaphore", kind, self.compiled(TURNS, end=".f"))
        self.assertEqual(ran.out.split(), ["turns", "100"])

    def wrong_ids_are_refused_under(self, kind):
        program = self.compiled(WRONG)
        for call in "PV":
            for wrong, sentence in SENTENCES.items():
                ran = self.nxrun("-n", "1", "--semaphore", kind, program, call, str(wrong))
                self.assertEqual(ran.status, 1, ran.text)
                self.assertIn(f"{call}(id {wrong}): {sentence}\n", ran.errors)


if __name__ == "__main__":
    unittest.main()
