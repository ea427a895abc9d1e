# SPDX-License-Identifier: MIT
"""The rootfinder's theory against the documents' tables, and the table of its records."""

import dataclasses
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
    claims,
    documents,
    machine_claims,
    machine_study,
    machine_tables,
    measured,
    model,
    simulation,
    study,
    theory,
)
from parley_runner.places import BUILD, ROOT
from parley_trace.reading import Record
from suites.declarations import needs

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
        self.assertAlmostEqual(study.crossing({1: 0.1, 10: 0.4, 100: 0.6, 1000: 0.9}), 10**1.5)
        with self.assertRaises(ValueError):
            study.crossing({1: 0.6, 10: 0.9})


@needs("cmmp")
class Simulated(unittest.TestCase):
    """What users rely on, exactly: nothing is drawn, so a run repeats."""

    @classmethod
    def setUpClass(cls):
        cls.results = {
            name: study.find_thresholds(simulation.Machine(profile), name)
            for name, profile in simulation.profiles().items()
        }

    def test_thresholds_rise_from_spin_to_policy_0_and_the_model_predicts_them(self):
        for name, results in self.results.items():
            with self.subTest(profile=name):
                found = [results.thresholds[kind].found for kind in documents.KINDS]
                self.assertEqual(found, sorted(set(found)))
                for kind, one in results.thresholds.items():
                    if kind != "spin":
                        self.assertLess(abs(one.error), claims.NEAR, kind)

    def test_thresholds_that_do_not_rise_or_that_the_model_misses_are_judged_false(self):
        def judged(**others) -> dict:
            results = self.results["native"]
            changed = dataclasses.replace(results, thresholds=results.thresholds | others)
            return {claim.number: claim.holds for claim in claims.thresholds(changed)}

        kernel, policy = (self.results["native"].thresholds[kind] for kind in ("kernel", "policy-0"))
        self.assertEqual(judged(), {"C13": True, "C14": True})
        lower = dataclasses.replace(policy, found=kernel.found)
        self.assertEqual(judged(**{"policy-0": lower})["C13"], False)
        for times in (1 - 2 * claims.NEAR, 1 + 2 * claims.NEAR):
            missed = dataclasses.replace(kernel, found=kernel.predicted * times)
            self.assertEqual(judged(kernel=missed)["C14"], False)

    def test_pages_and_policy_processes_of_a_wait_are_those_of_its_kind(self):
        for name, results in self.results.items():
            for kind, counts in results.counts.items():
                with self.subTest(profile=name, kind=kind):
                    waits = counts["waits"]
                    self.assertEqual(waits == 0, kind == "spin")
                    eager = kind in claims.POLICY_PATH
                    self.assertEqual(counts["page writes"], waits if eager else 0)
                    self.assertEqual(counts["in time"], waits if kind == "policy-1:300ms" else 0)
                    if eager:
                        self.assertGreaterEqual(counts["policy requests"], waits)
                    else:
                        self.assertEqual(counts["policy requests"], 0)

    def test_the_model_predicts_thresholds_of_stages_that_messages_carry(self):
        messages = self.results["native"].messages
        with open(os.path.join(ROOT, "messaging", "design", "presets.hpp"), encoding="utf-8") as file:
            self.assertEqual(set(messages), set(re.findall(r'^    {"([\w-]+)", {', file.read(), re.M)))
        for design, one in messages.items():
            with self.subTest(design=design):
                self.assertLess(abs(one.error), claims.NEAR)
                self.assertGreater(one.found, self.results["native"].thresholds["spin"].found)
        self.assertEqual(self.results["cmmp-1978"].messages, {})

    def test_the_model_predicts_thresholds_of_further_kinds_and_of_one_call(self):
        further = self.results["native"].further
        self.assertEqual(set(further), set(study.FURTHER))
        for name, one in further.items():
            with self.subTest(name):
                self.assertLess(abs(one.error), claims.NEAR)
        self.assertLess(further["kernel at once"].found, self.results["native"].thresholds["kernel"].found)
        self.assertEqual(self.results["cmmp-1978"].further, {})

    def test_wake_ups_come_one_by_one(self):
        for name, results in self.results.items():
            with self.subTest(profile=name):
                self.assertTrue(claims.serial(results).holds, claims.serial(results).evidence)

    def test_the_search_for_pages_is_in_the_order_of_wake_ups(self):
        native = self.results["native"]
        evidence = claims.serial(native).evidence
        self.assertRegex(evidence, r"policy-0 .*with the search r2 0\.[89].*within 1?\d %")
        # Without the search they come sooner than the model has them with it, and with more of it later.
        for times in (0.5, 2):
            woken = [times * after for after in native.serial["policy-0"]["woken after"]]
            other = native.serial | {"policy-0": {"woken after": woken}}
            self.assertFalse(claims.serial(dataclasses.replace(native, serial=other)).holds)

    def test_wrong_words_are_refused_in_a_sentence(self):
        program = os.path.join(BUILD, "studies", "cmmp", "cmmp")
        for word, sentence in {
            "processes=13": "processes is a whole number from 1 to 12, not '13'",
            "semaphore=kernal": "there are no semaphores 'kernal'",
            "lengths=long": "lengths are authentic, constant, normal or exponential, not 'long'",
            "p=-1": "p is a whole number from 0",
            "mean": "a word is KEY=VALUE, not 'mean'",
            "speeds=medium:3": "speeds are fast and slow, as fast:8,slow:1, not 'medium:3'",
            "speeds=fast:0": "there are 1 to 64 processors of both speeds together",
            "stealing=no": "stealing is on or off, not 'no'",
            "code=private": "code: this machine has no banks; banks= says which",
            "banks=585,585 code=2": "code: a bank is a whole number from 0 to 1, not '2'",
            "banks=585 processes=3 code=0,0": "a bank for each of the 3 processes, not '0,0'",
            "banks=585 words=1": "words: a bank is a whole number from 0 to 0, not '1'",
            "interrupts=0:1": "every= says how long",
            "speeds=fast:3 interrupts=3:0 every=9": "processors are 0 to 2",
            "isr=9:1": "isr are a shortest and a longest time",
            "colour=1": "there is no key 'colour'",
        }.items():
            with self.subTest(word=word):
                done = subprocess.run([program, *word.split()], capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1))
                self.assertIn(sentence, done.stderr)


