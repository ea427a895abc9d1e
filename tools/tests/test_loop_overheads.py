# SPDX-License-Identifier: MIT
"""What `make bench-loops` says of rounds: whether a construct takes at most what it does over gcc's."""

import os
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "userlib", "loops", "bench"))

import overheads  # noqa: E402


class LoopOverheads(unittest.TestCase):
    def said(self, ours: list[float], theirs: list[float]) -> tuple[str, bool]:
        """The last words of the line of one construct, and whether any is missed."""
        (line,), is_missed = overheads.judged([{"for": ns} for ns in ours], [{"for": ns} for ns in theirs])
        return line.split("  ")[-1], is_missed

    def test_intervals_decide(self):
        gcc = [400.0, 410.0, 420.0, 430.0, 440.0]
        for ours, words in (
            ([140.0, 150.0, 160.0, 170.0, 200.0], "holds, below the aim"),
            ([300.0, 350.0, 360.0, 370.0, 390.0], "holds"),
            ([300.0, 350.0, 360.0, 370.0, 410.0], "inside the noise"),
            ([441.0, 450.0, 460.0, 470.0, 480.0], "missed"),
            ([-2.0, -1.0, 0.0, 1.0, 2.0], "holds, below the aim"),
        ):
            with self.subTest(words=words):
                self.assertEqual(self.said(ours, gcc), (words, words == "missed"))

    def test_few_rounds_decide_nothing(self):
        self.assertEqual(self.said([9.0, 9.0], [1.0, 1.0]), ("too few rounds (2)", False))

    def test_an_overhead_of_nothing_divides_nothing(self):
        self.assertEqual(self.said([9.0] * 5, [0.0] * 5), ("missed", True))


if __name__ == "__main__":
    unittest.main()
