# SPDX-License-Identifier: MIT
"""The rootfinder's theory against the documents' tables, and the table of its records."""

import json
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest

from cmmp import (
    advice,
    curves,
    documents,
    measured,
    model,
    profiles,
    theory,
)
from parley_runner.places import ROOT
from parley_trace.reading import Record

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

    def test_speedups_are_those_that_follow_from_the_equations(self):
        for n, row in documents.THEORY.items():
            for kind, wanted in zip(theory.KINDS, row):
                self.assertAlmostEqual(theory.speedup(kind, n, 0.278), wanted, delta=6e-4)

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

    def test_stops_are_in_the_way_where_they_last_until_the_next_wake_up(self):
        plain = model.Costs(1, 10, 4, 1)
        short = model.Costs(1, 10, 4, 1, stop=6, dispatch=2)
        self.assertAlmostEqual(model.overhead(short, 2, 100), model.threshold(plain, 2))
        # By turns 16, of who goes on behind a stop of 20, and 11, of who began so late.
        self.assertAlmostEqual(model.overhead(model.Costs(1, 10, 4, 1, 20, 0, 2), 2, 100), 13.5)
        long = model.Costs(1, 10, 4, 1, 20, 3, 2)
        self.assertAlmostEqual(model.overhead(long, 5, model.threshold(long)), model.threshold(long), 3)

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

    def test_a_crossing_lies_between_two_lengths_on_a_logarithmic_scale(self):
        self.assertAlmostEqual(curves.crossing({1: 0.1, 10: 0.4, 100: 0.6, 1000: 0.9}), 10**1.5)
        with self.assertRaises(ValueError):
            curves.crossing({1: 0.6, 10: 0.9})


class Profiles(unittest.TestCase):
    """What a single wake-up, and a stop, come to from a profile's parts."""

    def test_costs_are_put_together_of_their_parts(self):
        kept = profiles.kept()
        printed, ours = kept["cmmp-1978"], kept["native"]
        self.assertEqual(profiles.costs(printed, "kernel"), model.Costs(3e6, 5e6))
        # Table 4.1: V 6 ms, 55 until the process runs; a revolution of 16.67 ms to read, two to write.
        self.assertEqual(
            profiles.costs(printed, "policy-0"), model.Costs(6e6, 55e6, 45e6, 2, 61.67e6, 16.67e6, 5e6)
        )
        self.assertEqual(
            profiles.costs(printed, "policy-1:0s"), model.Costs(5e6, 50e6, 32e6, 2, 48.67e6, 16.67e6, 13e6)
        )
        self.assertEqual(profiles.costs(printed, "policy-1:300ms"), model.Costs(5e6, 13e6))
        own = ours["kinds"]["policy-0"]
        found = profiles.costs(ours, "policy-0")
        request = own["scheduling"] + own["communication"]
        self.assertEqual((found.service, found.stop), (request, request + own["search"]))
        self.assertEqual(found.wake, own["policy-wake"] + request + own["wake"])

    def test_thresholds_of_the_printed_costs_have_the_printed_order(self):
        found = profiles.thresholds(profiles.kept()["cmmp-1978"])
        for kind, printed in (("kernel", 18), ("policy-1:300ms", 33)):
            self.assertLess(abs(found[kind] / 1e6 / printed - 1), 0.25)
        in_order = [found[kind] for kind in documents.KINDS]
        self.assertEqual(in_order, sorted(set(in_order)))

    def test_the_table_has_every_kind_and_every_design(self):
        ours = profiles.kept()["native"]
        with open(os.path.join(ROOT, "messaging", "design", "presets.hpp"), encoding="utf-8") as file:
            designs = re.findall(r'^    {"([\w-]+)", {', file.read(), re.M)
        text = "\n".join(profiles.table(profiles.kept()))
        for name in (*ours["kinds"], *profiles.TOGETHER, *(f"messages, {design}" for design in designs)):
            self.assertRegex(text, rf"(?m)^{re.escape(name)} +([\d.]+ +)?\d+$")


def evaluations(length: float, processors: int = 5, processes: int = 5, **more) -> dict:
    spread = {"lower_quartile": 0.9 * length, "upper_quartile": 1.1 * length}
    rows = [row(0, "evaluation", length) | spread, row(0, "stages", 21.0), row(0, "elapsed", 1e6)]
    jobs = [{"job": 0, "nodes": processes, "semaphore": "kernel"}]
    return {"clock": "counted", "processors": processors, "jobs": jobs, "rows": rows} | more


