# SPDX-License-Identifier: MIT
"""Q=1: what processors did while a job ran. Clocks are counted or modelled, so times must add up."""

import unittest

from boot_case import BootCase, needs

TRIPS, SAMPLES = 20, 5
SENT = 2 * TRIPS * SAMPLES  # by both nodes, at least


@needs("accounted")
class Accounts(BootCase):
    def accounts(self, *words: str) -> tuple[list[dict], str]:
        boot = self.boot_well("CLOCK=counted", "Q=1", *words)
        self.lock_waits = boot.record["lock_waits"]
        return boot.record["accounts"], boot.text

    def test_each_moment_of_each_processor_counts_once(self):
        args = f"--sizes 0,64 --trips {TRIPS} --samples {SAMPLES}"
        (account,), text = self.accounts("APP=ring", "NODES=2", "DESIGN=exp6", f"ARGS={args}")
        self.assertEqual((account["job"], account["cluster"], account["processors"]), (0, 0, 2))
        whole = account["elapsed"] * account["processors"]
        self.assertAlmostEqual(sum(account["ns"].values()) / whole, 1, delta=1e-3)
        for name in ("user", "call", "critical", "fault", "switching"):
            self.assertGreater(account["ns"][name], 0, name)
        # A csend and a crecv of each message, of two sizes.
        self.assertGreaterEqual(account["times"]["call"], 2 * 2 * SENT)
        self.assertGreater(account["ns"]["user"], account["ns"]["tick"])
        self.assertIn("What processors did in the", text)
        self.assertIn("system calls", text)

    def test_threads_switch_fault_and_wake_each_other(self):
        (account,), _ = self.accounts("APP=threads", "NODES=1", "PROCESSORS=3")
        whole = account["elapsed"] * account["processors"]
        self.assertAlmostEqual(sum(account["ns"].values()) / whole, 1, delta=1e-3)
        for name in ("switching", "cross_interrupt", "fault", "call"):
            self.assertGreater(account["times"][name], 0, name)
        self.assertGreater(account["ns"]["idle"], 0)
        # Each wait has a site, and those of spin locks are all waits of a program without messages. Times are
        # told in tenths of ns.
        self.assertGreater(account["times"]["lock_wait"], 0)
        counted = sum(one["times"] for one in self.lock_waits)
        self.assertEqual(counted, account["times"]["lock_wait"])
        waited = sum(one["ns"] for one in self.lock_waits)
        rounding = 0.05 * (len(self.lock_waits) + 1) + 1e-6
        self.assertAlmostEqual(waited, account["ns"]["lock_wait"], delta=rounding)
        self.assertTrue(all(one["waiter"].startswith("parley::") for one in self.lock_waits))


if __name__ == "__main__":
    unittest.main()
