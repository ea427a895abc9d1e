# SPDX-License-Identifier: MIT
"""Queues of which a cache has no room for all packets: what is booted, and what is asked of runs made by
hand."""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "..", "..", "..", "tools")]

from clumps import document, long_queues  # noqa: E402
from clumps.modelled_runs import Told  # noqa: E402

PRINTED = document.read()
COUNTED = [{"bus_transfers": 12000, "memory_time": 3e9}] * 8


def taking(time: float) -> Told:
    """In times of what table 6.5 has, in us for ms."""
    return Told({"time": (1e3 * PRINTED.dedicated["SAMPLE"]["lock-free"] * time, 0.01)}, COUNTED, 100)


def found() -> dict[int, Told]:
    """As printed."""
    return {packets: taking(PRINTED.lengths["SAMPLE"][packets]["1P"]) for packets in long_queues.LENGTHS}


class LongQueues(unittest.TestCase):
    def holds(self, **times: float) -> bool:
        changed = {int(packets.lstrip("_")): taking(time) for packets, time in times.items()}
        (asked,) = long_queues.statements(found() | changed)
        return asked.holds

    def test_it_holds_of_the_printed_numbers(self):
        self.assertTrue(self.holds())

    def test_long_queues_that_cost_nothing_are_found(self):
        self.assertFalse(self.holds(_16384=1.04))
        self.assertFalse(self.holds(_4096=1.12))

    def test_each_packet_has_been_used(self):
        for packets, warm in ((1024, 4096), (4096, 4096), (16384, 16384)):
            run = long_queues.run(packets)
            self.assertIn(f"--warm {warm}", run.arguments)
            self.assertEqual(run.design, f"native,port=lock-free:{packets},synchronization=two-phase")

    def test_times_and_counts_are_told(self):
        text = "\n".join(long_queues.lines(found(), PRINTED))
        for cell in ("1.11 (1.11)", "1.03 (1.03)", "0.76", " 96 ", " 24"):
            self.assertIn(cell, text)


if __name__ == "__main__":
    unittest.main()
