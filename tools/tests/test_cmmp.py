# SPDX-License-Identifier: MIT
"""The rootfinder's theory against the documents' tables, and the table of its records."""

import json
import math
import os
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
from cmmp import measured, model, theory  # noqa: E402

STAGES = [54, 34, 27, 23, 21, 19, 18, 17, 16, 16, 15, 15]
LARGEST_OF_NORMAL = [
    *(0.0, 0.56419, 0.84628, 1.02938, 1.16296, 1.26721, 1.35218, 1.42360, 1.48501, 1.53875, 1.58644),
    1.62923,
]
SPEEDUPS_OF_NINE = {"constant": 3.375, "normal": 2.389, "exponential": 1.193}


def row(job: int, name: str, median: float, access: str = "constant") -> dict:
    return {"job": job, "node": 0, "name": name, "median": median, "access": access}


def record(processes: int, elapsed: float) -> dict:
    return {
        "clock": "free",
        "jobs": [{"job": 0, "nodes": processes, "semaphore": "kernel"}],
        "rows": [row(0, "elapsed", elapsed), row(0, "stages", 54.0), row(0, "wake-up", 2e3)],
    }


class Theory(unittest.TestCase):
    def test_stages_are_the_printed_ones(self):
        self.assertEqual([theory.stages(n) for n in range(1, 13)], STAGES)

    def test_means_of_the_largest_are_the_printed_ones(self):
        for n, wanted in enumerate(LARGEST_OF_NORMAL, start=1):
            self.assertAlmostEqual(theory.largest_normal(n), wanted, places=5)
        # (3.4) as it is printed: n times an alternating sum.
        for n in range(1, 13):
            printed = n * sum(math.comb(n - 1, j) * (-1) ** j / (j + 1) ** 2 for j in range(n))
            self.assertAlmostEqual(theory.largest("exponential", n), printed, places=9)

    def test_speedups_are_the_printed_ones(self):
        for kind, wanted in SPEEDUPS_OF_NINE.items():
            self.assertAlmostEqual(theory.speedup(kind, 9, 0.278), wanted, places=3)
        for n in range(2, 13):
            one, two, three = (theory.speedup(kind, n) for kind in theory.KINDS)
            self.assertTrue(one > two > three > 1)
            self.assertLessEqual(theory.largest("normal", n), theory.largest_at_most(n, 0.25) + 1e-9)


class Model(unittest.TestCase):
    def test_thresholds_follow_from_the_printed_costs(self):
        predicted = {name: model.threshold(costs) for name, (costs, _) in model.DOCUMENTS.items()}
        self.assertEqual(predicted["kernel"], 17)
        self.assertEqual(predicted["policy-1, epsilon 300 ms"], 33)
        self.assertEqual(predicted["policy-1, epsilon 0"], 80)
        self.assertEqual(predicted["policy-0"], 129)
        self.assertEqual(model.threshold(model.Costs(5, 50, 20, 1)), 115)
        printed = [value for _, value in sorted(model.DOCUMENTS.values(), key=lambda one: one[1])]
        by_model = sorted(model.DOCUMENTS.values(), key=lambda one: model.threshold(one[0]))
        self.assertEqual([value for _, value in by_model], printed)

    def test_at_its_threshold_half_of_the_time_is_overhead(self):
        for costs, _ in model.DOCUMENTS.values():
            length = model.threshold(costs)
            ideal = theory.speedup("constant", 5)
            self.assertAlmostEqual(model.speedup(costs, 5, "constant", length), ideal / 2, places=6)


class Measured(unittest.TestCase):
    def test_runs_of_several_records_stand_beside_the_theory(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for processes, elapsed in ((4, 5e6), (1, 1e7)):
                paths.append(os.path.join(folder, f"{processes}.json"))
                with open(paths[-1], "w", encoding="utf-8") as file:
                    json.dump(record(processes, elapsed), file)
            runs = measured.runs_of(paths)
            self.assertEqual([run.processes for run in runs], [1, 4])
            self.assertEqual(measured.speedup_of(runs[1], runs), 2.0)
            text = measured.table(runs, 0.25)
            self.assertRegex(text, r"constant +kernel +4 +54 +5\.000 .* 2\.000 +2\.348  free")
            self.assertNotIn("counted", text)


if __name__ == "__main__":
    unittest.main()
