# SPDX-License-Identifier: MIT
"""How long a process waits before it gives way: what is booted, and what is asked of runs made by hand."""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "..", "..", "..", "tools")]

from clumps import document, lengths, yields  # noqa: E402
from clumps.mixes import Mix, Together  # noqa: E402
from test_lengths import found as lengths_found, taking  # noqa: E402

PRINTED = document.read()


def found() -> dict[Mix, Together]:
    """Beside those of lengths, as many times as long as printed of the times that stand beside pauses and
    sleeps."""
    times = lengths_found()
    printed = PRINTED.yields

    def times_as_long(mix: Mix, by: float) -> Together:
        return Together(tuple(by * took for took in times[mix].took), mix.jobs)

    chosen = yields.PAUSES[yields.STANDARD]
    for cell in document.PARALLEL:
        usual = yields.pausing(yields.STANDARD, cell)
        for pauses, at in yields.PAUSES.items():
            by = printed["SAMPLE"][at][cell] / printed["SAMPLE"][chosen][cell]
            times[yields.pausing(pauses, cell)] = times_as_long(usual, by)
        for how, at in yields.SLEEPS.items():
            by = printed["CON/comm"][at][cell] / printed["CON/comm"][chosen][cell]
            times[yields.waiting(how, cell)] = times_as_long(yields.waiting(yields.SOON, cell), by)
    never = 1 / printed["CON/comm"][chosen]["1P"]
    times[yields.waiting(yields.NEVER, "1P")] = times_as_long(yields.waiting(yields.SOON, "1P"), never)
    return times


class Yields(unittest.TestCase):
    def fails(self, word: str, mix: Mix, time: float) -> None:
        wrong = [one for one in yields.statements(found() | {mix: taking(mix, time)}) if not one.holds]
        self.assertEqual([word in one.sentence for one in wrong], [True], wrong)

    def test_all_hold_of_the_printed_numbers(self):
        asked = yields.statements(found())
        self.assertEqual([one.sentence for one in asked if not one.holds], [])
        self.assertEqual([len(one.cells) for one in asked], [2, 2, 2])

    def test_longer_pauses_that_cost_one_job_something_are_found(self):
        self.fails("the longer its senders pause", yields.pausing(0, "1P"), 0.9)
        self.fails("the longer its senders pause", yields.pausing(8191, "1P"), 1.0)

    def test_sleeps_that_cost_nothing_are_found(self):
        self.fails("least where nobody sleeps", yields.waiting("spinlock", "1P"), 1.1)
        self.fails("least where nobody sleeps", yields.waiting("semaphore", "1P"), 0.95)
        self.fails("where it looks first", yields.waiting("semaphore", "3P"), 1.6)

    def test_the_boots_wait_as_their_names_say(self):
        each = yields.all_mixes()
        self.assertEqual(len({mix.name for mix in each}), len(each))
        paused = yields.pausing(8191, "2P")
        words = paused.words("jobs.toml", "record")
        self.assertIn("DESIGN=native,port=lock-free:16:16:8191,synchronization=two-phase", words)
        self.assertIn("synchronization=semaphore", yields.waiting("semaphore", "1P").design)
        # As many pauses as the port has by itself are no other boot.
        self.assertEqual(yields.pausing(255, "2P"), lengths.mix("SAMPLE", 16, "2P"))

    def test_all_times_are_told(self):
        text = "\n".join(yields.lines(found(), PRINTED))
        for cell in ("1.02 (1.22)", "5.40 (5.40)", "beside 1657.89 ms"):
            self.assertIn(cell, text)


if __name__ == "__main__":
    unittest.main()
