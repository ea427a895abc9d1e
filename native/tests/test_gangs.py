# SPDX-License-Identifier: MIT
"""Jobs that share processors take turns (nxrun --gang): what their ranks write down shows whose turn it
was."""

import contextlib
import itertools
import json
import os
import signal
import socket
import struct
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
QUICK = "#include <nx.h>\nint main(void) { gsync(); return 0; }\n"
# Loaded before nxrun, it holds each new rank up before that has asked to end with nxrun.
HELD_UP = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/prctl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
int prctl(int option, unsigned long value)
{
    if (option == PR_SET_PDEATHSIG)
        open(getenv("HELD_UP"), O_RDONLY);
    return syscall(SYS_prctl, option, value, 0, 0, 0);
}
"""
STEPS = 400_000
LONGEST = 60


def holds_back(process: int, number: int) -> bool:
    with open(f"/proc/{process}/status", encoding="ascii", errors="replace") as file:
        held = next(line.split()[1] for line in file if line.startswith("SigBlk:"))
    return int(held, 16) >> (number - 1) & 1 == 1


def state_of(process: int) -> str:
    """One letter, as in ps: "T" is stopped; nothing: there is no such process."""
    try:
        with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return ""


def is_in_poll(process: int) -> bool:
    with open(f"/proc/{process}/syscall", encoding="ascii") as file:
        return file.read().split()[0] == "7"


def keeper_of_turns() -> int:
    """0: there is none, since a job that had one has not started another yet."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection:
        try:
            connection.connect(f"\0parley-turns-{os.geteuid()}")
        except ConnectionRefusedError:
            return 0
        credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        return struct.unpack("3i", credentials)[0]


