# SPDX-License-Identifier: MIT
"""docs/performance.md: its numbers are those of the data, of the limits, and of their own sums."""

import json
import os
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))

from benchmark import counts  # noqa: E402


def read(*path: str) -> str:
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def table(page: str, first: str) -> list[list[str]]:
    """The rows of the table whose head begins with that word."""
    lines = page[page.index(f"| {first} |") :].split("\n\n")[0].split("\n")
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


class PerformancePage(unittest.TestCase):
    def setUp(self):
        self.page = read("docs", "performance.md")

    def test_the_pairs_are_those_of_the_baseline(self):
        baseline = json.loads(read("docs", "data", "instruction-counts.json"))["counts"]
        rows = table(self.page, "design")
        self.assertGreater(len(rows), 10)
        for design, dispatch, *told in rows:
            counted = baseline[f"{design} {dispatch}"]
            pairs = [counted[f"csend {size}"] + counted[f"crecv {size}"] for size in counts.SIZES]
            ways = [counted[f"to and fro {size}"] for size in counts.SIZES]
            self.assertEqual([float(cell) for cell in told], pairs + ways, (design, dispatch))

    def test_the_parts_of_a_pair_add_up_and_its_aims_are_the_limits(self):
        *parts, total, aims = table(self.page, "part")
        for column in range(1, len(total)):
            self.assertEqual(sum(int(row[column] or 0) for row in parts), int(total[column]), column)
        limits = counts.NULL_PAIR
        aimed = {"exp6 virtual": int(aims[1]), "exp6,location=user virtual": int(aims[3])}
        self.assertEqual(aimed, limits)
        missed = [int(total[column]) - int(aims[column]) for column in (2, 4)]
        self.assertIn(f"misses its aims by {missed[0]} and {missed[1]}.", self.page)
        self.assertIn(f"To meet {aims[2]} and {aims[4]} one", " ".join(self.page.split()))


if __name__ == "__main__":
    unittest.main()
