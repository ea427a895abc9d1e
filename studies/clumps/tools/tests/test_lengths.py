# SPDX-License-Identifier: MIT
"""Queues of different lengths: what is booted, and what is asked of runs made by hand."""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "..", "..", "..", "tools")]

from clumps import document, lengths, mixes  # noqa: E402
from clumps.mixes import Mix, Together  # noqa: E402

PRINTED = document.read()


def taking(mix: Mix, time: float) -> Together:
    """`time`: by job, in times of one alone with the port's own queues, which takes what table 6.5 has."""
    return Together((1e6 * PRINTED.dedicated[mix.program][mix.claim] * mix.jobs * time,), mix.jobs)


def found() -> dict[Mix, Together]:
    """As printed of queues that are longer by the scale."""
    return {
        mix: taking(mix, lengths.printed_beside(PRINTED, mix.program, mix.packets, mix.cell))
        for mix in lengths.all_mixes()
    }


class Lengths(unittest.TestCase):
    def fails(self, word: str, program: str, packets: int, cell: str, time: float) -> None:
        mix = lengths.mix(program, packets, cell)
        wrong = [one for one in lengths.statements(found() | {mix: taking(mix, time)}) if not one.holds]
        self.assertEqual([word in one.sentence for one in wrong], [True], wrong)

    def test_all_hold_of_the_printed_numbers(self):
        asked = lengths.statements(found())
        self.assertEqual([one.sentence for one in asked if not one.holds], [])
        self.assertEqual([len(one.cells) for one in asked], [2, 4])

    def test_short_queues_that_cost_parallel_jobs_nothing_are_found(self):
        self.fails("parallel jobs of SAMPLE", "SAMPLE", 16, "2P", 1.8)
        # Three that lose no more than two.
        self.fails("parallel jobs of SAMPLE", "SAMPLE", 16, "3P", 2.8)

    def test_short_queues_that_cost_one_job_something_are_found(self):
        self.fails("alone programs take no longer", "SAMPLE", 16, "1P", 1.07)
        self.fails("alone programs take no longer", "CON/comm", 16, "1P", 1.07)

    def test_the_boots_have_the_queues_of_their_names(self):
        each = lengths.all_mixes()
        self.assertEqual(len({mix.name for mix in each}), len(each))
        short = lengths.mix("SAMPLE", 16, "2P")
        words = short.words("jobs.toml", "record")
        self.assertIn("DESIGN=native,port=lock-free:16,synchronization=two-phase", words)
        self.assertEqual(short.config().count("--unanswered 256"), 2)
        # CON's longest are those of mixes.py.
        self.assertIn(lengths.mix("CON/comm", mixes.PACKETS, "2P"), mixes.all_mixes())

    def test_both_times_are_told(self):
        text = "\n".join(lengths.lines(found(), PRINTED))
        ratios = ("9.80 (9.80)", "1.47 (1.47)", "1.61 (1.61)")
        for cell in ("16 (256)", "1024 (16384)", "762.00", "1890.00", *ratios):
            self.assertIn(cell, text)


if __name__ == "__main__":
    unittest.main()
