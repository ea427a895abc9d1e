# SPDX-License-Identifier: MIT
"""Every two values of a run's switches, of designs' factors and of kinds of semaphores meet in one boot
(combinations.py), and all its jobs end well."""

import json
import os
import unittest

import combinations
from boot_case import ROOT, BootCase, extra, for_each, needs, seldom

PROGRAM = os.path.join(ROOT, "kernel", "tests", "programs", "combination.c")
IN_REST = (1, 4)  # `make soak ONLY=configurations` also goes through what the other parts try
PARTS = 6  # of the boots after the first: how many there are is known only when the design tool is there
SENTENCES = (
    "CHECKED=1 goes with neither",
    "stealing is of a machine",
    "pages is of a machine",
    "static dispatch, for the presets only",
    "no checked kernel of static calls",
    "straight into the receiver's memory",
    "needs a processor for each of them",
    "is for timeshared programs",
    "need a processor each",
)


@for_each(tuple(range(PARTS)), "every_job_ends_well_in_part", sample=IN_REST)
class Combinations(BootCase):
    @needs("traced")
    def test_every_job_of_the_first_boot_ends_well(self):
        self.try_boot(*combinations.made().boots[0])

    @extra
    @seldom
    @needs("traced", "traced-static", "static", "checked")
    def every_job_ends_well_in_part(self, part: int):
        boots = combinations.made().boots[1 + part :: PARTS]
        self.assertTrue(boots)
        for run, jobs in boots:
            with self.subTest(run=run):
                self.try_boot(run, jobs)

    def try_boot(self, run: dict, jobs: list[dict]) -> None:
        with open(PROGRAM, encoding="utf-8") as file:
            text = f'app = "{self.compiled(file.read())}"\n'
        for number, job in enumerate(jobs):
            keys = {"name": f"job-{number}", **combinations.keys_of(job)}
            text += "[[job]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items())
        words = combinations.words_of_run(run)
        boot = self.boot(f"CONFIG={self.write('jobs.toml', text)}", *words)
        said = f"{' '.join(words)}\n{text}\n{boot.record.get('sentence')}\n{boot.text[-6000:]}"
        ended = [entry["status"] for entry in boot.record.get("jobs", ())]
        # The kernel alone knows how many policy processes a gang has.
        refused = boot.text.count("is larger than the machine, which has") and ended.count("refused")
        self.assertEqual(ended.count("ok"), len(jobs) - refused, said)
        self.assertLessEqual(refused, 1, said)
        self.assertEqual(boot.status, 1 if refused else 0, said)
        for entry in boot.record.get("jobs", ()):
            self.assertEqual((entry["frames_leaked"], entry["objects_leaked"]), (0, 0), said)
        if run["trace"]:
            self.assertGreater(os.path.getsize(os.path.join(self.folder, run["trace"])), 1000, said)
        if run["profile"] == "1":
            ran = [job for job, status in zip(jobs, ended) if status == "ok"]
            processes = sum(combinations.NODES * job["pids"] for job in ran)
            self.assertGreaterEqual(len(boot.record["times"]), processes, said)

    def test_every_two_values_meet_or_are_refused_with_a_sentence(self):
        made = combinations.made()
        met = made.met()
        switches = combinations.all_pairs(made.runs) | combinations.all_pairs(made.jobs)
        for pair in (switches | made.across_all()) - met:
            self.assertTrue(any(known in made.refused.get(pair, "") for known in SENTENCES), pair)
        self.assertFalse(met & made.refused.keys())
        self.assertLess(len(made.refused), len(met) // 20)
        # Few boots have to show it.
        self.assertLess(len(made.boots), 30)
        self.assertLess(sum(len(jobs) for _, jobs in made.boots), 250)

    def test_every_key_is_varied_or_named_as_the_same(self):
        same = {key for keys in combinations.SAME.values() for key in keys}
        varied = combinations.of_the_run().keys() | combinations.of_a_job().keys()
        self.assertEqual(varied - combinations.factors().keys() | same, combinations.keys.KEYS.keys())
        self.assertFalse(varied & same)

    def test_the_boots_are_the_same_each_time(self):
        self.assertEqual(combinations.Boots().boots, combinations.made().boots)


if __name__ == "__main__":
    unittest.main()
