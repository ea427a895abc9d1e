# SPDX-License-Identifier: MIT
"""What slowed C.mmp's processors down, in a booted kernel: each part alone is found in a program's times as
long as it was asked for, and in the record. Instruction-counted, so that a boot repeats."""

import unittest

from boot_case import BootCase, Boot

TICK = 10_000_000  # ns
ALONE = ("APP=rootfinder", "NODES=1", "PROCESSORS=1", "DESIGN=exp4", "SEMAPHORE=kernel", "CLOCK=counted")
EVALUATIONS = "ARGS=--lengths constant --roots 4 --mean 30000"


class SlowedMachine(BootCase):
    def lost(self, boot: Boot) -> float:
        """By how much the longest evaluation took longer than most did."""
        (row,) = boot.rows("evaluation")
        return row["maximum"] - row["median"]

    def test_a_used_up_allotment_of_slices_costs_a_request_and_nothing_before(self):
        boot = self.boot_well(
            *ALONE, EVALUATIONS, "SCHEDULE=timeshared", "SLICE=20ms", "ALLOTMENT=3", "REQUEST=50ms"
        )
        plan, job, process = boot.record["plan"], boot.record["jobs"][0], boot.record["processes"][0]
        self.assertEqual((plan["slice_ms"], plan["allotment"], plan["request_us"]), (20, 3, 50000))
        ticks = process["ticks"]
        self.assertGreater(ticks, 6)
        self.assertEqual(job["slice_requests"], ticks * TICK // 60_000_000)
        self.assertGreater(self.lost(boot), 50e6)
        self.assertLess(self.lost(boot), 51e6)


if __name__ == "__main__":
    unittest.main()
