# SPDX-License-Identifier: MIT
"""A kernel and a library that look at what must hold: programs run as ever, and a wrong step is caught."""

import os
import unittest

from boot_case import BootCase, extra, for_each_job, needs

DESIGNS = (
    *("exp1", "exp4", "exp5", "exp6", "nx2"),
    *("exp6,location=user", "nx2,location=user,context-switch=light"),
)
RING = "--sizes 0,1024 --trips 2 --samples 2"


@for_each_job(
    DESIGNS,
    "the_self_test_passes",
    lambda _, design: {"app": "selftest", "design": design, "nodes": 2},
    ("CHECKED=1",),
)
@for_each_job(
    DESIGNS,
    "the_behaviours_hold",
    lambda _, design: {"app": "behaviours", "design": design, "nodes": 3},
    ("CHECKED=1",),
)
class Checked(BootCase):
    @extra
    @needs("checked")
    def the_self_test_passes(self, _, job):
        self.well(job)

    @extra
    @needs("checked")
    def the_behaviours_hold(self, _, job):
        self.well(job)

    @extra
    @needs("checked")
    def test_a_wrong_transition_stops_a_checked_kernel(self):
        boot = self.boot("CHECKED=1", "PLANT=wrong-transition", f"ARGS={RING}")
        self.assertEqual(boot.status, 3, boot.text[-3000:])
        self.assertIn("vector 6", boot.text)
        self.assertIn("wrong_transition", boot.text)  # the report says where

    def test_a_kernel_for_figures_has_no_assertions(self):
        self.boot_well("PLANT=wrong-transition", f"ARGS={RING}")

    def test_a_checked_run_is_not_traced(self):
        boot = self.boot("CHECKED=1", f"TRACE={os.path.join(self.folder, 'trace.json')}")
        self.assertEqual(boot.status, 2, boot.text)
        self.assertIn("CHECKED=1 goes with neither TRACE nor PROFILE", boot.text)

    @extra
    @needs("checked")
    def test_the_table_says_that_a_run_was_checked(self):
        self.assertIn("virtual dispatch, checked", self.boot_well("CHECKED=1", f"ARGS={RING}").text)


if __name__ == "__main__":
    unittest.main()
