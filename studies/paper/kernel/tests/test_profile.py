# SPDX-License-Identifier: MIT
"""make profile: the parts of a null message add up to what a program measures for the whole."""

import os
import re
import subprocess
import sys
import unittest

from boot_case import ROOT, extra, needs


@needs("static", "traced")
class Profile(unittest.TestCase):
    @extra
    def test_the_parts_are_the_whole(self):
        tool = os.path.join(ROOT, "studies", "paper", "tools", "where_time_goes.py")
        command = [sys.executable, "-B", tool]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        parts = {
            name: int(re.search(rf"{name} +(\d+) +[\d.]+ +(\d+)", done.stdout)[2])
            for name in (
                "proxy calls",
                "process identifications",
                "virtual function calls",
                "bookkeeping",
            )
        }
        whole = int(re.search(r"round trip +(\d+) +100 %", done.stdout)[1])
        virtual, static = map(int, re.search(r"csend and crecv +(\d+) +(\d+) ", done.stdout).groups())
        self.assertEqual(sum(parts.values()), whole)
        self.assertEqual(whole, 2 * virtual)
        self.assertTrue(all(part > 0 for part in parts.values()))
        self.assertLess(static, virtual)


if __name__ == "__main__":
    unittest.main()
