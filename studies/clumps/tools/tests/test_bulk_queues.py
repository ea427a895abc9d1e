# SPDX-License-Identifier: MIT
"""Queues of fewer and more blocks: what is booted, and what is asked of runs made by hand."""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "..", "..", "..", "tools")]

from clumps import bulk_queues, document, mixes  # noqa: E402
from clumps.mixes import Mix, Together  # noqa: E402
from test_lengths import taking  # noqa: E402

PRINTED = document.read()


def found() -> dict[Mix, Together]:
    return {mix: taking(mix, PRINTED.blocks[mix.blocks][mix.cell]) for mix in bulk_queues.all_mixes()}


class BulkQueues(unittest.TestCase):
    def wrong(self, blocks: int, time: float) -> list[str]:
        mix = bulk_queues.mix(blocks, "1P")
        asked = bulk_queues.statements(found() | {mix: taking(mix, time)})
        return [one.sentence for one in asked if not one.holds]

    def test_it_holds_of_the_printed_numbers(self):
        (asked,) = bulk_queues.statements(found())
        self.assertTrue(asked.holds)
        self.assertEqual(len(asked.cells), 2)

    def test_blocks_that_cost_or_gain_something_are_found(self):
        for blocks, time in ((2, 1.11), (2, 0.89), (128, 1.11)):
            self.assertEqual(len(self.wrong(blocks, time)), 1, (blocks, time))

    def test_the_boots_have_the_blocks_of_their_names(self):
        each = bulk_queues.all_mixes()
        self.assertEqual(len({mix.name for mix in each}), len(each))
        few = bulk_queues.mix(2, "2P").words("jobs.toml", "record")
        self.assertIn("DESIGN=native,port=lock-free:1024:2,synchronization=two-phase", few)
        # As many blocks as the port has by itself are those of mixes.py.
        self.assertIn(bulk_queues.mix(mixes.BLOCKS, "2P"), mixes.all_mixes())

    def test_both_times_are_told(self):
        text = "\n".join(bulk_queues.lines(found(), PRINTED))
        for cell in ("677.00", "1.28 (1.28)", "1.07 (1.07)", "1.23 (1.23)"):
            self.assertIn(cell, text)


if __name__ == "__main__":
    unittest.main()
