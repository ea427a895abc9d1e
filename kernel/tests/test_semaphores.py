# SPDX-License-Identifier: MIT
"""P and V in booted kernels: every kind of semaphores, one program; what each kind costs in calls, pages and
policy processes; ended waiters; and what is refused."""

import os
import unittest

from boot_case import ROOT, SEMAPHORES, BootCase, for_each_job

OTHERS = ("spin:200", "policy-1:0s:1", "policy-1:20ms:4")
PROGRAMS = os.path.join(ROOT, "kernel", "tests", "programs")


def program(case: BootCase, name: str) -> str:
    if not os.path.exists(os.path.join(case.folder, name)):
        with open(os.path.join(PROGRAMS, f"{name}.c"), encoding="utf-8") as file:
            case.compile("nxcc", f"{name}.c", file.read(), f"-I{PROGRAMS}")
    return os.path.join(case.folder, name)


def promises(case: BootCase, kind: str) -> dict:
    return {"app": program(case, "semaphores"), "nodes": 3, "semaphore": kind}


def under_design(case: BootCase, design: str) -> dict:
    return {**promises(case, "kernel"), "design": design}


def kills(case: BootCase, kind: str) -> dict:
    program(case, "semaphores_node")
    return {
        "app": program(case, "semaphores_host"),
        "nodes": 3,
        "semaphore": kind,
        "schedule": "timeshared",
        "design": "exp4",
    }


def first(case: BootCase, processors: int) -> dict:
    kept = {"nodes": processors + 1, "schedule": "timeshared", "design": "exp4"}
    return {"app": program(case, "urgent"), "semaphore": "policy-0", **kept}


def turns(case: BootCase, kind: str) -> dict:
    kept = {"nodes": 2, "schedule": "timeshared", "design": "exp4"}
    return {"app": program(case, "turns"), "semaphore": kind, **kept}


def pages(case: BootCase, words: tuple[str, str], rotation: int = 0) -> dict:
    """`rotation`: what a revolution of the machine's disks takes, in nanoseconds."""
    kind, design = words
    shared = {"nodes": 2, "schedule": "timeshared", "args": str(rotation)}
    return {"app": program(case, "dirty_pages"), "semaphore": kind, "design": design, **shared}


@for_each_job(
    [
        ("policy-0", "exp4"),
        ("policy-0", "exp4,location=user,light"),
        ("policy-1:0s:1", "exp4,synchronization=kernel"),
        ("kernel", "exp4"),
    ],
    "dirty_pages_are_written_under",
    pages,
    ("PROCESSORS=3",),
    sample=[("policy-0", "exp4,location=user,light")],
)
@for_each_job(
    (*SEMAPHORES, *OTHERS),
    "promises_hold_under",
    promises,
    ("PROCESSORS=3",),
    sample=("kernel", "policy-1:300ms:2", "queue", "combining"),
)
@for_each_job(
    ("exp1", "exp3", "exp5", "nx2"), "promises_hold_in", under_design, ("PROCESSORS=3",), sample=("exp5",)
)
# Nobody knows who waits at a spin lock, so nobody can be ended there in time.
@for_each_job(
    ("kernel", "policy-0", "policy-1:300ms:2", "queue", "combining"),
    "ended_waiters_give_up_their_places_under",
    kills,
    ("PROCESSORS=3",),
    sample=("policy-0",),
)
@for_each_job((1,), "policy_processes_go_first_on", first, ("PROCESSORS=1",))
@for_each_job(
    ("policy-0", "policy-1:0s:1"), "programs_take_turns_under", turns, ("PROCESSORS=1", "CLOCK=counted")
)
class Semaphores(BootCase):
    def promises_hold_under(self, kind, job):
        self.well(job)
        self.assertIn(f"semaphores {kind}: 0 failures", job.text)
        self.assertEqual(job.entry["semaphore"], kind)
        self.assertEqual((job.entry["frames_leaked"], job.entry["objects_leaked"]), (0, 0))

    def promises_hold_in(self, _, job):
        self.well(job)
        self.assertIn("semaphores kernel: 0 failures", job.text)

    def ended_waiters_give_up_their_places_under(self, _, job):
        self.well(job)
        self.assertIn("semaphores_host: 12 rounds", job.text)
        self.assertEqual((job.entry["frames_leaked"], job.entry["objects_leaked"]), (0, 0))

    def dirty_pages_are_written_under(self, words, job):
        self.well(job)
        self.assertIn(f"dirty_pages {words[0]}: 0 failures", job.text)

    def policy_processes_go_first_on(self, _, job):
        self.well(job)
        self.assertIn("urgent: 0 of 10 wake-ups were taken up late", job.text)

    def programs_take_turns_under(self, _, job):
        self.well(job)
        self.assertIn("turns: 199 waits in 100 rounds", job.text)


ALL_WAIT = """#include <nx.h>
#include <nx_semaphores.h>
int main(void)
{
    P(nx_semaphore(7, 0));
    return 0;
}
"""


class Deadlocks(BootCase):
    def test_processes_that_all_wait_in_p_are_told_with_the_semaphore(self):
        program = self.compile("nxcc", "all_wait.c", ALL_WAIT)
        boot = self.boot(f"APP={program}")
        self.assertEqual((boot.status, boot.record["jobs"][0]["status"]), (1, "deadlock"), boot.text[-2000:])
        for node in (0, 1):
            self.assertIn(f"node {node}: P waits for a V of semaphore 7\n", boot.text)


class Refusals(BootCase):
    def refused(self, *words: str) -> str:
        boot = self.boot(*words)
        self.assertNotEqual(boot.status, 0)
        return boot.text

    def test_kinds_that_there_are_not(self):
        self.assertIn(
            "'spinn'; there are combining, kernel, policy-0, policy-1, queue, spin; did you mean",
            self.refused("APP=ring", "SEMAPHORE=spinn"),
        )
        self.assertIn(
            "the epsilon of semaphore=policy-1 is 0s to 3600s, in whole numbers, not '-1ms'",
            self.refused("APP=ring", "SEMAPHORE=policy-1:-1ms"),
        )


if __name__ == "__main__":
    unittest.main()
