# SPDX-License-Identifier: MIT
"""How a benchmark ends: what it found, and what a busy host makes of it."""

import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

TOOLS = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
sys.path.insert(0, TOOLS)

import bench  # noqa: E402
from benchmark import verdict  # noqa: E402
from benchmark.verdict import Finding  # noqa: E402


class BenchmarkVerdicts(unittest.TestCase):
    FINDINGS = [
        Finding("null", None, "times two lines: exp6 virtual 4.00", True),
        Finding("counts", True, "nothing above its limit"),
    ]

    def test_a_quiet_host_and_good_findings(self):
        said = verdict.lines(self.FINDINGS, 0.02)
        self.assertIn("  null    times two lines: exp6 virtual 4.00", said)
        self.assertIn("quiet", said[-2])
        self.assertEqual(said[-1], "Nothing failed: counts. Told, not judged: null.")
        self.assertEqual(verdict.status(self.FINDINGS), 0)

    def test_a_busy_host_spoils_what_ran_freely_and_nothing_else(self):
        said = "\n".join(verdict.lines(self.FINDINGS, 0.4))
        self.assertIn("others took 40% of its processors", said)
        self.assertIn("free running (null) says little", said)
        self.assertIn("(counts) are as on a quiet host", said)

    def test_what_is_bad_is_named(self):
        bad = Finding("study", False, "a gate does not hold")
        self.assertEqual(verdict.lines([*self.FINDINGS, bad], None)[-1], "Not good: study, see above.")
        self.assertEqual(verdict.status([*self.FINDINGS, bad]), 1)

    def test_what_is_only_told_is_not_called_good(self):
        said = verdict.lines(self.FINDINGS[:1], None)
        self.assertEqual(said[-1], "Told, not judged: null.")

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

    def test_null_messages_stand_beside_what_their_instructions_predict(self):
        first, second = bench.NULL_DESIGNS[:2]
        found = {system: [] for system in bench.NULL_DESIGNS}
        found[first], found[second] = [{"to two lines": 2.0}], [{"to two lines": 9.0}]
        finding = bench.null_finding(found, {first: {"to two lines": 5.5}, second: {"to two lines": 4.25}})
        self.assertIn(f"{' '.join(first)} 2.00 (instructions: 5.50)", finding.sentence)
        self.assertIn(f"{' '.join(second)} 9.00 (instructions: 4.25)", finding.sentence)
        self.assertIn(f"{len(found) - 2} without a usable boot", finding.sentence)
        self.assertEqual((finding.good, finding.free), (None, True))

    def test_a_blocking_hand_over_fails_where_it_is_above_a_limit(self):
        for hand_over, calls, switch, good, sentence in (
            (650, 280, 250, True, "^1.30 times two switches, at most 1.3$"),
            (651, 280, 250, False, "^1.302 times two switches, above its limit of 1.3$"),
            (706, 280, 400, False, "^hand-over takes 706, above its limit of 705$"),
            (700, 301, 400, False, "^V and P takes 301, above its limit of 300$"),
        ):
            counted = {"hand-over": hand_over, "V and P": calls, "switch": switch}
            with self.subTest(counted=counted), contextlib.redirect_stdout(io.StringIO()):
                finding = bench.blocking_finding(counted)
                self.assertEqual(finding.good, good)
                self.assertRegex(finding.sentence, sentence)


class Studies(unittest.TestCase):
    def test_make_shows_every_part_of_a_study_and_fails_with_any(self):
        with open(os.path.join(TOOLS, "tools.mk"), encoding="utf-8") as file:
            (rule,) = re.findall(r"^in_turn = .*$", file.read(), re.M)
        rules = f"{rule}\nA = echo one\nB = false\nC = echo three\nall:\n\t@$(call in_turn,A $(MORE) C)\n"
        for more, status in (("", 0), ("MORE=B", 2)):
            command = ["make", "-f", "-", *[more] * bool(more)]
            done = subprocess.run(command, input=rules, capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (status, "one\nthree\n"), done.stderr)


if __name__ == "__main__":
    unittest.main()
