# SPDX-License-Identifier: MIT
"""The benchmark's baseline of instruction counts: complete, and exceeded exactly where it says so."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

from benchmark import counts  # noqa: E402

CALLS = ("csend", "crecv", "to and fro")


class BaselineTest(unittest.TestCase):
    def test_every_design_is_there_under_both_dispatches(self):
        systems = {f"{design} {dispatch}" for design in counts.DESIGNS for dispatch in counts.DISPATCHES}
        self.assertEqual(set(counts.recorded()) & systems, systems)

    def test_every_design_has_every_call_and_size(self):
        names = {f"{call} {size}" for call in CALLS for size in counts.SIZES}
        for system, values in counts.recorded().items():
            with self.subTest(system=system):
                self.assertEqual(set(values), names)

    def test_the_baseline_is_within_its_own_limits(self):
        for system, values in counts.recorded().items():
            with self.subTest(system=system):
                self.assertEqual(counts.problems(system, values, values), [])


class LimitTest(unittest.TestCase):
    BEFORE = {"csend 0": 100.0, "crecv 0": 100.0, "csend 100": 1000.0}

    def problems(self, system: str, **now: float) -> list[str]:
        values = {name.replace("_", " "): value for name, value in now.items()}
        return counts.problems(system, self.BEFORE | values, self.BEFORE)

    def test_three_percent_more_is_allowed(self):
        self.assertEqual(self.problems("exp1 static", csend_100=1030), [])

    def test_more_than_three_percent_is_named(self):
        found = self.problems("exp1 static", csend_100=1031)
        self.assertEqual(len(found), 1)
        self.assertIn("csend 100 takes 1031, 3.1% more than the 1000", found[0])

    def test_a_null_pair_has_a_limit_of_its_own(self):
        self.assertEqual(self.problems("exp6 virtual", csend_0=140, crecv_0=160), [])
        found = self.problems("exp6 virtual", csend_0=140, crecv_0=161)
        self.assertEqual(found, ["csend 0 and crecv 0 together take 301, at most 300 are allowed"])

    def test_a_design_outside_the_baseline_has_no_limits(self):
        self.assertEqual(counts.problems("other static", self.BEFORE, None), [])


if __name__ == "__main__":
    unittest.main()
