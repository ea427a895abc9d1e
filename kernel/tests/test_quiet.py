# SPDX-License-Identifier: MIT
"""One result, one table: the program's own with QUIET=1, the run's else."""

import unittest

from boot_case import SHORT_RING, BootCase

OWN = "median us     lower us"


class Quiet(BootCase):
    def test_a_quiet_run_prints_the_programs_own_table_alone(self):
        boot = self.boot_well("CLOCK=counted", f"ARGS={SHORT_RING}", "QUIET=1")
        lines = boot.text.splitlines()
        self.assertTrue(lines[0].startswith("ring: 2 nodes, access none, kernel,"), lines[0])
        self.assertEqual((boot.text.count(OWN), len(lines)), (1, 10), boot.text)

    def test_else_the_run_makes_the_only_table(self):
        boot = self.boot_well("CLOCK=counted", f"ARGS={SHORT_RING}", "DESIGN=exp1 exp6")
        self.assertNotIn(OWN, boot.text)
        self.assertEqual(boot.text.count("access none, kernel,"), 2)  # each design's output
        self.assertNotIn("  boot ", boot.text)
        self.assertRegex(boot.text, "bytes +exp1 +exp6")


if __name__ == "__main__":
    unittest.main()
