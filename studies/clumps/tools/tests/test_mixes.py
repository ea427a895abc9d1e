# SPDX-License-Identifier: MIT
"""Several jobs at once on the modelled machine: what is booted, how its output is read, and what is asked of
runs made by hand."""

import os
import sys
import unittest
import unittest.mock

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "..", "..", "..", "tools")]

from clumps import document, mixes  # noqa: E402
from clumps.mixes import Mix, Together  # noqa: E402
from clumps.modelled_runs import Ended  # noqa: E402
from clumps.native_kinds import CELLS  # noqa: E402
from parley_runner.status import Status  # noqa: E402
from parley_study.kept_runs import RunFailed  # noqa: E402

PRINTED = document.read()
GROUP = "[sequential-1] sequential: from 600000.0 to 700000.0 us of the machine's clock\n"
JOB = (
    "[em3d-0] em3d: from 600000.0 to 640000.0 us of the machine's clock\n"
    "[em3d-0] em3d: some design, all messages right\n"
)


def found() -> dict[Mix, Together]:
    """As printed, in us for s; where it took too long to run, ten minutes."""
    return {
        mix: Together((1e6 * sum(CELLS[mix.cell]) * of.get(mix.claim, 600),), sum(CELLS[mix.cell]))
        for mix in mixes.all_mixes()
        for of in (mixes.printed_of(mix.program, mix.cell, PRINTED),)
    }


class Boots(unittest.TestCase):
    def boot(self, cell: str, said: str, status: int = 0) -> dict:
        done = Ended(status, said, "", [])
        with unittest.mock.patch.object(mixes, "ended", lambda _: done):
            return mixes.boot(Mix("EM3D", cell, "fifo"))

    def test_the_jobs_of_a_mix_are_those_of_its_name(self):
        config = Mix("EM3D", "1P+2S", "fifo").config()
        self.assertEqual([config.count(f'app = "{app}"') for app in ("em3d", "sequential")], [1, 2])
        self.assertEqual(config.count(f"--start {mixes.START}"), 3)
        self.assertEqual(config.count("--milliseconds 160"), 2)
        self.assertIn('jobs = "together"', config)
        self.assertEqual(Mix("EM3D", "3P", "fifo").config().count('app = "em3d"'), 3)
        words = Mix("EM3D", "3P", "fifo").words("jobs.toml", "record")
        self.assertIn(f"DESIGN=native,port=fifo:{mixes.PACKETS},synchronization=two-phase", words)
        self.assertIn('app = "fft_3d"', Mix("3-D FFT", "2P", "fifo").config())
        self.assertEqual(len({mix.name for mix in mixes.all_mixes()}), 3 * (5 + 2 + 2 + 3))

    def test_a_parallel_job_takes_from_the_beginning_to_its_end(self):
        self.assertEqual(self.boot("1P+1S", JOB + GROUP)["took"], [40000])
        self.assertEqual(Together((40000, 60000), 2).each, 25000)

    def test_a_job_that_takes_too_long_fails(self):
        with self.assertRaisesRegex(RunFailed, "the run failed"):
            self.boot("1P+1S", JOB + GROUP, Status.TIME_OUT)

    def test_a_job_that_is_longer_than_a_group_took_at_least_that(self):
        self.assertFalse(self.boot("1P+1S", JOB + GROUP)["at_least"])
        self.assertTrue(self.boot("1P+1S", JOB + GROUP.replace("700000", "630000"))["at_least"])
        # Of two groups the one that ends first, and of two jobs the one that ends last.
        brief = GROUP.replace("700000", "630000").replace("sequential-1", "sequential-2")
        self.assertTrue(self.boot("1P+2S", JOB + GROUP + brief)["at_least"])
        late = JOB.replace("640000", "650000").replace("em3d-0", "em3d-1")
        two = self.boot("2P", JOB + late)
        self.assertEqual((two["took"], two["at_least"]), ([40000, 50000], False))
        longer = Together((80000,), 2, at_least=True)
        text = "\n".join(mixes.lines(found() | {Mix("EM3D", "1P+1S", "ticket-claim"): longer}, PRINTED))
        self.assertIn(">40.00", text)

    def test_a_mix_that_was_none_fails(self):
        for said, word in (
            (JOB, "the run failed"),
            (JOB.replace("all messages right", "") + GROUP, "the run failed"),
        ):
            with self.assertRaisesRegex(RunFailed, word):
                self.boot("1P+1S", said)
        with self.assertRaisesRegex(RunFailed, "the run failed"):
            self.boot("1P+1S", JOB + GROUP, 1)