def event(ns: float, name: str, process: int = 0) -> Record:
    return Record(ns, name, 1, process, 0, None, 0, 0, 0)


class Advice(unittest.TestCase):
    """Lengths are instructions: the profile native."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def file(self, name: str, text: str) -> str:
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def advise(self, *words: str) -> subprocess.CompletedProcess:
        tool = os.path.join(ROOT, "studies", "cmmp", "tools", "rootfinder.py")
        line = [sys.executable, "-B", tool, "advise", *words]
        return subprocess.run(line, capture_output=True, text=True, check=False)

    def taken(self, record: dict, *words: str) -> str:
        done = self.advise(self.file("record.json", json.dumps(record)), *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_the_kind_that_gives_most_away_within_the_limit_is_named(self):
        long = self.taken(evaluations(1e6))
        self.assertIn("Take policy-1:0s: 0.", long)
        self.assertIn("between waits: 1 ms, half of them from 900 us to 1.1 ms, 105 of them", long)
        middle = self.taken(evaluations(12_500), "--limit", "15")
        self.assertIn("Take kernel: ", middle)
        self.assertIn("Not sure within the error: policy-0, policy-1:0s, policy-1:300ms.", middle)
        self.assertIn("Take spin: ", self.taken(evaluations(4_000)))
        costly = self.taken(evaluations(500))
        self.assertRegex(costly, r"Take spin: no kind stays within 10 %, .* about 1\.\d\d us\.")

    def test_nobody_is_told_to_spin_on_too_few_processors(self):
        said = self.taken(evaluations(4_000, processors=2))
        self.assertIn("There are 2 processors for 5 processes", said)
        self.assertIn("Take kernel: no kind stays within 10 %", said)

    def test_predictions_tell_their_error(self):
        made = advice.of_file(self.file("record.json", json.dumps(evaluations(5_000))))[0]
        for one in advice.predictions(profiles.kept()["native"], made, 1.0):
            self.assertAlmostEqual(one.overhead, one.threshold / (one.threshold + 5_000), delta=0.05)
            # Half of the lengths lie within a tenth of the middle one.
            self.assertAlmostEqual(one.least, 0.75 / 1.1 * one.overhead, delta=0.05)
            self.assertAlmostEqual(one.most, 1.25 / 0.9 * one.overhead, delta=0.08)

    def test_costs_are_scaled_by_what_p_and_v_alone_took(self):
        counted = profiles.kept()["native"]["measured"]["kernel"]
        alone = [row(0, name, 2 * counted[name]) for name in ("P alone", "V alone")]
        record = evaluations(1e6, clock="free")
        record["rows"] += alone
        self.assertIn("an instruction lasts 2 ns (its P and V alone take", self.taken(record))
        self.assertIn("an instruction lasts 3 ns (as asked for)", self.taken(record, "--instruction", "3"))

    def test_lengths_of_a_trace_lie_between_waits(self):
        records = [
            *(event(0, "wait"), event(10, "resume"), event(110, "P"), event(112, "block")),
            *(event(500, "switch"), event(700, "P"), event(1_000, "wait"), event(1_100, "resume")),
            *(event(1_150, "switch"), event(1_600, "wait")),
        ]
        self.assertEqual(advice.lengths_of(records, True), {0: [100, 200, 300, 500]})
        self.assertEqual(advice.lengths_of(records, False), {0: [990, 500]})

    def test_what_is_wrong_is_one_sentence(self):
        good = self.file("good.json", json.dumps(evaluations(1e6)))
        for words, sentence in (
            ((), "advise wants a record of the rootfinder, or a trace."),
            (("no-such.json",), "no-such.json cannot be read as a record or a trace"),
            ((self.file("text.json", "no"),), "text.json cannot be read as a record or a trace"),
            ((self.file("a.trace", "no"),), "a.trace is no whole file of a trace"),
            ((self.file("empty.json", '{"jobs": [], "rows": []}'),), "tells of no computation between waits"),
            ((self.file("one.json", json.dumps(evaluations(1e6, processes=1))),), "is of one process"),
            ((good, "--limit", "0"), "--limit 0 is no percentage between 0 and 100."),
            ((good, "--instruction", "-1"), "--instruction -1 is no time: it must be above 0."),
        ):
            with self.subTest(words=words):
                done = self.advise(*words)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertIn(sentence, done.stderr)


if __name__ == "__main__":
    unittest.main()
