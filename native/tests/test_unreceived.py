# SPDX-License-Identifier: MIT
"""What a job has left unreceived is in nxrun's record, and told when it is asked for."""

import os
import sys
import unittest

from native_case import ROOT, NativeCase, app

sys.path.append(os.path.join(ROOT, "kernel", "tests"))
import left_unreceived  # noqa: E402


class Unreceived(NativeCase):
    def test_it_is_told_and_recorded(self):
        for design in ("native", "exp6", "exp6,context-switch=light"):
            with self.subTest(design=design):
                ran, record = self.record(
                    "-n", "2", "-d", design, "--unreceived", self.program("unreceived")
                )
                self.assertEqual(ran.status, 0, ran.text)
                self.assertIn("nxrun: The job has left unreceived:\n", ran.errors)
                self.assertEqual(left_unreceived.said(ran.errors), left_unreceived.LINES)
                self.assertIn(left_unreceived.MESSAGE, record["unreceived"])
                self.assertIn(left_unreceived.CALL, record["unreceived"])

    def test_it_is_recorded_without_a_word(self):
        ran, record = self.record("-n", "2", self.program("unreceived"))
        self.assertEqual(ran.errors, "")
        self.assertEqual(len(record["unreceived"]), len(left_unreceived.LINES))

    def test_who_asks_hears_that_nothing_was_left(self):
        ran, record = self.record("-n", "2", "--unreceived", app("hello_c"))
        self.assertEqual(ran.errors, "nxrun: The job has left nothing unreceived.\n")
        self.assertEqual(record["unreceived"], [])


if __name__ == "__main__":
    unittest.main()
