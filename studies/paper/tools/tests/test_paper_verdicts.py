# SPDX-License-Identifier: MIT
"""What of the study is judged: orderings, gates, and gangs; what does not hold ends with status 1."""

import contextlib
import io
import sys
import unittest
import unittest.mock

import gangs
from benchmark.verdict import Finding
from paper import bench_parts


class PaperVerdicts(unittest.TestCase):
    def judged(self, free: bool, exp4: float, exp1: float = 1.0) -> tuple[Finding, str]:
        """Of curves in which all statements hold but those that these factors break."""
        sizes = (128, 1024, 4096, 65536)
        makers = {
            "exp1": lambda size: exp1 * (1000 + size / 2),
            "exp2": lambda size: 900.0,
            "exp3": lambda size: 9000 + 3.0 * size,
            "exp4": lambda size: exp4 * (1900 + size),
            "exp5": lambda size: 950 + size / 2,
            "exp6": lambda size: 1900.0 + size,
            "nx2": lambda size: 3500 + size / 2,
        }
        curves = {name: {size: of(size) for size in sizes} for name, of in makers.items()}
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            finding = bench_parts.judge_statements("counted", curves, free)
        return finding, printed.getvalue()

    def test_an_ordering_that_does_not_hold_by_count_fails(self):
        finding, printed = self.judged(False, 1.4, exp1=3.0)
        self.assertIs(finding.good, False)
        self.assertIn("DOES NOT HOLD: exp1 is below exp6", printed)
        self.assertIn("not: exp1 is below exp6", finding.sentence)

    def test_one_whose_reason_is_known_is_told_with_it_and_fails_when_it_holds(self):
        finding, printed = self.judged(False, 1.4)
        self.assertIs(finding.good, True)
        self.assertIn("cannot hold by count: exp4 is far above exp6: only 1.40 times", printed)
        self.assertNotIn("DOES NOT HOLD", printed)
        self.assertIn("8 of 9 orderings hold; not by count, as docs/performance.md", finding.sentence)
        finding, _ = self.judged(False, 1.6)
        self.assertIs(finding.good, False)
        self.assertIn("held, though a count should not show it: exp4 is far above exp6", finding.sentence)

    def test_orderings_under_the_free_clock_are_told_and_not_judged(self):
        finding, printed = self.judged(True, 1.4)
        self.assertIsNone(finding.good)
        self.assertIn("DOES NOT HOLD: exp4 is far above exp6", printed)

    def test_a_gate_of_the_study_that_does_not_hold_fails(self):
        for holds in (True, False):
            with unittest.mock.patch.object(bench_parts.gates, "gates", lambda holds=holds: holds):
                self.assertIs(bench_parts.every_gate().good, holds)

    def test_gangs_whose_dispatch_takes_too_long(self):
        for single, status in ((100.0, 0), (60.0, 1)):
            rows = {(name, count): 400.0 for name in gangs.STATIONS for count in (2, 4)}
            rows |= {("single dispatch", 4): single, ("collect, flooded", 2): 1e6}
            with (
                unittest.mock.patch.object(gangs, "measure", lambda arguments, clock, rows=rows: rows),
                unittest.mock.patch.object(sys, "argv", ["gangs.py"]),
            ):
                said = io.StringIO()
                with contextlib.redirect_stdout(said):
                    found = gangs.main()
            self.assertEqual(found, status, said.getvalue())
            self.assertIn("DOES NOT HOLD" if status else "  holds: dispatching", said.getvalue())


if __name__ == "__main__":
    unittest.main()
