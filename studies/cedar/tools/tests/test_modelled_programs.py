# SPDX-License-Identifier: MIT
"""What is asked of the five programs on the modelled Cedar, of runs made by hand: each statement holds where
it should, and fails where it should."""

import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "..", "..", "..", "tools")]

from cedar import modelled_statements as statements  # noqa: E402
from cedar.modelled_runs import CLUSTERS, PROGRAMS, Run  # noqa: E402

SDOALL, XDOALL = {"sdoall/set_up": 1.0, "sdoall/pick_up": 2.0}, {"xdoall_within/pick_up": 10.0}


def run(completion: float, concurrency: float, clusters: int, loops: float, **parts) -> statements.Told:
    """One whose cluster's first threads all spend so much; `wait` is the helpers' for work."""
    wait = parts.pop("wait", 0.0)
    threads = [
        {
            **{"inner": 0, "outer": at, "parts": parts["parts"]},
            "ns": {"work_wait": wait if at else 0.0, "serial": 0.0},
        }
        for at in range(clusters)
    ]
    each = {"loop_concurrency": concurrency / clusters, "spread_ns": loops, "alone_ns": 0.0}
    return statements.Told(
        {
            **{"completion_ns": completion, "average_concurrency": concurrency, "threads": threads},
            **{"clusters": [each] * clusters, "took_ns": completion},
        }
    )


def good() -> dict[str, dict[int, statements.Told]]:
    runs = {
        processors: run(
            1000 / processors + 20,
            0.98 * processors,
            clusters,
            1000 / processors + 2,
            parts={**SDOALL, **XDOALL, "sdoall/barrier": 10.0},
            wait=5.0,
        )
        for processors, clusters in CLUSTERS.items()
    }
    runs[1] = run(1000, 1.0, 1, 900, parts={})
    return {name: dict(runs) for name in PROGRAMS}


class Statements(unittest.TestCase):
    def verdicts(self, told) -> dict[str, bool]:
        return {verdict.sentence: verdict.holds for verdict in statements.of_programs(told)}

    def fails(self, name: str, told: statements.Told, processors: int, *words: str) -> None:
        """With that run in place of a good one, the statements that have these words fail, and no other."""
        changed = good()
        changed[name][processors] = told
        wrong = [sentence for sentence, holds in self.verdicts(changed).items() if not holds]
        self.assertEqual(len(wrong), len(words), wrong)
        for word in words:
            self.assertTrue(any(word in sentence for sentence in wrong), (word, wrong))

    def test_all_hold_of_runs_as_the_document_has_them(self):
        self.assertEqual({s for s, holds in self.verdicts(good()).items() if not holds}, set())

    def test_a_speed_up_above_the_concurrency_is_found(self):
        parts = {**SDOALL, **XDOALL, "sdoall/barrier": 10.0}
        self.fails("MDG", run(100, 8, 2, 100, parts=parts, wait=5.0), 16, "speed-up", "contention")

    def test_an_overhead_that_does_not_grow_is_found(self):
        parts = {**XDOALL, "sdoall/barrier": 0.01}
        told = run(1000 / 32 + 20, 31.36, 4, 1000 / 32 + 2, parts=parts, wait=5.0)
        self.fails("ADM", told, 32, "overhead grows with the clusters")

    def test_another_cause_is_found(self):
        told = run(1000 / 32 + 20, 31.36, 4, 1000 / 32 + 2, parts={"sdoall/set_up": 40.0}, wait=5.0)
        self.fails("FLO52", told, 32, "most of the main task's", "most of the helpers'")

    def test_helpers_that_do_not_wait_are_found(self):
        told = run(1000 / 32 + 20, 31.36, 4, 1000 / 32 + 2, parts=good()["MDG"][32].leads()[0]["parts"])
        self.fails("MDG", told, 32, "helpers' overhead, with their wait")

    def test_grain_decides_between_the_two_forms(self):
        nested = run(1000, 28, 4, 900, parts={"sdoall/set_up": 4.0, "cdoall_within/pick_up": 300.0})
        flat = {length: run(1000, 28, 4, 900, parts={"xdoall/set_up": 6000 / length}) for length in (50, 400)}
        sweep = {length: (nested, told) for length, told in flat.items()}
        self.assertTrue(all(verdict.holds for verdict in statements.of_grain(sweep)))
        slow = run(1000, 28, 4, 900, parts={"sdoall/pick_up": 11.0})
        even = {length: (slow, flat[400]) for length in flat}
        self.assertFalse(any(verdict.holds for verdict in statements.of_grain(even)))

    def test_what_watching_takes_and_a_run_that_differs_are_found(self):
        one = Run("FLO52", 32, 400)
        watched = {one: run(1000, 28, 4, 900, parts={})}
        self.assertTrue(statements.of_instruments(watched, {one: 990}).holds)
        self.assertFalse(statements.of_instruments(watched, {one: 900}).holds)
        self.assertFalse(statements.of_instruments(watched, {}).holds)
        self.assertTrue(statements.of_repeated(watched[one], watched[one]).holds)
        self.assertFalse(statements.of_repeated(watched[one], run(1001, 28, 4, 900, parts={})).holds)


class Command(unittest.TestCase):
    def test_it_finds_all_that_it_builds(self):
        line = ["make", "--dry-run", "paper", "STUDY=cedar", "CLOCK=modelled"]
        root = os.path.join(HERE, "..", "..", "..", "..")
        done = subprocess.run(line, capture_output=True, text=True, check=False, cwd=root)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
