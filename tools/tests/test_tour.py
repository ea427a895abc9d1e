# SPDX-License-Identifier: MIT
"""docs/tour.md: each file that it links is there, and each name of a step stands in a file that the step
links. docs/first-lab.md: as many tests begin as its filters say as it shows."""

import glob
import os
import re
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
LINK = re.compile(r"\[[^]]+\]\(\s*(\.\./[^)#\s]+)")
STEP = re.compile(r"^\d+\. .*(?:\n   .*)*", re.M)
NAME = re.compile(r"`([^`]+)`")
ELSEWHERE = {"csend", "sched/synchronization/"}  # what a program writes, and a folder


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def lost_names(tour):
    """Names of steps that no file of their step has, and links to nothing."""
    lost = [link for link in LINK.findall(tour) if not os.path.exists(os.path.join(ROOT, "docs", link))]
    for step in STEP.findall(tour):
        texts = [read(os.path.join("docs", link)) for link in LINK.findall(step) if link not in lost]
        told = [name for name in NAME.findall(step) if name not in ELSEWHERE]
        lost += [name for name in told if not any(name in text for text in texts)]
    return lost


class Tour(unittest.TestCase):
    def test_every_name_stands_where_the_tour_says(self):
        tour = read("docs/tour.md")
        self.assertGreater(len(NAME.findall(tour)), 30)
        self.assertEqual(lost_names(tour), [])

    def test_a_name_that_is_no_more_is_found(self):
        self.assertEqual(
            lost_names("1. [a](../sched/dispatcher.cpp): `run_next`, `ran_next`\n   [b](../none.cpp)\n"),
            ["../none.cpp", "ran_next"],
        )

    def test_as_many_tests_begin_so_as_the_lab_shows(self):
        shown = re.findall(r"^Filters: (.*)\n.* in (\d+) test cases\)$", read("docs/first-lab.md"), re.M)
        self.assertEqual(len(shown), 2)
        for (filters, count), end in zip(shown, ("_test.cpp", "_explored.cpp")):
            names = [
                name
                for folder in ("messaging", "sched", "jobs", "kernel/job", "kernel/network", "testing")
                for path in glob.glob(f"{ROOT}/{folder}/**/*{end}", recursive=True)
                for name in re.findall(r'^TEST_CASE\(\s*"([^"]*)', read(path), re.M)
                if "own_leaves" not in path
            ]
            beginnings = tuple(words.rstrip("*") for words in filters.split(","))
            told = sorted(name for name in names if name.startswith(beginnings))
            self.assertEqual(len(told), int(count), told)


if __name__ == "__main__":
    unittest.main()
