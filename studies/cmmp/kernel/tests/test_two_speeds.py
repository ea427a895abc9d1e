# SPDX-License-Identifier: MIT
"""Processors of two speeds in booted kernels: what a slow one loses, and who takes its process over.
Instruction-counted, so that a boot repeats."""

import unittest

from boot_case import BootCase, extra

WORDS = ("APP=rootfinder", "DESIGN=exp4", "SEMAPHORE=kernel", "CLOCK=counted")


class TwoSpeeds(BootCase):
    def run_on(self, speeds: str, nodes: int, args: str, *more: str):
        lengths = f"ARGS=--lengths constant {args}"
        return self.boot_well(*WORDS, f"SPEEDS={speeds}", f"NODES={nodes}", lengths, *more)

    @extra
    def test_a_slow_processor_takes_as_much_longer_as_was_asked_for(self):
        elapsed = {}
        for speeds in ("fast:1", "slow:1"):
            boot = self.run_on(speeds, 1, "--roots 2 --mean 60000", *["SLOWDOWN=200"] * (speeds == "slow:1"))
            elapsed[speeds] = boot.rows("elapsed")[0]["median"]
            slow = boot.record["plan"].get("slow_processors", 0)
            self.assertEqual((boot.record["processors"], slow), (1, int(speeds == "slow:1")))
        # It loses half of each of its ticks, but the last, which does not come any more.
        self.assertGreater(elapsed["slow:1"] / elapsed["fast:1"], 1.8)
        self.assertLess(elapsed["slow:1"] / elapsed["fast:1"], 2.05)

    def test_an_idle_fast_processor_takes_over_unless_stealing_is_off(self):
        taken = {}
        for stealing in ("on", "off"):
            boot = self.run_on("fast:2,slow:1", 3, "--roots 1 --mean 40000", f"STEALING={stealing}")
            taken[stealing] = boot.record["jobs"][0]["taken_over"]
            self.assertEqual(boot.record["plan"]["stealing"], int(stealing == "on"))
        self.assertGreater(taken["on"], 0)
        self.assertEqual(taken["off"], 0)


if __name__ == "__main__":
    unittest.main()
