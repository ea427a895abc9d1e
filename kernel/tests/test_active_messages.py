# SPDX-License-Identifier: MIT
"""Active Messages beside NX/2 in the booted kernel: one list of tests under every design, and the ring."""

import os
import unittest

from boot_case import SIX, BootCase, for_each_job

NAMED = (*SIX, "nx2", "exp2-user")
FURTHER = ("exp1,light,asynchronous", "exp6,synchronous", "nx2,location=user,light")
# Over a port that keeps no order, short enough to be full: in either location.
UNORDERED = ("exp6,port=lock-free:16:2:0", "exp5,location=kernel,port=lock-free")


@for_each_job(
    (*NAMED, *FURTHER, *UNORDERED),
    "active_messages_keep_their_promises_under",
    lambda _, design: {"app": "am_selftest", "design": design, "nodes": 3},
    sample=("exp1", "exp2", "exp5", "exp6", *UNORDERED),
)
class ActiveMessages(BootCase):
    def active_messages_keep_their_promises_under(self, _, job):
        self.assertRegex(self.well(job).text, r"[1-9]\d* passed, 0 failed")

    def test_fortran_makes_each_call(self):
        with open(os.path.join(os.path.dirname(__file__), "programs", "active.f"), encoding="utf-8") as file:
            program = self.compile("nxf77", "active.f", file.read())
        for design in ("exp6", "exp2-user"):
            boot = self.boot_well(f"APP={program}", "NODES=3", f"DESIGN={design}")
            self.assertIn("ACTIVE FROM FORTRAN", boot.text)

    def test_the_ring_checks_its_messages(self):
        boot = self.boot_well("APP=am_ring", "NODES=3", "ARGS=--samples 3 --trips 5")
        self.assertIn("all messages right", boot.text)
        names = [row["name"] for row in boot.record["rows"]]
        self.assertEqual(names, ["round the ring", "request and reply", "csend and crecv"])


if __name__ == "__main__":
    unittest.main()
