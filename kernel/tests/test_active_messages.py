# SPDX-License-Identifier: MIT
"""Active Messages beside NX/2 in the booted kernel: one list of tests under every design, and the ring."""

import json
import os
import subprocess
import unittest

from boot_case import BUILD, ROOT, SIX, BootCase, claims, for_each_job, needs
from suites import active_mistakes

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


def mistaken_job(case: BootCase, mistake: str) -> dict:
    program = os.path.join(case.folder, "mistaken")
    if not os.path.exists(program):
        case.compile("nxcc", "mistaken.c", active_mistakes.program(), f"-I{ROOT}")
    return {"app": program, "args": mistake, "nodes": 1}


def damaged_job(case: BootCase, design: str) -> dict:
    program = os.path.join(case.folder, "damaged")
    if not os.path.exists(program):
        case.compile("nxcc", "damaged.c", active_mistakes.DAMAGED, f"-I{ROOT}")
    return {"app": program, "design": design, "nodes": 2}


@for_each_job(active_mistakes.MISTAKES, "a_mistake_is_told_in_a_sentence", mistaken_job)
@for_each_job(("native", "exp6", "exp5"), "packets_that_are_none_are_ignored_under", damaged_job)
@for_each_job(ENDS, "a_job_of_the_amx_family_ends_by", family_job)
@for_each_job(
    (*NAMED, *FURTHER, *UNORDERED),
    "active_messages_keep_their_promises_under",
    lambda _, design: {"app": "am_selftest", "design": design, "nodes": 3},
    sample=("exp1", "exp2", "exp5", "exp6", *UNORDERED),
)
@for_each_job(
    [f"native,port={claim}" for claim in claims()],
    "the_static_build_keeps_them_under",
    lambda _, design: {"app": "am_selftest", "design": design, "nodes": 3},
    words=("DISPATCH=static",),
)
class ActiveMessages(BootCase):
    def active_messages_keep_their_promises_under(self, _, job):
        self.assertRegex(self.well(job).text, r"[1-9]\d* passed, 0 failed")

    @needs("static")
    def the_static_build_keeps_them_under(self, _, job):
        self.assertRegex(self.well(job).text, r"[1-9]\d* passed, 0 failed")
        self.assertEqual(job.boot.record["dispatch"], "static")

    def test_every_claim_has_a_row_of_static_dispatch(self):
        listing = subprocess.run([f"{BUILD}/designs", "list", "--json"], capture_output=True, check=True)
        rows = json.loads(listing.stdout)["rows_beside"]
        self.assertEqual(rows, [f"native,port={claim}" for claim in claims()])

    def a_job_of_the_amx_family_ends_by(self, how, job):
        status, said = ENDS[how]
        self.assertEqual(job.status, status, job.text)
        self.assertIn(said, job.text)

    def a_mistake_is_told_in_a_sentence(self, mistake, job):
        self.assertEqual(job.status, "failed" if active_mistakes.status(mistake) else "ok", job.text)
        self.assertIn(active_mistakes.told(mistake), job.text)

    def packets_that_are_none_are_ignored_under(self, _, job):
        said = self.well(job).text
        self.assertIn("goes on\n", said)
        self.assertNotIn("a handler has run", said)

    def test_nine_words_do_not_compile(self):
        source = self.write("nine.c", active_mistakes.NINE_WORDS)
        words = [f"{BUILD}/nxcc", "-o", f"{self.folder}/nine", source]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(active_mistakes.NINE_WORDS_ARE, done.stderr)

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
