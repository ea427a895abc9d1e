# SPDX-License-Identifier: MIT
"""Programs with threads, as the C library makes them: what the list of checks in apps/threads tries, and how
such programs end."""

import os
import unittest

from boot_case import ROOT, BootCase, for_each_job

# Designs, nodes and schedule; each is tried on one processor and on several.
RUNS = (
    ("exp6", 1, "auto"),
    ("exp6", 2, "timeshared"),
    ("exp5", 1, "auto"),
    ("exp6,location=user", 1, "auto"),
)
# How a program with threads ends: its job's status, what is said, and what is not.
ENDINGS = {
    "return": ("ok", "", "FAILED"),
    "exit": ("failed", "", "the program"),
    "_exit": ("failed", "", "the program"),
    "pthread_exit": ("ok", "the last thread has ended", "the program"),
    "abort": ("failed", "thread 1: the program aborted", "executed"),
    "fault": ("failed", "thread 2: the program tried to write at 0x18, where it may not", "NX/2"),
    "deadlock": ("deadlock", "its first thread waits for another of its 3 threads", "limit"),
    "send": ("failed", "a call of NX/2", "passed"),
    "too_many": ("ok", "512 threads were made", "the program"),
}
# A program that a thread ends, and its host.
ENDER = """#include <pthread.h>
#include <stdlib.h>
static void *end(void *argument) { (void)argument; exit(0); }
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, end, 0);
    return pthread_join(thread, 0);
}
"""
LOADER = """#include <nx.h>
#include <stdio.h>
int main(void)
{
    for (int i = 0; i < 3; i++) {
        load("ender", -1, 0);
        waitall(-1, 0);
    }
    puts("all three have ended");
    return 0;
}
"""


def of_run(_, run):
    design, nodes, schedule = run
    return {"app": "threads", "design": design, "nodes": nodes, "schedule": schedule}


@for_each_job(RUNS, "threads_on_one_processor_under", of_run, words=("PROCESSORS=1",), sample=RUNS[:1])
@for_each_job(RUNS, "threads_on_four_processors_under", of_run, words=("PROCESSORS=4",), sample=RUNS[:2])
@for_each_job(
    sorted(ENDINGS),
    "a_program_with_threads_ends_by",
    lambda _, how: {"app": "threads", "args": how, "nodes": 2 if how == "deadlock" else 1},
    words=("PROCESSORS=2",),
)
class Threads(BootCase):
    def threads_on_one_processor_under(self, _, job):
        self.assertRegex(self.well(job).text, r"[1-9]\d* passed, 0 failed")

    def threads_on_four_processors_under(self, _, job):
        self.assertRegex(self.well(job).text, r"[1-9]\d* passed, 0 failed")

    def a_program_with_threads_ends_by(self, how, job):
        status, said, unsaid = ENDINGS[how]
        self.assertEqual(job.status, status, job.text[-3000:])
        self.assertIn(said, job.text)
        self.assertNotIn(unsaid, job.text)

    def test_message_handlers_come_to_a_program_with_threads(self):
        source = os.path.join(ROOT, "kernel", "tests", "programs", "threads_handlers.c")
        with open(source, encoding="utf-8") as file:
            program = self.compile("nxcc", "threads_handlers.c", file.read())
        for design in ("exp6", "exp6,location=user"):
            boot = self.boot_well(f"APP={program}", f"DESIGN={design}", "NODES=2", "PROCESSORS=2")
            self.assertIn("10 handled, 0 of them elsewhere", boot.text, design)

    def test_a_node_takes_the_next_program_after_a_thread_has_ended_one(self):
        self.compile("nxcc", "ender.c", ENDER)
        host = self.compile("nxcc", "loader.c", LOADER)
        for design in ("exp6", "exp6,location=user"):
            words = ("HOSTED=1", "NODES=1", "PROCESSORS=2", f"FILES={self.folder}")
            boot = self.boot_well(f"APP={host}", f"DESIGN={design}", *words)
            self.assertIn("all three have ended", boot.text, design)

    def test_a_program_that_computes_in_a_thread_ends_with_its_limit(self):
        boot = self.boot("APP=threads", "ARGS=limit", "NODES=1", "PROCESSORS=2", limit=1)
        self.assertEqual(boot.record["jobs"][0]["status"], "limit", boot.text[-3000:])


if __name__ == "__main__":
    unittest.main()
