# SPDX-License-Identifier: MIT
"""The five programs on the modelled Cedar: one boot each, and what `parley loops' or `Q=1' tells of it."""

import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from enum import Enum

from cedar import memory_time
from parley_runner import record
from parley_runner.places import ROOT
from parley_study import kept_runs
from parley_study.kept_runs import RunFailed

PARLEY = os.path.join(ROOT, "tools", "parley")
PROGRAMS = ("FLO52", "ARC2D", "MDG", "OCEAN", "ADM")
CLUSTERS = {1: 1, 4: 1, 8: 1, 16: 2, 32: 4}  # by processors
COMES_FROM = ("build/machine_model/plugin.so", "tools/machines/cedar.toml", "build/lib/messages.elf")
WAIT = "wait=spinning"  # as the document's helpers; the runtime's own wait sleeps after a time
LIMIT = 600  # seconds of simulated time
PATIENCE = 3600  # of the host


class Instrument(Enum):
    """What looks at a run; each has a kernel of its own."""

    LOOPS = "traced/"  # the event monitor
    Q = "accounted/"  # the time of each cluster
    NONE = ""


@dataclass(frozen=True)
class Run:
    program: str
    processors: int
    length: int  # percent of an iteration's section
    flat: bool = False
    instrument: Instrument = Instrument.LOOPS
    scale: int = 1  # time steps
    which: int = 0  # of several of the same
    merged: bool = False
    leaves: str = ""  # of the loops, beside the wait, as LOOPS= has them

    @property
    def name(self) -> str:
        seen = {Instrument.LOOPS: [], Instrument.Q: ["accounted"], Instrument.NONE: ["unwatched"]}
        more = ["flat"] * self.flat + seen[self.instrument]
        more += [f"scale{self.scale}"] * (self.scale > 1) + [f"again{self.which}"] * self.which
        more += ["merged"] * self.merged + [self.leaves] * bool(self.leaves)
        return "-".join([self.program.lower(), str(self.processors), str(self.length), *more])

    def words(self, told_in: str) -> list[str]:
        """Of the command; `told_in` is the file for a record, where the run wants one."""
        arguments = f"--clusters {CLUSTERS[self.processors]} --length {self.length}"
        arguments += " --flat" * self.flat + " --merged" * self.merged + f" --scale {self.scale}"
        leaves = ",".join([WAIT, *[self.leaves] * bool(self.leaves)])
        more = {
            Instrument.LOOPS: ["JSON=1"],
            Instrument.Q: ["Q=1", f"RECORD={told_in}"],
            Instrument.NONE: [],
        }
        return [
            "loops" if self.instrument is Instrument.LOOPS else "run",
            *(f"APP={self.program.lower()}", "NODES=1", f"PROCESSORS={self.processors}"),
            *(f"ARGS={arguments}", "CLOCK=modelled", "MACHINE=cedar", f"LOOPS={leaves}"),
            *(f"LIMIT={LIMIT}", "QUIET=1", "REMEASURE=0", *more[self.instrument]),
        ]


def fingerprint(run: Run) -> str:
    program = run.program.lower()
    files = (*COMES_FROM, f"build/{run.instrument.value}kernel.elf", f"build/apps/{program}/{program}")
    return kept_runs.digest(files, *run.words(""))


def told(run: Run) -> dict:
    """What the program itself measured as `took_ns`; with the process's entry of `parley loops JSON=1`, or
    `accounts' as a record of a run with Q=1 has them, and `memory' (memory_time.py)."""
    with tempfile.TemporaryDirectory(prefix="parley-cedar-") as folder:
        told_in = os.path.join(folder, "record.json")
        line = [sys.executable, "-B", PARLEY, *run.words(told_in)]
        done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=PATIENCE, cwd=ROOT)
        took = re.search(rf"^{run.program}: (\d+) ns$", done.stdout, re.M)
        if done.returncode != 0 or took is None:
            raise RunFailed(f"{run.name}: the run failed:\n{(done.stdout + done.stderr)[-2000:]}")
        found = {}
        if run.instrument is Instrument.LOOPS:
            (found,) = json.loads(done.stdout[done.stdout.index("\n{") :])["processes"]
            if not found["whole"]:
                raise RunFailed(f"{run.name}: the program wrote down no sums of its time.")
        elif run.instrument is Instrument.Q:
            (made,) = record.read(told_in)
            found = {"accounts": made["accounts"], "memory": memory_time.kept(made["model"])}
    return {**found, "took_ns": int(took.group(1))}


def all_of(runs: list[Run], folder: str) -> dict[Run, dict]:
    """The longest begin first."""
    kept = kept_runs.KeptRuns(folder)
    order = sorted(runs, key=lambda run: (-run.processors * run.length * run.scale, run.name))
    return kept_runs.side_by_side(
        order,
        lambda run: run.name,
        lambda run: kept.made(run.name, fingerprint(run), lambda: told(run)),
    )
