# SPDX-License-Identifier: MIT
"""The paper's study in the booted kernel: its applications run under every named design with 1 to 8 nodes,
and what they compute does not depend on the design."""

import os
import shutil
import subprocess
import sys
import unittest

import generate_lp
from boot_case import ROOT, SIX, BootCase, for_each, seldom

ROWS = (*SIX, "nx2", "exp2-user")
DESIGNS = (
    *ROWS,
    "exp1,asynchronous",
    "exp5,asynchronous",
    "exp2,light",
    "nx2,user,light",
    "exp6,broadcast-copy",
)
NODES = (1, 2, 4, 8)
FEW, MANY = 2, 8
SLICE = 10_000_000  # ns of a time slice


@for_each(NODES, "the_fft_has_one_spectrum_under_all_designs", sample=(4,))
@for_each((FEW, MANY), "simplex_has_one_answer_under_all_designs", sample=())
@for_each((FEW, MANY), "gangs_are_measured_under_all_designs", sample=(FEW,))
class Study(BootCase):
    def under_all_designs(self, app: str, nodes: int, args: str, designs=DESIGNS) -> list[dict]:
        """One boot, a job a design; for each job its rows: (name, bytes) -> median."""
        jobs = [f'[[job]]\nname = "{design}"\ndesign = "{design}"\n' for design in designs]
        head = f'app = "{app}"\nnodes = {nodes}\nargs = "{args}"\n'
        path = self.write("study.toml", head + "".join(jobs))
        boot = self.boot_well(f"CONFIG={path}", limit=120)
        self.assertEqual([job["status"] for job in boot.record["jobs"]], ["ok"] * len(designs))
        return [
            {
                (row["name"], row["bytes"]): row["median"]
                for row in boot.record["rows"]
                if row["job"] == number
            }
            for number in range(len(designs))
        ]

    @seldom
    def the_fft_has_one_spectrum_under_all_designs(self, nodes: int):
        found = self.under_all_designs("fft", nodes, "--points 128,1024 --samples 2")
        for points in (128, 1024):
            spectra = {rows["spectrum", points * 16] for rows in found}
            self.assertEqual(len(spectra), 1, spectra)
        messages = 2 * nodes * (nodes.bit_length() - 1)  # two a node and distributed stage
        self.assertEqual({rows["messages", 128 * 16] for rows in found}, {messages})

    def simplex_has_one_answer_under_all_designs(self, nodes: int):
        # More nodes than a host has cores spin for each other, which takes long: rows and named designs.
        for by in ("columns", "rows") if nodes == FEW else ("rows",):
            designs = DESIGNS if nodes == FEW else ROWS
            found = self.under_all_designs("simplex", nodes, f"--samples 1 --by {by}", designs)
            for name in ("objective", "pivots", "verdict"):
                self.assertEqual(len({rows[name, 0] for rows in found}), 1, (by, name))

    @seldom
    @unittest.skipUnless(shutil.which("glpsol"), "there is no glpsol (Debian: glpk-utils)")
    def test_simplex_agrees_with_an_independent_solver(self):
        command = os.path.join(ROOT, "studies", "paper", "tools", "check_simplex.py")
        done = subprocess.run(
            [sys.executable, "-B", command, "--seeds", "1"], capture_output=True, text=True, check=False
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("All agree with glpsol", done.stdout)

    def test_blands_rule_takes_over_where_step_after_step_gains_nothing(self):
        problem = self.write("files/flat.mps", generate_lp.make("degenerate", 25, 1))
        boot = self.boot_well("APP=simplex", f"FILES={os.path.dirname(problem)}", "ARGS=--samples 1 flat.mps")
        self.assertRegex(boot.text, r"\d+ of them degenerate, [1-9]\d* by Bland's rule")

    def test_simplex_stops_after_the_steps_that_were_asked_for(self):
        boot = self.boot_well("APP=simplex", "ARGS=--samples 1 --steps 5")
        rows = {row["name"]: row["median"] for row in boot.record["rows"]}
        self.assertEqual((rows["pivots"], rows["messages"]), (5, 15))
        self.assertIn("stopped after the steps", boot.text)

    def test_a_ring_that_only_reads_takes_less_than_one_that_compares(self):
        times = {}
        for access in ("none", "only-read", "read"):
            args = f"ARGS=--sizes 4096 --samples 3 --trips 2 --access {access}"
            record = self.boot_well("DESIGN=exp2", "CLOCK=counted", args).record
            times[access] = next(row["median"] for row in record["rows"] if row["access"] == access)
        self.assertLess(times["none"] + 4096 // 4, times["only-read"])
        self.assertLess(times["only-read"], times["read"])

    def test_a_load_that_gives_way_at_random_is_collected_from(self):
        boot = self.boot_well(
            "APP=gang", "NODES=1", "PROCESSORS=2", "SCHEDULE=timeshared", "ARGS=--samples 2 --load random"
        )
        mean = next(row for row in boot.record["rows"] if row["name"] == "mean collect, flooded")
        self.assertGreater(mean["median"], 0)
        self.assertIn("random parts of slices", boot.text)

    def test_who_asks_for_a_gang_gives_way_at_random_too(self):
        """Else its own processor were there at once, and the first of a gang no part of the wait."""
        args = "ARGS=--only 2 --samples 8 --load random"
        words = ("APP=gang", "NODES=1", "PROCESSORS=2", "SCHEDULE=timeshared", "CLOCK=counted", args)
        rows = self.boot_well(*words).record["rows"]
        (first,) = (row["median"] for row in rows if row["name"] == "mean first, flooded")
        self.assertGreater(first, SLICE / (2 * 2) / 10)  # First(TS,N) is ten times that

    @seldom
    def gangs_are_measured_under_all_designs(self, nodes: int):
        for rows in self.under_all_designs("gang", nodes, "--samples 1", ROWS):
            for members in range(min(2, nodes), nodes + 1, 2):
                self.assertGreater(rows["schedule and collect", members], 0)
                self.assertIn(("collect, flooded", members), rows)
                fastest, slowest = (rows[f"ready to running, {word}", members] for word in ("min", "max"))
                self.assertLessEqual(fastest, slowest)


if __name__ == "__main__":
    unittest.main()
