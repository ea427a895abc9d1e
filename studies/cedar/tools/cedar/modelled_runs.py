# SPDX-License-Identifier: MIT
"""The five programs on the modelled Cedar: one boot each, and what `parley loops' tells of it. What was told
is kept under a name that stands for all that it comes from, so a study that was interrupted goes on."""

import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "..", ".."))
BUILD = os.path.join(ROOT, "build")
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


class RunFailed(Exception):
    """A sentence says which and how."""


def fingerprint(run: Run) -> str:
    found = hashlib.sha256()
    for name in (*COMES_FROM, f"build/apps/{run.program.lower()}/{run.program.lower()}"):
        try:
            with open(os.path.join(ROOT, name), "rb") as file:
                found.update(file.read())
        except FileNotFoundError:
            found.update(b"-")
    return found.hexdigest()[:16]


def told(run: Run, folder: str) -> dict:
    """The process's entry of `parley loops JSON=1`, with what the program itself measured as `took_ns`."""
    path = os.path.join(folder, f"{run.name}-{fingerprint(run)}.json")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            return json.load(file)
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
    found["took_ns"] = int(took.group(1))
    os.makedirs(folder, exist_ok=True)
    with open(f"{path}.new", "w", encoding="utf-8") as file:
        json.dump(found, file, indent=1)
    os.replace(f"{path}.new", path)
    return found


def all_of(runs: list[Run], folder: str) -> dict[Run, dict]:
    """As many boots side by side as there are processors, the longest first."""
    order = sorted(runs, key=lambda run: -run.processors * run.length)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        waiting = {run: pool.submit(told, run, folder) for run in order}
        for at, (run, result) in enumerate(waiting.items(), start=1):
            result.result()
            print(f"{at} of {len(order)} runs: {run.name}", file=sys.stderr)
    return {run: waiting[run].result() for run in runs}
