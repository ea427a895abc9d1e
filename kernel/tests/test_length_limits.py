# SPDX-License-Identifier: MIT
"""Lengths and counts that no call can have are refused by every call of NX, in booted kernels
(length_calls.py makes the programs from the headers)."""

import unittest

import length_calls
from boot_case import BootCase, extra, for_each_job


def returning(case: BootCase, design: str) -> dict:
    return {"app": case.compiled(length_calls.returning_program()), "design": design, "nodes": 1}


@for_each_job(
    ("exp4", "exp6", "exp6,location=user", "native"),
    "calls_that_return_refuse_lengths_in",
    returning,
    sample=("exp6", "native"),
)
class LengthLimits(BootCase):
    def calls_that_return_refuse_lengths_in(self, _, job):
        self.assertIn(f"{len(length_calls.returning())} calls, 0 wrong", self.well(job).text)

    def test_the_calls_are_found(self):
        """A header that is written otherwise than today would leave nothing to test."""
        found = {call.name for call in length_calls.calls()}
        self.assertLessEqual({"csend", "_csendrecv", "hrecvx", "gsendx", "_gcolx", "crecvp", "cread"}, found)
        self.assertGreaterEqual(len(length_calls.calls()), 104)

    @extra
    def test_calls_that_end_the_program_say_why(self):
        program = self.compiled(length_calls.ending_program())
        calls = length_calls.ending()
        self.assertGreater(len(calls), 50)
        jobs = "".join(f'[[job]]\nname = "call-{i}"\nargs = "{i}"\n' for i in range(len(calls)))
        config = self.write("calls.toml", f'app = "{program}"\nnodes = 1\n{jobs}')
        boot = self.boot(f"CONFIG={config}", limit=600)
        self.assertEqual([job["status"] for job in boot.record["jobs"]], ["failed"] * len(calls), boot.text)
        said = boot.text.count(length_calls.SENTENCE + "\n")
        self.assertEqual(said, len(calls), boot.text)
        self.assertNotIn("it went on", boot.text)

    def test_a_host_program_loads_no_such_number(self):
        self.boot_well(f"APP={self.compiled(length_calls.load_program())}", "NODES=1")


if __name__ == "__main__":
    unittest.main()
