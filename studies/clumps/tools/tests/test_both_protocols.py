# SPDX-License-Identifier: MIT
"""Programs on one multiprocessor whose processes look into a network as well: what is booted, and what is
asked of runs made by hand."""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "..", "..", "..", "tools")]

from clumps import both_protocols, document, interfaces  # noqa: E402
from clumps.both_protocols import BOTH, LOOKING_ON, SLEEPING, WORKSTATIONS  # noqa: E402
from clumps.modelled_runs import Told  # noqa: E402

PRINTED = document.read()


def taking(program: str, seconds: float) -> Told:
    """Of times for which workstations take 1 ms, as in test_interfaces.py."""
    time = 1e3 * seconds / PRINTED.both_protocols[program][WORKSTATIONS]
    return Told({"time": (time, 0.01)}, [], 100, spread=1.0)


def found() -> dict[str, dict[str, Told]]:
    """As printed."""
    return {
        program: {column: taking(program, seconds) for column, seconds in cells.items()}
        for program, cells in PRINTED.both_protocols.items()
    }


class BothProtocols(unittest.TestCase):
    def fails(self, program: str, column: str, seconds: float, *words: str) -> None:
        """Where one time is another, these statements and no other."""
        changed = found()
        changed[program][column] = taking(program, seconds)
        wrong = [one.sentence for one in both_protocols.statements(changed, PRINTED) if not one.holds]
        self.assertEqual(len(wrong), len(words), wrong)
        for sentence, word in zip(wrong, words, strict=True):
            self.assertIn(word, sentence)

    def test_all_hold_of_the_printed_numbers(self):
        asked = both_protocols.statements(found(), PRINTED)
        self.assertEqual([one.sentence for one in asked if not one.holds], [])
        self.assertEqual([len(one.cells) for one in asked], [5, 2, 4, 5])

    def test_a_network_that_costs_too_much_is_found(self):
        self.fails("SAMPLE", BOTH, 0.776, "at most 11 %")
        self.fails("CON/comm", BOTH, 1.85, "at most 11 %", "costs SAMPLE more")

    def test_a_network_that_costs_what_hardly_sends_something_is_found(self):
        self.fails("CON/comp", BOTH, 1.12, "costs nothing, within 3 %")
        self.fails("3-D FFT", LOOKING_ON, 0.64, "costs nothing, within 3 %")

    def test_another_program_that_loses_most_is_found(self):
        self.fails("SAMPLE", BOTH, 0.72, "costs SAMPLE more")

    def test_a_network_that_costs_more_than_sleeping_is_found(self):
        self.fails("EM3D", SLEEPING, 0.65, "sleeps in place of looking on")

    def test_runs_differ_in_what_their_column_says(self):
        for program in both_protocols.PROGRAMS:
            by_column = {column: both_protocols.run(program, column) for column in both_protocols.COLUMNS}
            self.assertEqual(len({run.name for run in by_column.values()}), 4)
            alone = by_column[LOOKING_ON].design
            self.assertEqual(alone, "native,port=lock-free")
            self.assertEqual(by_column[SLEEPING].design, f"{alone},synchronization=two-phase")
            self.assertRegex(
                by_column[BOTH].design, f"^{alone},transport=interfaces:1:[0-9a-z:]+,polling=adaptive:4:64$"
            )
            self.assertNotIn("MULTIPROCESSORS", " ".join(by_column[BOTH].words("record")))
            self.assertIn("MULTIPROCESSORS=8", by_column[WORKSTATIONS].words("record"))
        for column in (SLEEPING, WORKSTATIONS):
            self.assertIn(both_protocols.run("SAMPLE", column), interfaces.runs())

    def test_an_interface_is_as_the_machines_file_has_it(self):
        self.assertIn(":918ns:1:1,", both_protocols.run("EM3D", BOTH).design)

    def test_times_are_told_beside_the_printed_ones(self):
        text = "\n".join(both_protocols.lines(found(), PRINTED))
        for cell in ("0.465", "1.109 (1.109)", "0.985 (0.985)", "6.236 (6.236)", "8 of 1"):
            self.assertIn(cell, text)


if __name__ == "__main__":
    unittest.main()
