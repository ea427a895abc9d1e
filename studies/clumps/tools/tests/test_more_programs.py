# SPDX-License-Identifier: MIT
"""What is asked of the programs of table 6.5 on the modelled machine, of runs made by hand: each statement
holds of the thesis's own numbers, and each fails where it should."""

import contextlib
import io
import os
import sys
import unittest
import unittest.mock
from dataclasses import replace

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "..", "..", "..", "tools")]

import programs  # noqa: E402
from clumps import both_protocols, bulk_queues, dedicated, document, interfaces, lengths  # noqa: E402
from clumps import long_queues, looks, mixes, yields  # noqa: E402
from clumps.modelled_runs import Run, Told  # noqa: E402
from parley_study.statements import Verdict, listed  # noqa: E402
from test_both_protocols import found as protocols_found  # noqa: E402
from test_bulk_queues import found as blocks_found  # noqa: E402
from test_interfaces import found as interfaces_found  # noqa: E402
from test_lengths import found as lengths_found  # noqa: E402
from test_long_queues import found as long_found  # noqa: E402
from test_looks import found as looks_found  # noqa: E402
from test_mixes import found as mixes_found  # noqa: E402
from test_yields import found as yields_found  # noqa: E402

PRINTED = document.read()
COUNTED = [{"from_caches": 7000, "bus_transfers": 9000, "memory_time": 2e9}] * 8


def of(time: float) -> Told:
    return Told({"time": (time, 0.01)}, COUNTED, 100)


def dedicated_found() -> dict[str, dict[str, Told]]:
    """As printed, in us for ms."""
    return {
        program: {claim: of(1e3 * seconds) for claim, seconds in PRINTED.dedicated[program].items()}
        for program in dedicated.PROGRAMS
    }


def wrong(verdicts: list[Verdict]) -> list[str]:
    return [verdict.sentence for verdict in verdicts if not verdict.holds]


class Dedicated(unittest.TestCase):
    def changed(self, program: str, claim: str, seconds: float) -> list[str]:
        """What does not hold where one number is another."""
        found = dedicated_found()
        found[program][claim] = of(1e3 * seconds)
        return wrong(dedicated.statements(found, PRINTED))

    def fails(self, word: str, *change: object) -> None:
        found = self.changed(*change)
        self.assertEqual([word in sentence for sentence in found], [True], found)

    def test_all_hold_of_the_printed_numbers(self):
        asked = dedicated.statements(dedicated_found(), PRINTED)
        self.assertEqual(wrong(asked), [])
        self.assertEqual([len(one.cells) for one in asked], [14, 10, 10, 24])

    def test_a_pattern_that_feels_the_claim_is_found(self):
        self.fails("the same under every claim", "3-D FFT", "anderson", 0.74)
        self.fails("the same under every claim", "CON/comp", "fifo", 1.15)

    def test_a_lock_before_a_lock_free_claim_is_found(self):
        self.fails("EM3D is faster", "EM3D", "test-and-set", 0.681)

    def test_a_hot_spot_that_feels_no_lock_is_found(self):
        self.fails("bound by communication", "CON/comm", "anderson", 1.93)

    def test_a_time_that_is_not_as_printed_is_found(self):
        self.fails("is as printed", "EM3D", "preemption-safe", 0.95)

    def test_both_numbers_are_told(self):
        text = "\n".join(dedicated.lines(dedicated_found(), PRINTED))
        for cell in ("0.682", "1.88 (1.88)", "1.10 (1.10)", "1.00 (1.00)"):
            self.assertIn(cell, text)

    def test_what_explains_is_of_all_processors_together(self):
        text = "\n".join(dedicated.explained(dedicated_found(), PRINTED))
        for words in ("from other caches, thousands            56", "waiting for memory, ms            16"):
            self.assertIn(words, text)

    def test_who_waits_sleeps_and_the_run_says_so(self):
        run = dedicated.run("EM3D", "fifo")
        self.assertIn("DESIGN=native,port=fifo,synchronization=two-phase", run.words("record"))
        self.assertNotEqual(run.name, replace(run, synchronization="").name)


class Command(unittest.TestCase):
    def study(self, reasons: dict[str, str], **changes: Told) -> tuple[int, str]:
        found = dedicated_found()
        found["EM3D"] |= changes
        by_run = {  # of which some are dedicated's and interfaces', too
            both_protocols.run(program, column): told
            for program, by in protocols_found().items()
            for column, told in by.items()
        } | {
            dedicated.run(program, claim): told
            for program, by in found.items()
            for claim, told in by.items()
        } | {
            interfaces.run(program, count): told
            for program, by in interfaces_found().items()
            for count, told in by.items()
        }
        by_run |= {run: looks_found()[which] for which, run in looks.all_runs().items()}
        by_run |= {long_queues.run(packets): told for packets, told in long_found().items()}

        together = blocks_found() | yields_found() | mixes_found()

        def all_of(runs: list[Run], _: str, __: str) -> dict[Run, Told]:
            return {run: by_run[run] for run in runs}

        said = io.StringIO()
        with (
            unittest.mock.patch.object(programs, "all_of", all_of),
            unittest.mock.patch.object(programs, "all_mixes", lambda _: together),
            unittest.mock.patch.object(programs, "listed", lambda *_: reasons),
            contextlib.redirect_stdout(said),
        ):
            return programs.study("records"), said.getvalue()

    def test_the_status_is_that_of_statements_and_reasons(self):
        status, text = self.study({})
        self.assertEqual(status, 0, text)
        tables = (
            *("Table 6.5 (printed)", "Lines that moved", "EM3D beside other jobs", "did not sleep", "7.8"),
            *("By the packets of a queue", "by the pauses of a sender", "by when who waits sleeps"),
            *("Table 7.7 (printed)", "SAMPLE alone by the packets", "3-D FFT by the blocks"),
        )
        holding = (
            *("EM3D is faster under lock-free claims", "beside other jobs EM3D is faster under the"),
            *("alone programs take no longer with short queues", "alone CON/comm takes longest"),
            *("beside workstations one multiprocessor gains", "between multiprocessors o_s and o_r"),
        )
        for words in (*tables, *(f"\nholds: {sentence}" for sentence in holding)):
            self.assertIn(words, text)
        status, text = self.study({}, fifo=of(900))
        self.assertEqual(status, 1)
        self.assertIn("DOES NOT HOLD: EM3D is faster", text)

    def test_what_the_page_lists_is_asked(self):
        verdicts = [
            *dedicated.statements(dedicated_found(), PRINTED),
            *mixes.statements(mixes_found()),
            *lengths.statements(lengths_found()),
            *long_queues.statements(long_found()),
            *bulk_queues.statements(blocks_found()),
            *yields.statements(yields_found()),
            *interfaces.statements(interfaces_found(), PRINTED),
            *both_protocols.statements(protocols_found(), PRINTED),
            *looks.statements(looks_found()),
        ]
        asked = {verdict.sentence for verdict in verdicts}
        self.assertEqual(set(listed(programs.DOCUMENT, programs.SECTION)) - asked, set())


if __name__ == "__main__":
    unittest.main()
