# SPDX-License-Identifier: MIT
"""What a job has left unreceived is in the record of every boot, and told when it is asked for."""

import os
import unittest

import left_unreceived
from boot_case import BootCase, ROOT

PROGRAM = os.path.join(ROOT, "kernel", "tests", "programs", "unreceived.c")


class Unreceived(BootCase):
    def program(self) -> str:
        with open(PROGRAM, encoding="utf-8") as file:
            return self.compiled(file.read())

    def test_it_is_told_in_both_locations_and_recorded(self):
        for design in ("exp6", "exp6,location=user"):
            with self.subTest(design=design):
                boot = self.boot_well(f"APP={self.program()}", "NODES=2", f"DESIGN={design}", "UNRECEIVED=1")
                self.assertEqual(left_unreceived.said(boot.text), left_unreceived.LINES, boot.text)
                self.assertIn(left_unreceived.MESSAGE, boot.record["unreceived"])
                self.assertIn(left_unreceived.CALL, boot.record["unreceived"])

    def test_it_is_recorded_without_a_word(self):
        boot = self.boot_well(f"APP={self.program()}", "NODES=2")
        self.assertNotIn("unreceived", boot.text)
        self.assertEqual(len(boot.record["unreceived"]), len(left_unreceived.LINES))

    def test_who_asks_hears_that_nothing_was_left(self):
        boot = self.boot_well("APP=hello_c", "NODES=2", "UNRECEIVED=1")
        self.assertEqual(boot.record["unreceived"], [])
        self.assertIn("has left nothing unreceived.", boot.text)


if __name__ == "__main__":
    unittest.main()
