# SPDX-License-Identifier: MIT
"""The named designs, booted: the ring turns, and the record says what was in force."""

import json
import os
import re
import subprocess
import sys
import unittest

from boot_case import BUILD, ROOT, RUNNER, SHORT_RING, SIX, BootCase, alone, for_each_job, needs

SIXTEEN_TRIPS = "--sizes 0,1024 --trips 2 --samples 3"


NAMED = (*SIX, "nx2", "exp2-user", "native", "native-pointer")


def ring(_, design: str) -> dict:
    return {"design": design, "nodes": 2, "args": SHORT_RING}


@for_each_job(
    NAMED,
    "the_ring_turns_on_four_nodes",
    lambda _, design: {"design": design, "nodes": 4, "args": SHORT_RING},
    sample=("exp3", "exp5", "nx2"),
)
@for_each_job(NAMED, "the_ring_turns", ring)
@for_each_job(
    (*NAMED, "exp6,location=user"), "the_static_build_turns_the_ring_too", ring, ("DISPATCH=static",)
)
class Designs(BootCase):
    def the_ring_turns(self, design, job):
        self.turned(design, 2, self.well(job))

    def the_ring_turns_on_four_nodes(self, design, job):
        self.turned(design, 4, self.well(job))

    def turned(self, design: str, nodes: int, job):
        self.assertEqual(job.entry["design"], self.canonical(design, nodes))
        self.assertEqual(job.entry["nodes"], nodes)
        record = job.boot.record
        self.assertEqual((record["processors"], record["clock"]), (nodes, "free"))
        trips = [row for row in job.of_kind("rows") if row["name"] == "round trip"]
        self.assertEqual({row["bytes"] for row in trips}, {0, 4, 100, 1024, 65536})
        for row in trips:
            self.assertGreater(row["lower_quartile"], 0)
            self.assertLessEqual(row["lower_quartile"], row["median"])
            self.assertLessEqual(row["median"], row["upper_quartile"])

    def canonical(self, design: str, nodes: int) -> str:
        words = [
            f"{BUILD}/designs",
            "resolve",
            design,
            "--nodes",
            str(nodes),
            "--processors",
            str(nodes),
            "--json",
        ]
        return json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)["design"]

    @needs("static")
    def the_static_build_turns_the_ring_too(self, _, job):
        self.assertTrue(self.well(job).of_kind("rows"))
        self.assertEqual(job.boot.record["dispatch"], "static")

    @needs("static")
    def test_static_builds_refuse_what_they_have_not(self):
        for design in ("exp6,port=reuse", "exp5,port=reuse"):
            with self.subTest(design=design):
                boot = self.boot(f"DESIGN={design}", "DISPATCH=static", f"ARGS={SHORT_RING}")
                self.assertNotEqual(boot.status, 0)
                self.assertIn("has the presets and a few designs beside them", boot.text)
                self.assertIn("use DISPATCH=virtual", boot.text)

    def test_sixteen_processors_turn_the_ring_on_one_host_thread(self):
        boot = self.boot_well("DESIGN=exp6", "NODES=16", "THREADS=single", f"ARGS={SIXTEEN_TRIPS}", limit=120)
        self.assertEqual((boot.record["processors"], boot.record["host"]["threads"]), (16, "single"))

    @alone
    def test_four_processors_run_truly_in_parallel(self):
        boot = self.boot_well("APP=selftest", "NODES=4", "THREADS=multi", limit=120)
        self.assertEqual(boot.record["host"]["threads"], "multi")

    def test_more_processes_than_processors_finish(self):
        self.boot_well("DESIGN=exp6", "NODES=4", "PROCESSORS=2", f"ARGS={SIXTEEN_TRIPS}", limit=120)

    def test_the_tests_of_a_leaf_are_found_by_what_the_tool_says_of_presets(self):
        sys.path.append(os.path.join(ROOT, "testing"))
        from suites import selection

        known = selection.Designs(f"{BUILD}/designs")
        self.assertIn("double-copy", known.presets["exp6"])
        self.assertEqual(set(known.presets), set(NAMED))

    def test_two_factors_can_be_changed_in_a_word(self):
        boot = self.boot_well("DESIGN=exp6,synchronization=ticket,port=reuse", f"ARGS={SHORT_RING}")
        self.assertIn("ticket", boot.record["design"])
        self.assertIn("reuse", boot.record["design"])

    def test_the_image_of_grub_boots(self):
        self.boot_well("BOOT=iso", "DESIGN=exp6", f"ARGS={SHORT_RING}")

    def test_reduced_checks_are_recorded(self):
        self.assertEqual(self.boot_well("CHECKS=reduced", f"ARGS={SHORT_RING}").record["checks"], "reduced")

    def test_counted_runs_repeat_to_the_last_digit(self):
        words = ("CLOCK=counted", f"ARGS={SHORT_RING}")
        first, second = self.boot_well(*words).record, self.boot_well(*words).record
        self.assertEqual((first["clock"], first["plan"]["clock_hertz"]), ("counted", 10**9))
        self.assertEqual(first["rows"], second["rows"])

    def test_several_designs_make_one_table(self):
        done = subprocess.run(
            [RUNNER, "run", "CLOCK=counted", "DESIGN=exp1 exp6", f"ARGS={SHORT_RING}"],
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, "bytes +exp1 +exp6")

    def test_the_list_of_designs_has_every_word_in_its_column(self):
        listing = subprocess.run(
            [f"{BUILD}/designs", "list"], capture_output=True, text=True, check=True
        ).stdout
        rows = listing.split("\n\n")[0].splitlines()[1:]
        columns = [match.start() for match in re.finditer(r"\S+", rows[0])]
        for row in rows[1:]:
            self.assertEqual([match.start() for match in re.finditer(r"\S+", row)], columns, listing)
        classes = json.loads(
            subprocess.run([f"{BUILD}/designs", "list", "--json"], capture_output=True, check=True).stdout
        )["classes"]
        for leaf in classes:
            self.assertRegex(listing, rf"\n  {leaf['name']}  +{re.escape(leaf['promise'])}\n")


if __name__ == "__main__":
    unittest.main()