def evaluations(length: float, processors: int = 5, processes: int = 5, **more) -> dict:
    spread = {"lower_quartile": 0.9 * length, "upper_quartile": 1.1 * length}
    rows = [row(0, "evaluation", length) | spread, row(0, "stages", 21.0), row(0, "elapsed", 1e6)]
    jobs = [{"job": 0, "nodes": processes, "semaphore": "kernel"}]
    return {"clock": "counted", "processors": processors, "jobs": jobs, "rows": rows} | more


def event(ns: float, name: str, process: int = 0) -> Record:
    return Record(ns, name, 1, process, 0, None, 0, 0, 0)


@needs("cmmp")
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
        middle = self.taken(evaluations(11_900), "--limit", "12.5")
        self.assertIn("Take kernel: ", middle)
        self.assertIn("Not sure within the error: policy-1:300ms.", middle)
        self.assertIn("Take spin: ", self.taken(evaluations(4_000)))
        costly = self.taken(evaluations(500))
        self.assertRegex(costly, r"Take spin: no kind stays within 10 %, .* about 1\.\d\d us\.")

    def test_nobody_is_told_to_spin_on_too_few_processors(self):
        said = self.taken(evaluations(4_000, processors=2))
        self.assertIn("There are 2 processors for 5 processes", said)
        self.assertIn("Take kernel: no kind stays within 10 %", said)

    def test_predictions_tell_their_error(self):
        machine = simulation.Machine(simulation.profiles()["native"])
        made = advice.of_file(self.file("record.json", json.dumps(evaluations(5_000))))[0]
        for one in advice.predictions(machine, made, 1.0):
            self.assertTrue(one.least <= min(one.overhead, one.model), one)
            self.assertTrue(one.most >= max(one.overhead, one.model), one)
            self.assertAlmostEqual(one.model, one.threshold / (one.threshold + 5_000), delta=1e-9)
            self.assertAlmostEqual(one.overhead, one.model, delta=0.05)

    def test_costs_are_scaled_by_what_p_and_v_alone_took(self):
        counted = simulation.profiles()["native"]["measured"]["kernel"]
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


@needs("cmmp")
class WhatSlowsProcessorsDown(unittest.TestCase):
    """Every claim of the machine's losses holds, and not where the loss is taken away."""

    @classmethod
    def setUpClass(cls):
        cls.profile = simulation.profiles()["cmmp-1978"]
        cls.results = machine_study.whole(simulation.Machine(cls.profile))

    def judged(self, **changed) -> dict[str, bool]:
        results = dataclasses.replace(self.results, **changed)
        return {claim.number: claim.holds for claim in machine_claims.judge(self.profile, results)}

    def test_all_claims_hold(self):
        numbers = ("C18", "C19", "C20", "C21", "C22")
        self.assertEqual(self.judged(), dict.fromkeys(numbers, True))

    def test_without_its_loss_a_claim_does_not_hold(self):
        bound = {
            (kind, machine): self.results.speeds[kind, "bound" if machine == "stealing" else machine]
            for kind, machine in self.results.speeds
        }
        quiet = {n: (alone, alone) for n, (alone, _) in self.results.interrupts.items()}
        private = dict.fromkeys(self.results.code, self.results.code["private"])
        for number, changed in {
            "C18": {"speeds": bound},
            "C19": {"interrupts": quiet},
            "C20": {"slices": self.results.interrupts},
            "C21": {"code": private},
            "C22": {"polling": dict.fromkeys(self.results.polling, 1.0)},
        }.items():
            with self.subTest(claim=number):
                judged = self.judged(**changed)
                self.assertEqual([name for name, holds in judged.items() if not holds], [number])

    def test_nobody_is_slowed_down_unless_it_is_asked_for(self):
        machine = simulation.Machine(self.profile)
        plain, named = machine.ask(
            [machine.words("kernel", processes=9, **more) for more in ({}, {"speeds": "fast:9"})]
        )
        self.assertEqual(plain, named)
        self.assertEqual([plain[name] for name in ("steals", "requests", "interrupts")], [0, 0, 0])

    def test_tables_say_that_banks_are_a_model(self):
        text = "\n".join(machine_tables.whole(self.results))
        self.assertEqual(text.count("banks a model"), 2)
        self.assertIn("Table 3.8", text)


if __name__ == "__main__":
    unittest.main()
