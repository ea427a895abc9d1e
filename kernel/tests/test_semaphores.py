# SPDX-License-Identifier: MIT
"""P and V in booted kernels: every kind of semaphores, one program; what each kind costs in calls, pages and
policy processes; ended waiters; and what is refused."""

import os
import unittest

from boot_case import ROOT, BootCase, for_each_job

KINDS = ("kernel", "spin:0", "policy-0", "policy-1:300ms:2", "queue", "combining")
OTHERS = ("spin:200", "policy-1:0s:1", "policy-1:20ms:4")
PROGRAMS = os.path.join(ROOT, "kernel", "tests", "programs")
SPINNING = ("spin:0", "queue")
STAGES = {1: 54, 2: 34, 5: 21, 9: 16}
SHORT = "--roots 2"


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


def roots(case: BootCase, words: tuple[str, int]) -> dict:
    kind, processes = words
    shared = {"args": SHORT, "schedule": "timeshared"}
    return {"app": "rootfinder", "nodes": processes, "semaphore": kind, **shared}


def pages(case: BootCase, words: tuple[str, str, str]) -> dict:
    kind, design, disk = words
    rotation = {"none": 0, "fixed-head:2ms": 2_000_000}[disk]
    shared = {"nodes": 2, "schedule": "timeshared", "args": str(rotation)}
    return {"app": program(case, "dirty_pages"), "semaphore": kind, "design": design, "disk": disk, **shared}


def together(case: BootCase, kind: str) -> dict:
    args = f"{SHORT} --wake together"
    return {"app": "rootfinder", "nodes": 3 if kind in SPINNING else 9, "semaphore": kind, "args": args,
            "schedule": "timeshared", "design": "exp4"}  # fmt: skip


def roots_by_messages(case: BootCase, design: str) -> dict:
    return {"app": "rootfinder", "nodes": 3, "design": design, "args": f"{SHORT} --carry messages"}


@for_each_job(
    [
        ("policy-0", "exp4", "none"),
        ("policy-1:0s:2", "exp4", "fixed-head:2ms"),
        ("policy-0", "exp4,location=user,light", "none"),
        ("policy-1:0s:1", "exp4,synchronization=kernel", "none"),
        ("policy-1:300ms:2", "exp4", "fixed-head:2ms"),
        ("kernel", "exp4", "none"),
    ],
    "dirty_pages_are_written_under",
    pages,
    ("PROCESSORS=3",),
    sample=[("policy-1:0s:2", "exp4", "fixed-head:2ms"), ("policy-0", "exp4,location=user,light", "none")],
)
@for_each_job(
    (*KINDS, *OTHERS),
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
@for_each_job(
    [(kind, processes) for kind in KINDS for processes in STAGES if kind not in SPINNING or processes <= 2],
    "roots_are_found_under",
    roots,
    ("PROCESSORS=3",),
    sample=[("spin:0", 2), ("kernel", 5), ("policy-1:300ms:2", 2)],
)
@for_each_job(
    ("spin:0", "kernel", "policy-1:300ms:2", "queue", "combining"),
    "one_call_wakes_all_under",
    together,
    ("PROCESSORS=3",),
    sample=("combining",),
)
# exp2's blocks change owner, exp5's processes share one address space and wait until each is received.
@for_each_job(
    ("exp1", "exp2", "exp3", "exp4", "exp5", "exp6", "nx2", "exp2-user", "native"),
    "messages_carry_the_stages_in",
    roots_by_messages,
    ("PROCESSORS=3",),
    sample=("exp2", "exp5"),
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
        kind, _, disk = words
        self.well(job)
        self.assertIn(f"dirty_pages {kind}: 0 failures", job.text)
        self.assertEqual(job.entry["disk"], {"none": "none"}.get(disk, f"{disk}:4"))

    def policy_processes_go_first_on(self, _, job):
        self.well(job)
        self.assertIn("urgent: 0 of 10 wake-ups were taken up late", job.text)

    def programs_take_turns_under(self, _, job):
        self.well(job)
        self.assertIn("turns: 199 waits in 100 rounds", job.text)

    def roots_are_found_under(self, words, job):
        kind, processes = words
        self.well(job)
        rows = {row["name"]: row["median"] for row in job.of_kind("rows")}
        self.assertEqual(rows["stages"], 2 * STAGES[processes])
        own = 400  # of the pairs that are measured before
        wanted = own + 2 * (processes - 1) * rows["stages"]
        self.assertEqual(rows["kernel P and V"], 0 if kind.startswith("spin") else wanted)
        self.check_policy(kind, rows)

    def one_call_wakes_all_under(self, kind, job):
        self.well(job)
        rows = {row["name"]: row["median"] for row in job.of_kind("rows")}
        processes = int(job.entry["nodes"])
        self.assertEqual(rows["stages"], 2 * (27 if processes == 3 else 16))
        # A stage is one call that wakes all, and their Ps.
        wanted = 400 + rows["stages"] * processes
        self.assertEqual(rows["kernel P and V"], 0 if kind == "spin:0" else wanted)

    def messages_carry_the_stages_in(self, _, job):
        self.well(job)
        rows = {row["name"]: row["median"] for row in job.of_kind("rows")}
        self.assertEqual(rows["stages"], 2 * 27)
        self.assertIn("rootfinder: 2 roots right to 1e-15, 27 stages each\n", job.text)
        self.assertNotIn("kernel P and V", rows)

    def check_policy(self, kind, rows):
        """Pages that were written and policy processes that ran, for the waits that there were."""
        waits = rows["P that waited"]
        if kind == "policy-0":
            self.assertGreaterEqual(rows["page writes"], waits)
            self.assertEqual(rows["page reads"], rows["page writes"])
            self.assertGreaterEqual(rows["policy requests"], 2 * waits)
        elif kind.startswith("policy-1"):
            # Who waited longer had a page at least, its stack's.
            self.assertGreaterEqual(rows["page writes"], waits - rows["wakes within epsilon"])
            self.assertLessEqual(rows["wakes within epsilon"], waits)
        else:
            self.assertEqual(rows["page writes"] + rows["page reads"] + rows["policy requests"], 0)


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
            self.refused("APP=rootfinder", "SEMAPHORE=spinn"),
        )
        self.assertIn(
            "the epsilon of semaphore=policy-1 is 0s to 3600s, in whole numbers, not '-1ms'",
            self.refused("APP=rootfinder", "SEMAPHORE=policy-1:-1ms"),
        )

    def test_disks_that_there_are_not(self):
        self.assertIn(
            "there is no disk 'drum'; say disk=none or disk=fixed-head", self.refused("APP=ring", "DISK=drum")
        )
        self.assertIn(
            "the rotation of disk=fixed-head is 0s to 1s, in whole numbers, not '16.67ms'",
            self.refused("APP=ring", "DISK=fixed-head:16.67ms"),
        )

    def test_more_processes_than_the_documents_have(self):
        text = self.refused("APP=rootfinder", "NODES=13", "PROCESSORS=1", "DESIGN=exp4")
        self.assertIn("rootfinder: there are at most 12 processes, so take NODES=12 or fewer", text)


if __name__ == "__main__":
    unittest.main()
