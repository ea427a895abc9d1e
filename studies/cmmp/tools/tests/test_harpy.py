# SPDX-License-Identifier: MIT
"""The model of HARPY, on small work whose times can be said beforehand, and the table of its records."""

import json
import os
import tempfile
import unittest

from cmmp import harpy_documents, harpy_measured, harpy_model, harpy_native, harpy_work
from cmmp.harpy_model import Costs, simulate

# A segment with one candidate of four sons, then one with four candidates of one each.
WORK = """# said by hand
utterance 0
candidate 1:-1 2:-2 3:-3 4:-4
kept 4
candidate 5:-9
candidate 5:-8
candidate 6:-7
candidate 6:-7
kept 2
"""
FREE = {"pop": 0, "store": 0, "retrieve": 0, "v": 0, "wake": 0}
PLAIN = Costs(next=1, update=10, none=5, save=2, **FREE)


def segments(text: str = WORK) -> list[harpy_work.Segment]:
    return harpy_work.parsed(text.splitlines(), "work")


def record(version: str, nodes: int, forward: float, answer: float = 1.0) -> dict:
    values = {"forward": forward, "pruning": 1e6, "utilization": 50.0, "answer": answer}
    rows = [{"job": 0, "node": 0, "name": k, "median": v, "access": version} for k, v in values.items()]
    job = {"job": 0, "nodes": nodes, "semaphore": "spin:0"}
    return {"clock": "native", "jobs": [job], "rows": rows}


class Work(unittest.TestCase):
    def test_it_is_read(self):
        one, two = segments()
        self.assertEqual((len(one.candidates), one.pairs, one.reached, one.kept), (1, 4, 4, 4))
        self.assertEqual((len(two.candidates), two.pairs, two.reached, two.kept), (4, 4, 2, 2))

    def test_other_lines_are_refused_with_their_number(self):
        for text in ("candidate 1:2\nnonsense\n", "candidate 1:2\ncandidate 3\n"):
            with self.assertRaisesRegex(ValueError, "work:2: this is no work of harpy"):
                segments(text)
        with self.assertRaisesRegex(ValueError, "there is no segment in it"):
            segments("utterance 0\n")


class Model(unittest.TestCase):
    def test_one_process_does_all_units_one_after_the_other(self):
        # Four updates; then an update, another by a better father, an update, and none. A stack gives what
        # came last first, and finds the better father at once.
        for version in harpy_model.VERSIONS:
            outcome = simulate(PLAIN, segments(), version, 1)
            second = 3 * 11 + 6 if version in ("V1", "V2") else 2 * 11 + 2 * 6
            self.assertEqual(outcome.forward, 4 * 11 + second, version)
            self.assertEqual(outcome.pruning, 6 * 2)
            self.assertEqual(outcome.utilization, 1)

    def test_only_split_versions_share_one_candidate(self):
        first = segments()[:1]
        self.assertEqual([simulate(PLAIN, first, version, 4).forward for version in ("V1", "V2")], [44, 44])
        # One makes four pairs in turn; then four check at once, or, asynchronously, from the end of it.
        self.assertEqual([simulate(PLAIN, first, version, 4).forward for version in ("V3", "V4")], [14, 14])

    def test_four_candidates_take_four_processes_as_long_as_one(self):
        second = segments()[1:]
        for version in harpy_model.VERSIONS:
            self.assertEqual(simulate(PLAIN, second, version, 4).forward, 11, version)

    def test_a_lock_is_taken_by_one_at_a_time(self):
        costs = Costs(next=0, update=0, none=0, save=0, pop=3, store=0, retrieve=0, v=0, wake=0)
        # Each of four candidates, and each process's look at the empty stack.
        self.assertEqual(simulate(costs, segments()[1:], "V2", 2).forward, 3 * (4 + 2))

    def test_barriers_wake_one_by_one(self):
        costs = Costs(next=0, update=0, none=0, save=0, pop=0, store=0, retrieve=0, v=2, wake=5)
        # Two after the forward step, where the third to be woken begins last; pruning waits for it.
        self.assertEqual(simulate(costs, segments()[:1], "V1", 4).pruning, 3 * 2 + 5)

    def test_costs_that_are_derived_give_the_printed_shares(self):
        costs = harpy_model.documents_costs(segments())
        check = 4 * 1.2 + 3 * 1.2 + 0.8
        self.assertAlmostEqual(8 * costs.next / check, 21.5 / 46.0)
        self.assertAlmostEqual(6 * costs.save / check, 28.5 / 46.0)
        one, three = (simulate(costs, segments(), version, 1).forward for version in ("V1", "V3"))
        self.assertAlmostEqual(three / one, 66.69 / 52.89, delta=0.03)


class Measured(unittest.TestCase):
    def table_of(self, *records: dict) -> str:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "record.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"runs": records}, file)
            return harpy_measured.table(harpy_measured.runs_of([path]))

    def test_both_speedups_stand_beside_what_is_printed(self):
        text = self.table_of(record("V1", 1, 4e6), record("V4", 1, 5e6), record("V4", 4, 2e6))
        self.assertRegex(text, r"V4 +4 spin:0 +2\.000 +2\.500 +2\.000 +50\.0")
        self.assertIn("V4: " + harpy_documents.line("V4"), text)
        self.assertNotIn("WRONG", text)

    def test_other_answers_are_told(self):
        text = self.table_of(record("V1", 1, 4e6), record("V4", 4, 2e6, answer=2.0))
        self.assertIn("WRONG: V4 with 4 processes and V1 with 1 give different answers", text)

    def test_one_answer_that_differs_fails_the_claim_of_equal_answers(self):
        answers = {("V0", 1): ("a", "b"), ("V1", 2): ("a", "b"), ("V4", 3): ("a", "b")}
        self.assertTrue(harpy_native.same_answers(answers)[1])
        sentence, holds = harpy_native.same_answers(answers | {("V4", 3): ("a", "c")})
        self.assertFalse(holds)
        self.assertIn("1 to 3 processes", sentence)
        self.assertIn("differ: V4 with 3", sentence)
        self.assertFalse(harpy_native.same_answers({("V0", 1): ()})[1])


if __name__ == "__main__":
    unittest.main()
