# SPDX-License-Identifier: MIT
"""Active Messages beside NX/2 in the booted kernel: one list of tests under every design, and the ring."""

import os
import unittest

from boot_case import SIX, BootCase, for_each_job

PROGRAMS = os.path.join(os.path.dirname(__file__), "programs")
NAMED = (*SIX, "nx2", "exp2-user")
FURTHER = ("exp1,light,asynchronous", "exp6,synchronous", "nx2,location=user,light")
# Over a port that keeps no order, short enough to be full: in either location.
UNORDERED = ("exp6,port=lock-free:16:2:0", "exp5,location=kernel,port=lock-free")

# What a job of the AMX family says whose node 1 ends it, while node 0 polls.
ENDS = {
    "0": ("ok", "left with 0\n"),
    "3": ("failed", "node 1, pid 0: AMX_SPMDExit: the status is not 0, so the job ends\n"),
    "fatal": ("failed", "node 1, pid 0: AMX_FatalErr: over after 3\n"),
}


def family_job(case: BootCase, how: str) -> dict:
    with open(os.path.join(PROGRAMS, "family.c"), encoding="utf-8") as file:
        words = ("-DNAME=AMMPI", "-DLIBRARY=<ammpi.h>", "-DJOB=<ammpi_spmd.h>")
        return {"app": case.compile("nxcc", "family.c", file.read(), *words), "args": how, "nodes": 2}


@for_each_job(ENDS, "a_job_of_the_amx_family_ends_by", family_job)
@for_each_job(
    (*NAMED, *FURTHER, *UNORDERED),
    "active_messages_keep_their_promises_under",
    lambda _, design: {"app": "am_selftest", "design": design, "nodes": 3},
    sample=("exp1", "exp2", "exp5", "exp6", *UNORDERED),
)
class ActiveMessages(BootCase):
    def active_messages_keep_their_promises_under(self, _, job):
        self.assertRegex(self.well(job).text, r"[1-9]\d* passed, 0 failed")

    def a_job_of_the_amx_family_ends_by(self, how, job):
        status, said = ENDS[how]
        self.assertEqual(job.status, status, job.text)
        self.assertIn(said, job.text)

    def test_fortran_makes_each_call(self):
        with open(os.path.join(PROGRAMS, "active.f"), encoding="utf-8") as file:
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
