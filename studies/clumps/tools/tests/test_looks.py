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


def taking(time: float) -> Told:
    return Told({"time": (time, 0.01)}, [], 100)


def found() -> dict[tuple[str, str], Told]:
    """As table 7.6 has it; between multiprocessors a look in each poll is the network alone there."""
    within = {looks.ALWAYS: of(13, 4, 4), looks.SOME: of(7, 2.2, 1.8)}
    within[looks.SELDOM] = of(6.675, 2.135, 1.73)
    between = {looks.ALWAYS: of(48.2, 5.424, 10.51)}
    between[looks.SELDOM] = of(49.912, 3.463, 8.93)
    by_place = {network.WITHIN: within, network.BETWEEN: between}
    # Figure 7.3 and table 7.5, where on workstations the thesis's limits take 1 ms, as in test_interfaces.py.
    for place, pollings, times in (
        (looks.on_workstations("SAMPLE"), looks.SHORTEST, (1367, 1000, 915)),
        (looks.on_workstations("CON/comm"), looks.SHORTEST, (982, 1000, 1505)),
        (looks.on_multiprocessors("SAMPLE"), looks.DAMPING, (1358, 1350, 1350)),
        (looks.on_multiprocessors("CON/comm"), looks.DAMPING, (1085, 1070, 1101)),
    ):
        by_place[place] = dict(zip(pollings.values(), map(taking, times), strict=True))
    return {(where, polling): told for where, by in by_place.items() for polling, told in by.items()}


class Looks(unittest.TestCase):
    def fails(self, word: str, where: str, polling: str, told: Told) -> None:
        changed = found() | {(where, polling): told}
        wrong = [one.sentence for one in looks.statements(changed) if not one.holds]
        self.assertEqual([word in sentence for sentence in wrong], [True], wrong)

    def test_all_hold_of_the_printed_numbers(self):
        asked = looks.statements(found())
        self.assertTrue(all(one.holds for one in asked))
        self.assertEqual([len(one.cells) for one in asked], [3, 2, 4, 4])

    def test_each_fails_where_it_should(self):
        self.fails("is shorter where", network.WITHIN, looks.SOME, of(7.4, 2, 2))
        self.fails("is shorter where", network.WITHIN, looks.ALWAYS, of(6.6, 2, 2))
        self.fails("o_s and o_r are lower", network.BETWEEN, looks.SELDOM, of(49, 5.5, 8.93))

    def test_a_program_that_does_not_feel_the_fewest_polls_so_is_found(self):
        word = "the more polls pass"
        self.fails(word, looks.on_workstations("SAMPLE"), looks.SHORTEST[64], taking(1010))
        self.fails(word, looks.on_workstations("SAMPLE"), looks.SHORTEST[1], taking(990))
        self.fails(word, looks.on_workstations("CON/comm"), looks.SHORTEST[1], taking(1010))
        self.fails(word, looks.on_workstations("CON/comm"), looks.SHORTEST[64], taking(990))

    def test_a_program_that_feels_the_damping_is_found(self):
        place = looks.on_multiprocessors("SAMPLE")
        self.fails("whatever the damping", place, looks.DAMPING[1024], taking(1420))
        self.fails("whatever the damping", place, looks.DAMPING[64], taking(1280))

    def test_runs_differ_in_their_polling_alone(self):
        runs = looks.all_runs()
        self.assertEqual(set(runs), set(found()))
        self.assertEqual(runs[network.BETWEEN, looks.SELDOM], network.loggp_runs()[network.BETWEEN])
        self.assertIn("polling=fixed", runs[network.BETWEEN, looks.ALWAYS].design)

    def test_all_pollings_are_told(self):
        text = "\n".join(looks.lines(found()))
        for cell in ("adaptive:4:16", "10.51", "6.675", "0.92", "1.10", "SAMPLE, 8 of 1", "CON/comm, 2 of 4"):
            self.assertIn(cell, text)


if __name__ == "__main__":
    unittest.main()
