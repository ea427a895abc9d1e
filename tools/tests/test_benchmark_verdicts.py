# SPDX-License-Identifier: MIT
"""How a benchmark ends: what it found, and what a busy host makes of it."""

import contextlib
import io
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

import bench  # noqa: E402
from benchmark import verdict  # noqa: E402
from benchmark.verdict import Finding  # noqa: E402


class BenchmarkVerdicts(unittest.TestCase):
    FINDINGS = [
        Finding("null", True, "8 of 8 within the aims", True),
        Finding("counts", True, "nothing above its limit"),
    ]

    def test_a_quiet_host_and_good_findings(self):
        said = verdict.lines(self.FINDINGS, 0.02)
        self.assertIn("  null    8 of 8 within the aims", said)
        self.assertIn("quiet", said[-2])
        self.assertEqual(said[-1], "Good: nothing is above its limit.")

    def test_a_busy_host_spoils_what_ran_freely_and_nothing_else(self):
        said = "\n".join(verdict.lines(self.FINDINGS, 0.4))
        self.assertIn("others took 40% of its processors", said)
        self.assertIn("free running (null) says little", said)
        self.assertIn("(counts) are as on a quiet host", said)

    def test_what_is_bad_is_named(self):
        bad = Finding("study", False, "a gate does not hold")
        self.assertEqual(verdict.lines([*self.FINDINGS, bad], None)[-1], "Not good: study, see above.")

    def test_the_time_of_others_is_what_is_not_our_own(self):
        with tempfile.NamedTemporaryFile("w+") as stat:
            ticks = os.sysconf("SC_CLK_TCK")

            def say(seconds):
                stat.seek(0)
                stat.write(f"cpu {seconds * ticks} 0 0 9 9 0 0 0 0 0\n")
                stat.truncate()
                stat.flush()

            say(0)
            host = verdict.Host(stat.name)
            self.assertLess(host.taken_by_others(), 0.01)
            host.began -= 10
            say(5 * os.cpu_count())
            self.assertAlmostEqual(host.taken_by_others(), 0.5, delta=0.05)
            host.own -= 2 * os.cpu_count()
            self.assertAlmostEqual(host.taken_by_others(), 0.3, delta=0.05)
        self.assertIsNone(verdict.Host("/none").taken_by_others())

    def test_null_messages_above_their_aim_are_named(self):
        within, above = list(bench.NULL_DESIGNS)[:2]
        found = {system: [] for system in bench.NULL_DESIGNS}
        found[within], found[above] = [{"to two lines": 2.0}], [{"to two lines": 9.0}]
        finding = bench.null_finding(found)
        self.assertIn(
            f"1 of {len(found)} within the aims; above: {' '.join(above)} 9.00 of", finding.sentence
        )
        self.assertIn(f"{len(found) - 2} without a usable boot", finding.sentence)
        self.assertTrue(finding.good and finding.free)

    def test_a_blocking_hand_over_is_beside_two_switches_and_fails_only_where_a_count_has_grown(self):
        for hand_over, calls, switch, good, sentence in (
            (650, 280, 250, True, "within the aim: 1.30 times two switches, aim 1.3"),
            (651, 280, 250, True, "above the aim: 1.30 times two switches, aim 1.3"),
            (700, 280, 175, True, "above the aim: 2.00 times two switches, aim 1.3"),
            (706, 280, 400, False, "within .*; hand-over takes 706, above its limit of 705"),
            (700, 301, 400, False, "within .*; V and P takes 301, above its limit of 300"),
        ):
            counted = {"hand-over": hand_over, "V and P": calls, "switch": switch}
            with self.subTest(counted=counted), contextlib.redirect_stdout(io.StringIO()):
                finding = bench.blocking_finding(counted)
                self.assertEqual(finding.good, good)
                self.assertRegex(finding.sentence, sentence)


if __name__ == "__main__":
    unittest.main()
