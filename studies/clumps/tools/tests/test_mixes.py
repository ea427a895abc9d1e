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


def found() -> dict[tuple[str, str], Together]:
    """As printed, in us for s."""
    return {
        (cell, claim): Together((1e6 * by * of[claim],), by)
        for cell, counts in CELLS.items()
        for by in (sum(counts),)
        for of in (mixes.printed_of(cell, PRINTED),)
        for claim in mixes.CLAIMS
    }


class Boots(unittest.TestCase):
    def boot(self, cell: str, said: str, status: int = 0) -> dict:
        done = Ended(status, said, "", [])
        with unittest.mock.patch.object(mixes, "ended", lambda _: done):
            return mixes.boot(Mix(cell, "fifo"))

    def test_the_jobs_of_a_mix_are_those_of_its_name(self):
        config = Mix("1P+2S", "fifo").config()
        self.assertEqual([config.count(f'app = "{app}"') for app in ("em3d", "sequential")], [1, 2])
        self.assertEqual(config.count(f"--start {mixes.START}"), 3)
        self.assertEqual(config.count("--milliseconds 160"), 2)
        self.assertIn('jobs = "together"', config)
        self.assertEqual(Mix("3P", "fifo").config().count('app = "em3d"'), 3)
        words = Mix("3P", "fifo").words("jobs.toml", "record")
        self.assertIn(f"DESIGN=native,port=fifo:{mixes.PACKETS},synchronization=two-phase", words)
        self.assertEqual(len({Mix(cell, claim).name for cell in CELLS for claim in mixes.CLAIMS}),
                         len(CELLS) * len(mixes.CLAIMS))  # fmt: skip

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
        text = "\n".join(mixes.lines(found() | {("1P+1S", "ticket-claim"): longer}, PRINTED))
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
    def wrong(self, *changes: tuple[str, str, float]) -> list[str]:
        """What does not hold where some times by job, in s, are others."""
        changed = found()
        for cell, claim, seconds in changes:
            by = changed[cell, claim].by
            changed[cell, claim] = Together((1e6 * by * seconds,), by)
        return [verdict.sentence for verdict in mixes.statements(changed) if not verdict.holds]

    def fails(self, word: str, *changes: tuple[str, str, float]) -> None:
        sentences = self.wrong(*changes)
        self.assertEqual([word in sentence for sentence in sentences], [True], sentences)

    def test_all_hold_of_the_printed_numbers(self):
        self.assertEqual(self.wrong(), [])
        self.assertEqual([len(one.cells) for one in mixes.statements(found())], [8, 4, 2, 2])

    def test_each_fails_where_it_should(self):
        self.fails("is faster under the lock-free claim", ("1P+1S", "preemption-safe", 1.17))
        self.fails("the order of arrival", ("3P", "ticket-claim", 0.85))
        self.fails("gains with each further", ("3P", "preemption-safe", 0.9))
        self.fails("what one takes alone", ("1P", "lock-free", 0.55), ("1P", "preemption-safe", 1.035))

    def test_what_explains_is_computed_from_the_runs(self):
        counted = [{"clock": 9e9, "asleep": 2e9}] * 8
        changed = {at: Together(one.took, one.by, counted) for at, one in found().items()}
        self.assertIn("56  56     56  56     56", "\n".join(mixes.explained(changed)))

    def test_both_ratios_are_told(self):
        text = "\n".join(mixes.lines(found(), PRINTED))
        for cell in ("682.00", "2.45 (2.45)", "1.21 (1.21)", "1P+2S"):
            self.assertIn(cell, text)


if __name__ == "__main__":
    unittest.main()
