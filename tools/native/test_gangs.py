# SPDX-License-Identifier: MIT
"""Jobs that share processors take turns (nxrun --gang): what their ranks write down shows whose turn it
was."""

import itertools
import json
import os
import signal
import subprocess
import time
import unittest

from native_case import NXRUN, NativeCase, lives, ranks_of

# Each rank writes its job's letter into the next place of a file that all jobs map, until the file is full.
WRITER = """
#include <nx.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
int main(int count, char **words)
{
    const unsigned long end = %d;
    int file = open(words[1], O_RDWR);
    struct { unsigned long next; char letters[]; } *log =
        mmap(0, end + 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    (void)count;
    gsync();
    for (;;) {
        for (volatile int i = 0; i < 1000; i++)
            ;
        unsigned long at = __atomic_fetch_add(&log->next, 1, __ATOMIC_SEQ_CST);
        if (at >= end)
            return 0;
        log->letters[at] = words[2][0];
    }
}
"""
FOREVER = """
#include <nx.h>
#include <stdio.h>
int main(void)
{
    if (mynode() == 0) {
        puts("here");
        fflush(stdout);
    }
    for (;;);
}
"""
STEPS = 400_000
LONGEST = 60


def holds_back(process: int, number: int) -> bool:
    with open(f"/proc/{process}/status", encoding="ascii", errors="replace") as file:
        held = next(line.split()[1] for line in file if line.startswith("SigBlk:"))
    return int(held, 16) >> (number - 1) & 1 == 1


class Gangs(NativeCase):
    def job(self, *words: str) -> subprocess.Popen:
        process = subprocess.Popen([NXRUN, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def ended(self, process: subprocess.Popen) -> None:
        said = process.communicate(timeout=LONGEST)
        self.assertEqual(process.returncode, 0, said)

    def until(self, has_come) -> None:
        end = time.monotonic() + LONGEST
        while not has_come():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)

    def test_one_job_runs_at_a_time_and_each_has_its_turn(self):
        program, log = self.compiled(WRITER % STEPS), self.path("log")
        with open(log, "wb") as file:
            file.truncate(STEPS + 4096)
        jobs = []
        for letter in "abc":
            record = self.path(letter)
            words = ("--slice", "10", "--no-pin", "-n", "2", "--record", record, program, log, letter)
            jobs.append((record, self.job(*words)))
        turns = 0
        for record, job in jobs:
            self.ended(job)
            with open(record, encoding="utf-8") as file:
                turns += json.load(file)["turns"]
        with open(log, "rb") as file:
            letters = file.read()[8 : 8 + STEPS].decode()
        runs = [letter for letter, _ in itertools.groupby(letters)]
        self.assertEqual(set(runs), set("abc"))
        # In its turn a job writes all by itself. The last steps of a turn may show late: a rank that is
        # stopped between taking its place and writing into it.
        self.assertGreater(turns, 6)
        self.assertLess(len(runs), 2 * turns)
        shares = [letters.count(letter) for letter in "abc"]
        self.assertGreater(min(shares), STEPS / 30, shares)

    def test_a_job_that_is_killed_leaves_its_turn_to_the_next(self):
        """The one that keeps the turns for all is killed; then the one whose turn it is."""
        program = self.compiled(FOREVER)
        jobs = [self.job("--gang", "--slice", "20", "--no-pin", "-n", "2", program) for _ in range(3)]
        for job in jobs:
            self.assertEqual(job.stdout.readline(), "here\n")
        for job in jobs:
            ranks = ranks_of(job.pid)
            self.assertEqual(len(ranks), 2)
            job.send_signal(signal.SIGKILL)
            job.wait(LONGEST)
            self.until(lambda ranks=ranks: not any(map(lives, ranks)))
        quick = self.compiled('#include <nx.h>\nint main(void) { gsync(); return 0; }\n', "quick")
        self.assertEqual(self.well("--gang", "-n", "2", quick).text, "")

    def test_an_interrupt_ends_a_job_that_waits_for_its_turn(self):
        program = self.compiled(FOREVER)
        first = self.job("--slice", "60000", "--no-pin", program)
        self.assertEqual(first.stdout.readline(), "here\n")
        second = self.job("--slice", "60000", "--no-pin", program)
        self.until(lambda: holds_back(second.pid, signal.SIGINT))
        self.assertEqual(ranks_of(second.pid), [])
        second.send_signal(signal.SIGINT)
        self.assertEqual(second.wait(LONGEST), 130)
        self.assertIsNone(first.poll())

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "it needs two processors")
    def test_jobs_on_different_processors_run_at_once(self):
        program = self.compiled(FOREVER)
        processors = sorted(os.sched_getaffinity(0))[:2]
        for processor in processors:
            words = ["taskset", "-c", str(processor), NXRUN, "--slice", "60000", "-n", "1", program]
            job = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.addCleanup(job.communicate)
            self.addCleanup(job.kill)
            self.assertEqual(job.stdout.readline(), "here\n")


if __name__ == "__main__":
    unittest.main()
