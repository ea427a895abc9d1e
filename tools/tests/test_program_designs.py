# SPDX-License-Identifier: MIT
"""docs/program-designs.md: its tables are those of the boots that are kept; and how these become tables."""

import json
import os
import subprocess
import sys
import unittest

from runner_case import TOOLS, RunnerCase

sys.path[:0] = [TOOLS, os.path.join(os.path.dirname(TOOLS), "testing")]
import program_designs  # noqa: E402
from parley_runner import places, sweep  # noqa: E402
from suites.declarations import needs  # noqa: E402

PAGE = os.path.join(places.ROOT, "docs", "program-designs.md")
KEPT_PRODUCT = os.path.join(places.ROOT, "docs", "data", "tune-product.json")
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

    def test_of_a_product_the_best_are_told_and_what_each_class_does_with_all_others(self):
        lives = {("a", "x"): 1.0, ("a", "y"): 0.5, ("b", "x"): 1.5, ("b", "y"): 0.9, ("c", "y"): 2.0}
        runs = [
            run(10, f"exp6,port={port},transfer={transfer}", factor)
            for (port, transfer), factor in lives.items()
        ]
        self.records(*runs)
        done = self.told("all.json", "--product")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("### `ring --samples 10` on `ideal`, 5 designs", done.stdout)
        rows = [line for line in done.stdout.splitlines() if line.startswith("| `")]
        # A life is 1000 ns and 1500 for each 10 units of work, in the mean.
        self.assertEqual(
            [row.partition(" |  |")[0].partition("% |")[0] for row in rows[:3]],
            ["| `exp6` | 2.5", "| `exp6,transfer=y` | 1.75 | -30.0",
             "| `exp6,port=b,transfer=y` | 2.35 | -6.0"],
        )  # fmt: skip
        self.assertEqual(
            rows[3:],
            ["| `port=b` | +32.1% | +30.0% | +34.3% |", "| `port=c` | +128.6% | +128.6% | +128.6% |",
             "| `transfer=y` | -28.8% | -30.0% | -27.7% |"],
        )  # fmt: skip

    def test_where_processors_go_on_meanwhile_misses_are_what_they_waited_for(self):
        counted = {"for_window": 5, "for_stores": 6, "for_drains": 7, "for_copies": 8}
        counted |= {"memory_time": 90, "bus_waiting": 3}
        self.assertEqual(program_designs.misses_of(counted), 26)
        self.assertEqual(program_designs.misses_of({"memory_time": 90, "bus_waiting": 3}), 87)

    def test_what_is_no_such_record_is_refused_in_a_sentence(self):
        self.write("text.json", "no record")
        unmodelled = json.dumps(run(2, "exp6", model=None))
        for words, sentence in (
            ((), "Say: program_designs.py"),
            (("all.json", "--best"), "Say: program_designs.py"),
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

    def test_so_are_those_of_the_product(self):
        with open(PAGE, encoding="utf-8") as file:
            page = file.read()
        tables = page.partition("## The tables of the product\n\n")[2].partition("## The tables\n")[0]
        found = program_designs.product_text(program_designs.read(KEPT_PRODUCT))
        self.assertEqual(tables.strip(), found.strip())

    def boots(self, config: str, kept: str) -> tuple[set, set]:
        asked = sweep.read(os.path.join(places.ROOT, "configs", config), "")
        wanted = {(boot.machine, f"{boot.app} {boot.args}", boot.design) for boot in asked.boots}
        return wanted, {
            (boot.machine, f"{boot.program} {boot.amount}", boot.design)
            for boot in program_designs.read(kept)
        }

    @needs("designs")
    def test_these_are_all_boots_of_the_sweeps_and_the_page_tells_how_many(self):
        wanted, kept = self.boots("program-designs.toml", KEPT)
        self.assertEqual(kept, wanted)
        wanted, kept = self.boots("tune-product.toml", KEPT_PRODUCT)
        self.assertEqual(kept, wanted)
        with open(PAGE, encoding="utf-8") as file:
            self.assertIn(f"They are {len(kept)} boots", " ".join(file.read().split()))


if __name__ == "__main__":
    unittest.main()
