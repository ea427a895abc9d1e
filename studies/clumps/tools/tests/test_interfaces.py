# SPDX-License-Identifier: MIT
"""Who shares a network interface on the modelled machine: what is booted, and what is asked of runs made by
hand."""

import os
import sys
import unittest
from dataclasses import replace

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "..", "..", "..", "tools")]

from clumps import document, interfaces, network  # noqa: E402
from clumps.modelled_runs import Told  # noqa: E402

PRINTED = document.read()
CELLS = {
    interfaces.ONE: PRINTED.one_multiprocessor,
    interfaces.SHARED: PRINTED.shared_interfaces,
    interfaces.PRIVATE: PRINTED.private_interfaces,
    interfaces.WORKSTATIONS: dict.fromkeys(interfaces.PROGRAMS, 1.0),
}

SPREAD = {
    interfaces.ONE: 1.0,
    interfaces.SHARED: PRINTED.imbalance["multiprocessors"],
    interfaces.PRIVATE: 1.0,
    interfaces.WORKSTATIONS: PRINTED.imbalance["workstations"],
}


def found() -> dict[str, dict[int, Told]]:
    """As printed, workstations 1 ms."""
    return {
        program: {
            count: Told(
                {"time": (1e3 * CELLS[count][program], 0.01)}, [], 100, remote=0.57, spread=SPREAD[count]
            )
            for count in interfaces.divisions(program)
        }
        for program in interfaces.PROGRAMS
    }


class Interfaces(unittest.TestCase):
    def fails(
        self, word: str, program: str, count: interfaces.Division, time: float, beside: str = "table 6.6"
    ) -> None:
        """Where one time beside workstations is another; of the rest at most `beside`."""
        changed = found()
        changed[program][count] = Told({"time": (1e3 * time, 0.01)}, [], 100)
        wrong = [one.sentence for one in interfaces.statements(changed, PRINTED) if not one.holds]
        self.assertTrue(any(word in sentence for sentence in wrong), wrong)
        self.assertEqual([one for one in wrong if word not in one and beside not in one], [])

    def test_all_hold_of_the_printed_numbers(self):
        self.assertTrue(all(one.holds for one in interfaces.statements(found(), PRINTED)))

    def test_each_fails_where_it_should(self):
        self.fails("share an interface", "3-D FFT", interfaces.SHARED, 0.98)
        self.fails("gains most with EM3D", "SAMPLE", interfaces.ONE, 0.16)
        self.fails("what table 6.6 has", "CON/comm", interfaces.ONE, 0.6)
        self.fails("shares one", "SAMPLE", interfaces.PRIVATE, 1.4, "no longer than workstations")
        self.fails("no longer than workstations", "3-D FFT", interfaces.PRIVATE, 1.06)

    def test_nodes_that_are_more_alike_than_on_workstations_are_found(self):
        changed = found()
        changed["EM3D"][interfaces.SHARED] = replace(changed["EM3D"][interfaces.SHARED], spread=1.7)
        wrong = [one.sentence for one in interfaces.statements(changed, PRINTED) if not one.holds]
        self.assertEqual(["nodes differ more" in sentence for sentence in wrong], [True], wrong)

    def test_a_run_is_divided_as_it_is_told(self):
        run = interfaces.run("SAMPLE", interfaces.SHARED)
        self.assertIn("--processors 4", run.arguments)
        self.assertIn("MULTIPROCESSORS=2", run.words("record"))
        self.assertEqual(interfaces.run("EM3D", 8), network.mesh_run(8))
        self.assertIn("INTERFACE=pools=4", interfaces.run("CON/comm", interfaces.PRIVATE).words("record"))
        self.assertEqual(len(set(interfaces.runs())), 3 * 4 + 1 * 3)

    def test_both_ratios_are_told(self):
        text = "\n".join(interfaces.lines(found(), PRINTED))
        for cell in ("0.17 (0.17)", "1.55 (1.55)", "0.97 (0.97)", "57 %", "2.36 times", "(printed 2.36)"):
            self.assertIn(cell, text)


if __name__ == "__main__":
    unittest.main()