class Gangs(NativeCase):
    def job(self, *words: str) -> subprocess.Popen:
        process = subprocess.Popen([NXRUN, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def ended(self, process: subprocess.Popen) -> None:
        said = process.communicate(timeout=LONGEST)
        self.assertEqual(process.returncode, 0, said)

    def until(self, has_come):
        """What that has answered at last."""
        end = time.monotonic() + LONGEST
        while not (answer := has_come()):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)
        return answer

    def test_one_job_runs_at_a_time_and_each_has_its_turn(self):
        program, log = self.compiled(WRITER % STEPS), self.path("log")
        with open(log, "wb") as file:
            file.truncate(STEPS + 4096)
        jobs = []
        for letter in "abc":
            record = self.path(letter)
            words = ("--gang", "--slice", "10", "--no-pin", "-n", "2", "--record", record)
            jobs.append((record, self.job(*words, program, log, letter)))
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
        quick = self.compiled(QUICK, "quick")
        self.assertEqual(self.well("--gang", "-n", "2", quick).text, "")

    def a_job_that_is_stopped(self, number: int):
        """It is the first, so it has begun the turns; its ranks stop with it, and go on with it."""
        forever, quick = self.compiled(FOREVER), self.compiled(QUICK, "quick")
        job = self.job("--gang", "--slice", "20", "--no-pin", "-n", "2", forever)
        self.assertEqual(job.stdout.readline(), "here\n")
        ranks = ranks_of(job.pid)
        job.send_signal(number)
        self.until(lambda: state_of(job.pid) == "T")
        for _ in range(2):
            self.assertEqual(self.well("--gang", "--no-pin", "-n", "2", quick).text, "")
        self.assertEqual([state_of(rank) for rank in ranks], ["T", "T"])
        job.send_signal(signal.SIGCONT)
        self.until(lambda: "T" not in map(state_of, ranks))
        self.assertEqual(self.well("--gang", "--no-pin", "-n", "2", quick).text, "")
        self.assertIsNone(job.poll())

    def test_a_job_that_is_stopped_leaves_its_turns_to_others(self):
        self.a_job_that_is_stopped(signal.SIGSTOP)

    def test_a_job_that_a_terminal_stops_leaves_its_turns_to_others(self):
        self.a_job_that_is_stopped(signal.SIGTSTP)

    def test_a_terminal_stops_all_ranks_with_a_job(self):
        job = self.job("-n", "2", self.compiled(FOREVER))
        self.assertEqual(job.stdout.readline(), "here\n")
        ranks = ranks_of(job.pid)
        job.send_signal(signal.SIGTSTP)
        self.until(lambda: state_of(job.pid) == "T")
        self.assertEqual([state_of(rank) for rank in ranks], ["T", "T"])
        job.send_signal(signal.SIGCONT)
        self.until(lambda: "T" not in map(state_of, ranks))

    def test_a_job_that_is_stopped_while_it_waits_is_passed_over(self):
        """And has its turn once it goes on."""
        forever, quick = self.compiled(FOREVER), self.compiled(QUICK, "quick")
        first = self.job("--gang", "--slice", "300", "--no-pin", forever)
        self.assertEqual(first.stdout.readline(), "here\n")
        waits = self.job("--gang", "--slice", "300", "--no-pin", quick)
        self.until(lambda: holds_back(waits.pid, signal.SIGINT))
        waits.send_signal(signal.SIGSTOP)
        self.until(lambda: state_of(waits.pid) == "T")
        self.assertEqual(self.well("--gang", "--no-pin", quick).text, "")
        self.assertIsNone(waits.poll())
        waits.send_signal(signal.SIGCONT)
        self.ended(waits)

    def test_turns_go_on_when_somebody_stops_or_ends_their_keeper(self):
        quick = self.compiled(QUICK, "quick")
        job = self.job("--gang", "--slice", "20", "--no-pin", self.compiled(FOREVER))
        self.assertEqual(job.stdout.readline(), "here\n")
        for number in (signal.SIGSTOP, signal.SIGKILL, signal.SIGSTOP):
            os.kill(self.until(keeper_of_turns), number)
            self.assertEqual(self.well("--gang", "--no-pin", quick).text, "")
        self.assertIsNone(job.poll())

    def test_a_rank_is_not_stopped_before_it_ends_with_nxrun(self):
        """Its slice is over before it has begun, and then its nxrun is killed: neither is it left behind, nor
        has the next job to wait for it."""
        gate, shim, source = self.path("gate"), self.path("shim.so"), self.path("shim.c")
        os.mkfifo(gate)
        with open(source, "w", encoding="utf-8") as file:
            file.write(HELD_UP)
        subprocess.run(["gcc", "-shared", "-fPIC", "-o", shim, source], check=True)
        quick = self.compiled(QUICK, "quick")
        environment = {**os.environ, "LD_PRELOAD": shim, "HELD_UP": gate}
        words = [NXRUN, "--gang", "--slice", "1", "--no-pin", "-n", "1", quick]
        with subprocess.Popen(words, env=environment) as first, contextlib.ExitStack() as ends:
            ends.callback(first.kill)
            self.until(lambda: ranks_of(first.pid))
            (rank,) = ranks_of(first.pid)
            ends.callback(lambda: lives(rank) and os.kill(rank, signal.SIGKILL))
            next_job = self.job("--gang", "--no-pin", quick)
            self.until(lambda: is_in_poll(first.pid) or state_of(rank) == "T")
            first.kill()
            self.ended(next_job)
            self.assertTrue(lives(rank))
            os.close(os.open(gate, os.O_RDWR | os.O_NONBLOCK))  # now it goes on
            self.until(lambda: not lives(rank))

    def test_an_interrupt_ends_a_job_that_waits_for_its_turn(self):
        program = self.compiled(FOREVER)
        first = self.job("--gang", "--slice", "60000", "--no-pin", program)
        self.assertEqual(first.stdout.readline(), "here\n")
        second = self.job("--gang", "--slice", "60000", "--no-pin", program)
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
            words = ["taskset", "-c", str(processor), NXRUN, "--gang", "--slice", "60000", "-n", "1", program]
            job = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.addCleanup(job.communicate)
            self.addCleanup(job.kill)
            self.assertEqual(job.stdout.readline(), "here\n")


if __name__ == "__main__":
    unittest.main()