class Statements(unittest.TestCase):
    def wrong(self, *changes: tuple[Mix, float]) -> list[str]:
        """What does not hold where some times by job, in s, are others."""
        changed = found()
        for mix, seconds in changes:
            by = changed[mix].by
            changed[mix] = Together((1e6 * by * seconds,), by)
        return [verdict.sentence for verdict in mixes.statements(changed) if not verdict.holds]

    def fails(self, word: str, *changes: tuple[Mix, float]) -> None:
        sentences = self.wrong(*changes)
        self.assertEqual([word in sentence for sentence in sentences], [True], sentences)

    def test_all_hold_of_the_printed_numbers(self):
        self.assertEqual(self.wrong(), [])
        self.assertEqual(
            [len(one.cells) for one in mixes.statements(found())], [8, 2, 2, 4, 1, 4, 2, 2]
        )

    def test_each_fails_where_it_should(self):
        self.fails("EM3D is faster under the lock-free", (Mix("EM3D", "1P+1S", "preemption-safe"), 1.17))
        self.fails("EM3D takes 20 %", (Mix("EM3D", "3P", "ticket-claim"), 0.85))
        self.fails("gains with each further", (Mix("EM3D", "3P", "preemption-safe"), 0.9))
        alone = (Mix("EM3D", "1P", "lock-free"), 0.55), (Mix("EM3D", "1P", "preemption-safe"), 1.035)
        self.fails("what one takes alone", *alone)

    def test_each_fails_of_other_programs(self):
        self.fails("SAMPLE is faster under the lock-free", (Mix("SAMPLE", "2P", "preemption-safe"), 0.96))
        self.fails("SAMPLE takes 10 times", (Mix("SAMPLE", "2P", "ticket-claim"), 9.6))
        self.fails("CON/comm is faster under the", (Mix("CON/comm", "2P", "ticket-claim"), 2.61))
        self.fails("3-D FFT takes the same under", (Mix("3-D FFT", "2P", "preemption-safe"), 0.89))

    def test_nothing_is_said_beside_a_least_time_of_lock_free(self):
        first = Mix("EM3D", "1P+1S", "lock-free")
        changed = found() | {first: Together(found()[first].took, 2, at_least=True)}
        wrong = {one.sentence: one.cells for one in mixes.statements(changed) if not one.holds}
        self.assertEqual(["EM3D" in sentence for sentence in wrong], [True, True], wrong)
        for cells in wrong.values():
            self.assertEqual({name for name, (so, _) in cells.items() if so}, set(cells) - self.of(cells))
        self.assertIn("unknown (1.69)", "\n".join(mixes.lines(changed, PRINTED)))

    def test_least_times_are_not_the_same(self):
        for claim in ("lock-free", "ticket-claim"):
            least = Mix("3-D FFT", "2P", claim)
            changed = found() | {least: Together(found()[least].took, 2, at_least=True)}
            (same,) = (one for one in mixes.statements(changed) if "3-D FFT takes the same" in one.sentence)
            self.assertFalse(same.cells["2P, ticket-claim"][0], claim)

    @staticmethod
    def of(cells: dict[str, tuple[bool, str]]) -> set[str]:
        return {name for name in cells if name.startswith("1P+1S")}

    def test_what_explains_is_computed_from_the_runs(self):
        counted = [{"clock": 9e9, "asleep": 2e9}] * 8
        changed = {at: Together(one.took, one.by, counted) for at, one in found().items()}
        text = "\n".join(mixes.explained(changed))
        self.assertIn("56  56     56  56     56", text)
        self.assertRegex(text, r"56  56     56 *\n")

    def test_both_ratios_are_told(self):
        text = "\n".join(mixes.lines(found(), PRINTED))
        of_others = ("1.07 (1.07)", "1.05 (1.05)", "1.66 (1.66)")
        for cell in ("682.00", "2.45 (2.45)", "1.21 (1.21)", "1P+2S", *of_others):
            self.assertIn(cell, text)


if __name__ == "__main__":
    unittest.main()
