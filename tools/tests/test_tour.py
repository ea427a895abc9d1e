# SPDX-License-Identifier: MIT
"""docs/tour.md: each file that it links is there, and each name of a step stands in a file that the step
links."""

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


if __name__ == "__main__":
    unittest.main()
