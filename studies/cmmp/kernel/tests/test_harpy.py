# SPDX-License-Identifier: MIT
"""HARPY in booted kernels: every way to share its work gives one answer, on any number of processes and over
any semaphores, and waits as often as it must."""

import unittest

from boot_case import BootCase, for_each_job

SHORT = "--utterances 1 --names 10"
SENTENCE = '"how_many messages are there please", -2267'
BARRIERS = {1: 2, 2: 2, 3: 3}  # of a segment
KINDS = ("kernel", "spin:0")


def search(_case: BootCase, words: tuple) -> dict:
    variant, nodes, kind = words
    return {"app": "harpy", "nodes": nodes, "semaphore": kind, "args": f"--variant {variant} {SHORT}"}


@for_each_job(
    [(0, 1, "kernel")]
    + [(variant, nodes, kind) for variant in range(1, 6) for nodes in (1, 2, 4) for kind in KINDS],
    "sentences_are_found_in_variant",
    search,
    ("PROCESSORS=4",),
    sample=[
        *((1, 1, "spin:0"), (1, 4, "kernel"), (2, 4, "spin:0"), (3, 2, "kernel"), (4, 2, "spin:0")),
        *((4, 4, "kernel"), (5, 4, "kernel")),
    ],
)
class Harpy(BootCase):
    def sentences_are_found_in_variant(self, words, job):
        variant, nodes, kind = words
        self.well(job)
        self.assertIn(f"harpy: {SENTENCE}\n", job.text)
        rows = {row["name"]: row["median"] for row in job.of_kind("rows")}
        self.assertAlmostEqual(rows["candidates 1-10"] + rows["candidates 11-100"], 100)
        if variant == 0:
            return
        self.assertGreater(rows["utilization"], 0)
        self.assertLessEqual(rows["utilization"], 100)
        waited = 0
        if kind == "kernel":
            waited = 2 * (nodes - 1) * (BARRIERS.get(variant, 2) * rows["segments"] + 1)
        if variant in BARRIERS or kind != "kernel":
            self.assertEqual(rows["kernel P and V"], waited)
        else:
            self.assertGreaterEqual(rows["kernel P and V"], waited)  # and those that wait for work


class Refusals(BootCase):
    def refused(self, *words: str) -> str:
        boot = self.boot("APP=harpy", *words)
        self.assertNotEqual(boot.status, 0)
        return boot.text

    def test_more_processes_than_the_documents_have(self):
        text = self.refused("NODES=13", "PROCESSORS=1", "DESIGN=exp4")
        self.assertIn("harpy: there are at most 12 processes, so take NODES=12 or fewer", text)

    def test_semaphores_that_sleep_where_nothing_can_wake_in_time(self):
        text = self.refused("CLOCK=modelled", "MACHINE=ideal", "BACK_END=public")
        self.assertIn("APP=harpy waits at semaphores, and at those of SEMAPHORE=kernel processes sleep", text)


if __name__ == "__main__":
    unittest.main()
