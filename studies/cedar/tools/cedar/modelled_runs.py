# SPDX-License-Identifier: MIT
"""The five programs on the modelled Cedar: one boot each, and what `parley loops' tells of it."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass

from parley_runner.places import ROOT
from parley_study import kept_runs
from parley_study.kept_runs import RunFailed

PARLEY = os.path.join(ROOT, "tools", "parley")
PROGRAMS = ("FLO52", "ARC2D", "MDG", "OCEAN", "ADM")
CLUSTERS = {1: 1, 4: 1, 8: 1, 16: 2, 32: 4}  # by processors
COMES_FROM = (
    "build/traced/kernel.elf",
    "build/kernel.elf",
    "build/machine_model/plugin.so",
    "tools/machines/cedar.toml",
)
LIMIT = 600  # seconds of simulated time
PATIENCE = 3600  # of the host


@dataclass(frozen=True)
class Run:
    program: str
    processors: int
    length: int  # percent of an iteration's section
    flat: bool = False
    watched: bool = True
    which: int = 0  # of several of the same

    @property
    def name(self) -> str:
        more = ["flat"] * self.flat + ["unwatched"] * (not self.watched) + [f"again{self.which}"] * self.which
        return "-".join([self.program.lower(), str(self.processors), str(self.length), *more])

    @property
    def words(self) -> list[str]:
        arguments = f"--clusters {CLUSTERS[self.processors]} --length {self.length}{' --flat' * self.flat}"
        return [
            *("loops" if self.watched else "run", f"APP={self.program.lower()}", "NODES=1"),
            *(f"PROCESSORS={self.processors}", f"ARGS={arguments}", "CLOCK=modelled", "MACHINE=cedar"),
            *(f"LIMIT={LIMIT}", "QUIET=1", "REMEASURE=0", *["JSON=1"] * self.watched),
        ]


def fingerprint(run: Run) -> str:
    return kept_runs.digest((*COMES_FROM, f"build/apps/{run.program.lower()}/{run.program.lower()}"))


def told(run: Run) -> dict:
    """The process's entry of `parley loops JSON=1`, with what the program itself measured as `took_ns`."""
    line = [sys.executable, "-B", PARLEY, *run.words]
    done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=PATIENCE, cwd=ROOT)
    took = re.search(rf"^{run.program}: (\d+) ns$", done.stdout, re.M)
    if done.returncode != 0 or took is None:
        raise RunFailed(f"{run.name}: the run failed:\n{(done.stdout + done.stderr)[-2000:]}")
    found = {}
    if run.watched:
        (found,) = json.loads(done.stdout[done.stdout.index("\n{") :])["processes"]
        if not found["whole"]:
            raise RunFailed(f"{run.name}: the program wrote down no sums of its time.")
    return {**found, "took_ns": int(took.group(1))}


def all_of(runs: list[Run], folder: str) -> dict[Run, dict]:
    """The longest begin first."""
    kept = kept_runs.KeptRuns(folder)
    order = sorted(runs, key=lambda run: (-run.processors * run.length, run.name))
    return kept_runs.side_by_side(
        order,
        lambda run: run.name,
        lambda run: kept.made(run.name, fingerprint(run), lambda: told(run)),
    )
