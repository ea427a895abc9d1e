# SPDX-License-Identifier: MIT
"""How often processes look into their network interface: what is booted, and what is asked of runs made by
hand."""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "..", "..", "..", "tools")]

from clumps import looks, network  # noqa: E402
from clumps.modelled_runs import Told  # noqa: E402


def of(trip: float, sending: float, receiving: float) -> Told:
    figures = {"RTT": trip, "o_s": sending, "o_r": receiving, "g": sending + receiving}
    return Told({name: (value, 0.01) for name, value in figures.items()}, [], None)


def found() -> dict[tuple[str, str], Told]:
    """As table 7.6 has it; between multiprocessors a look in each poll is the network alone there."""
    within = {looks.ALWAYS: of(13, 4, 4), looks.SOME: of(7, 2.2, 1.8)}
    within[looks.SELDOM] = of(6.675, 2.135, 1.73)
    between = {looks.ALWAYS: of(48.2, 5.424, 10.51)}
    between[looks.SELDOM] = of(49.912, 3.463, 8.93)
    by_place = {network.WITHIN: within, network.BETWEEN: between}
    return {(where, polling): told for where, by in by_place.items() for polling, told in by.items()}


class Looks(unittest.TestCase):
    def fails(self, word: str, where: str, polling: str, told: Told) -> None:
        changed = found() | {(where, polling): told}
        wrong = [one.sentence for one in looks.statements(changed) if not one.holds]
        self.assertEqual([word in sentence for sentence in wrong], [True], wrong)

    def test_all_hold_of_the_printed_numbers(self):
        asked = looks.statements(found())
        self.assertTrue(all(one.holds for one in asked))
        self.assertEqual([len(one.cells) for one in asked], [3, 2])

    def test_each_fails_where_it_should(self):
        self.fails("is shorter where", network.WITHIN, looks.SOME, of(7.4, 2, 2))
        self.fails("is shorter where", network.WITHIN, looks.ALWAYS, of(6.6, 2, 2))
        self.fails("o_s and o_r are lower", network.BETWEEN, looks.SELDOM, of(49, 5.5, 8.93))

    def test_runs_differ_in_their_polling_alone(self):
        runs = looks.all_runs()
        self.assertEqual(set(runs), set(found()))
        self.assertEqual(runs[network.BETWEEN, looks.SELDOM], network.loggp_runs(False)[network.BETWEEN])
        self.assertIn("polling=fixed", runs[network.BETWEEN, looks.ALWAYS].design)

    def test_all_pollings_are_told(self):
        text = "\n".join(looks.lines(found()))
        for cell in ("adaptive:4:16", "10.51", "6.675"):
            self.assertIn(cell, text)


if __name__ == "__main__":
    unittest.main()
