# SPDX-License-Identifier: MIT
"""docs/program-designs.md: its tables are those of the boots that are kept; and how these become tables."""

import json
import os
import subprocess
import sys
import unittest

from runner_case import TOOLS, RunnerCase

sys.path.insert(0, TOOLS)
import program_designs  # noqa: E402
from parley_runner import places, sweep  # noqa: E402

PAGE = os.path.join(places.ROOT, "docs", "program-designs.md")
KEPT = os.path.join(places.ROOT, "docs", "data", "program-designs.json")
COUNTED = {"copying": 10_000, "memory_time": 9000, "bus_waiting": 3000}  # ps for each unit of work
TOOL = os.path.join(TOOLS, "program_designs.py")


def run(amount: int, design: str, factor: float = 1.0, **more) -> dict:
    """A record of two nodes, of which the second takes twice as long; in 100 ns for each unit of work."""
    work = amount * factor
    times = [
        {
            "clock_hertz": 10**9,
            "life": 1000 + 100 * work * node,
            "inside": 60 * work * node,
            "waiting": 20 * work * node,
            "calls": amount * node,
        }
        for node in (1, 2)
    ]
    counts = [
        {name: count * work * node for name, count in COUNTED.items()}
        for node in (1, 2)
    ]
    job = {"app": "ring", "args": f"--samples {amount}", "design": design}
    return {
        "format": "parley-record-1",
        "schema": 6,
        "status": "success",
        "exit_status": 0,
        "sentence": "",
        "design": design,
        "clock": "modelled",
        "checks": "full",
        "dispatch": "virtual",
        "processors": 2,
        "jobs": [],
        "rows": [],
        "host": {},
        "asked": {"jobs": [job]},
        "model": {"machine": "ideal", "processors": counts},
        "times": times,
        **more,
    }


class Tables(RunnerCase):
    def told(self, *words: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [sys.executable, "-B", TOOL, *words], capture_output=True, text=True, check=False, cwd=self.folder
        )

    def records(self, *runs: dict) -> str:
        head = {name: runs[0][name] for name in ("format", "schema", "status", "exit_status")}
        return self.write("all.json", json.dumps({**head, "runs": runs}))

    def test_a_table_tells_the_difference_of_two_amounts_as_a_mean_of_the_nodes(self):
        runs = [run(amount, *one) for one in (("exp6", 1.0), ("exp1", 1.5)) for amount in (2, 12)]
        self.records(*runs)
        done = self.told("all.json", "--keep", "kept.json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("### `ring --samples 12 less 2` on `ideal`", done.stdout)
        # Of 10 more: 1500 ns, of them 900 inside, 300 waiting, 150 copying.
        shares = "40.0% | 20.0% | 10.0% | 30.0% | 6.0% | 3.0% | 15 |"
        self.assertIn(f"| `exp6` | 1.5 |  | {shares}", done.stdout)
        self.assertIn(f"| `exp1` | 2.25 | +50.0% | {shares}", done.stdout)
        self.assertEqual(self.told("kept.json").stdout, done.stdout)

    def test_where_processors_go_on_meanwhile_misses_are_what_they_waited_for(self):
        counted = {"for_window": 5, "for_stores": 6, "for_drains": 7, "memory_time": 90, "bus_waiting": 3}
        self.assertEqual(program_designs.misses_of(counted), 18)
        self.assertEqual(program_designs.misses_of({"memory_time": 90, "bus_waiting": 3}), 87)

    def test_what_is_no_such_record_is_refused_in_a_sentence(self):
        self.write("text.json", "no record")
        unmodelled = json.dumps(run(2, "exp6", model=None))
        for words, sentence in (
            ((), "Say: program_designs.py"),
            (("none.json",), "No such file"),
            (("text.json",), "is no record"),
            ((self.write("free.json", unmodelled),), "no boot of a sweep as configs/program-designs.toml"),
        ):
            with self.subTest(words=words):
                done = self.told(*words)
                self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
                self.assertIn(sentence, done.stderr)


class Page(unittest.TestCase):
    def test_its_tables_are_those_of_the_boots_that_are_kept(self):
        with open(PAGE, encoding="utf-8") as file:
            page = file.read()
        tables = page.partition("## The tables\n\n")[2]
        self.assertEqual(tables.strip(), program_designs.text(program_designs.read(KEPT)).strip())

    def test_these_are_all_boots_of_the_sweep(self):
        asked = sweep.read(os.path.join(places.ROOT, "configs", "program-designs.toml"), "")
        wanted = {(boot.machine, f"{boot.app} {boot.args}", boot.design) for boot in asked.boots}
        kept = {
            (boot.machine, f"{boot.program} {boot.amount}", boot.design)
            for boot in program_designs.read(KEPT)
        }
        self.assertEqual(kept, wanted)


if __name__ == "__main__":
    unittest.main()
