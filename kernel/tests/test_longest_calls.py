# SPDX-License-Identifier: MIT
"""No call, however large, keeps interrupts away for long."""

import os
import unittest

from boot_case import ROOT, BootCase, extra

TIME_SLICE = 10_000_000  # nanoseconds: a tick that comes later than that was lost
LARGEST = os.path.join(ROOT, "kernel", "tests", "programs", "largest.c")


class LongestCalls(BootCase):
    @extra
    def test_every_call_at_its_largest_lets_the_ticks_through(self):
        with open(LARGEST, encoding="utf-8") as file:
            program = self.compiled(file.read())
        # Ticks come to what is timeshared; one processor, so that its time is its own.
        words = ("NODES=1", "PROCESSORS=1", "SCHEDULE=timeshared", "CLOCK=counted", "MEMORY=1024")
        boot = self.boot_well(f"APP={program}", *words)
        self.assertIn("all calls were made", boot.text)
        self.assertGreater(boot.record["processes"][0]["ticks"], 50)
        latest = boot.record["jobs"][0]["latest_tick_ns"]
        print(f"the latest tick came {latest / 1e6:.2f} ms late")
        self.assertLess(latest, TIME_SLICE)


if __name__ == "__main__":
    unittest.main()
