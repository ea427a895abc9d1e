# SPDX-License-Identifier: MIT
"""A booted system with classes that the tree has never seen: testing/own_leaves/ has one of every
factor, and nothing else knows them. They are found, so a new one joins in by itself."""

import os
import sys
import unittest
from unittest import mock

from boot_case import BUILD, ROOT, SHORT_RING, BootCase, for_each_job, needs

sys.path.insert(0, os.path.join(ROOT, "tools"))
import list_leaves  # noqa: E402

OWN = os.path.join(ROOT, "testing", "own_leaves")
EACH = [
    f"exp6,{factor}={name}".replace("_", "-")
    for factor, folder in list_leaves.ROOTS["messaging"].items()
    if factor != "polling"  # which a booted machine, being alone, has no use for
    for name in list_leaves.leaves(factor, folder, OWN)
]
# Void entries in each port of the tree that has room, by its number among the tree's ports.
VOID_IN_EACH = [
    f"exp6,port=void-every:2:{number}"
    for number, path in enumerate(list_leaves.leaves("port", "messaging/port", ROOT).values())
    if "room() const override" in path.read_text("utf-8")
]
ALL = "piecewise,paired,paced,stacked,divided,patient,wiped"
NODES, PROCESSORS = 3, 5  # a transport may have two processes of its own


class OwnSystem(BootCase):
    """Boots what `tests-need-own-leaves' has built."""

    def boot(self, *words, limit=60):
        with mock.patch.dict(os.environ, {"PARLEY_BUILD": os.path.join(BUILD, "own_leaves")}):
            return super().boot(*words, limit=limit)


@for_each_job(
    ("ring", "selftest", "behaviours"),
    "with_a_class_of_its_own_for_every_factor_runs",
    lambda _, app: {
        "app": app,
        "design": ALL,
        "nodes": NODES,
        "args": SHORT_RING if app == "ring" else "",
    },
    (f"PROCESSORS={PROCESSORS}",),
)
@for_each_job(
    [*EACH, *VOID_IN_EACH],
    "the_behaviours_hold",
    lambda _, design: {"app": "behaviours", "design": design, "nodes": NODES},
    (f"PROCESSORS={PROCESSORS}",),
)
class OwnLeaves(OwnSystem):
    @needs("own-leaves")
    def with_a_class_of_its_own_for_every_factor_runs(self, app, job):
        self.well(job)
        self.assertEqual(job.entry["design"].split(",")[4], "divided")
        if app == "behaviours":
            self.assertRegex(job.text, r"[1-9]\d* passed, 0 failed")

    @needs("own-leaves")
    def the_behaviours_hold(self, _, job):
        self.assertRegex(self.well(job).text, r"[1-9]\d* passed, 0 failed")


if __name__ == "__main__":
    unittest.main()
