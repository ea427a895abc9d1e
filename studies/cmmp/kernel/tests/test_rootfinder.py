# SPDX-License-Identifier: MIT
"""The rootfinder in booted kernels: roots under every kind of semaphores, and when messages carry its stages;
what that takes in calls, pages and policy processes."""

import unittest

from boot_case import SEMAPHORES, BootCase, for_each_job

SPINNING = ("spin:0", "queue")
STAGES = {1: 54, 2: 34, 5: 21, 9: 16}
SHORT = "--roots 2"


def roots(case: BootCase, words: tuple[str, int]) -> dict:
    kind, processes = words
    shared = {"args": SHORT, "schedule": "timeshared"}
    return {"app": "rootfinder", "nodes": processes, "semaphore": kind, **shared}


def together(case: BootCase, kind: str) -> dict:
    args = f"{SHORT} --wake together"
    return {"app": "rootfinder", "nodes": 3 if kind in SPINNING else 9, "semaphore": kind, "args": args,
            "schedule": "timeshared", "design": "exp4"}  # fmt: skip


def roots_by_messages(case: BootCase, design: str) -> dict:
    return {"app": "rootfinder", "nodes": 3, "design": design, "args": f"{SHORT} --carry messages"}


@for_each_job(
    [
        (kind, processes)
        for kind in SEMAPHORES
        for processes in STAGES
        if kind not in SPINNING or processes <= 2
    ],
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
class Rootfinder(BootCase):
    def roots_are_found_under(self, words, job):
        kind, processes = words
        self.well(job)
        rows = {row["name"]: row["median"] for row in job.of_kind("rows")}
        self.assertEqual(rows["stages"], 2 * STAGES[processes])
        # Of two roots the first is left out of the mean, and is told by itself all the same.
        self.assertEqual(rows["mean stage of root 1"], rows["mean of later stages"])
        self.assertGreater(rows["mean stage of root 0"], 0)
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
        waits = rows.get("P that waited")
        self.assertEqual(waits is None, kind.startswith("spin"))  # who spins is counted by nobody
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

    def test_more_processes_than_the_documents_have(self):
        boot = self.boot("APP=rootfinder", "NODES=13", "PROCESSORS=1", "DESIGN=exp4")
        self.assertNotEqual(boot.status, 0)
        self.assertIn("rootfinder: there are at most 12 processes, so take NODES=12 or fewer", boot.text)


if __name__ == "__main__":
    unittest.main()
