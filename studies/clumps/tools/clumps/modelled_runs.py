# SPDX-License-Identifier: MIT
"""The study's programs on the modelled Enterprise 5000: one boot each. What was told is kept under a name
that stands for all that it comes from, so a study that was interrupted goes on."""

import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "..", ".."))
PARLEY = os.path.join(ROOT, "tools", "parley")
COMES_FROM = (
    *("build/kernel.elf", "build/lib/messages.elf", "build/machine_model/plugin.so"),
    "tools/machines/enterprise.toml",
)
LIMIT = 600  # seconds of simulated time
PATIENCE = 7200  # of the host
LINE = r"^{program}: (.+?) (-?[0-9.]+) \+- ([0-9.]+) \S+, sigma [0-9.]+$"


@dataclass(frozen=True)
class Run:
    program: str
    claim: str
    nodes: int
    arguments: str
    which: int = 0  # of several of the same

    @property
    def name(self) -> str:
        again = f" again {self.which}" * bool(self.which)
        said = f"{self.program} {self.claim} {self.nodes} {self.arguments}{again}"
        return re.sub(r"[^a-z0-9_]+", "-", said)

    def words(self, record: str) -> list[str]:
        return [
            *("run", f"APP={self.program}", f"NODES={self.nodes}", f"PROCESSORS={self.nodes}"),
            *(f"DESIGN=native,port={self.claim}", f"ARGS={self.arguments}"),
            *("CLOCK=modelled", "MACHINE=enterprise", f"LIMIT={LIMIT}", "QUIET=1", "REMEASURE=0"),
            f"RECORD={record}",
        ]


@dataclass(frozen=True)
class Told:
    """Figures by name, each with half of its interval; and of each processor what the model counted."""

    figures: dict[str, tuple[float, float]]
    processors: list[dict[str, float]]
    messages: int | None  # short ones of a node, where the program tells it

    def __getitem__(self, name: str) -> float:
        return self.figures[name][0]


class RunFailed(Exception):
    """A sentence says which and how."""


def fingerprint(run: Run) -> str:
    found = hashlib.sha256()
    for name in (*COMES_FROM, f"build/apps/{run.program}/{run.program}"):
        try:
            with open(os.path.join(ROOT, name), "rb") as file:
                found.update(file.read())
        except FileNotFoundError:
            found.update(b"-")
    return found.hexdigest()[:16]


def figures_in(program: str, text: str) -> dict[str, tuple[float, float]]:
    found = re.findall(LINE.format(program=program), text, re.M)
    return {name: (float(mean), float(half)) for name, mean, half in found}


def boot(run: Run) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        record = os.path.join(folder, "record.json")
        line = [sys.executable, "-B", PARLEY, *run.words(record)]
        done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=PATIENCE, cwd=ROOT)
        figures = figures_in(run.program, done.stdout)
        if done.returncode != 0 or not figures or "all messages right" not in done.stdout:
            raise RunFailed(f"{run.name}: the run failed:\n{(done.stdout + done.stderr)[-2000:]}")
        with open(record, encoding="utf-8") as file:
            processors = json.load(file)["model"]["processors"]
    messages = re.search(rf"^{run.program}: (\d+) short messages of a node", done.stdout, re.M)
    return {
        **{"figures": figures, "processors": processors},
        "messages": int(messages.group(1)) if messages else None,
    }


def told(run: Run, folder: str) -> Told:
    path = os.path.join(folder, f"{run.name}-{fingerprint(run)}.json")
    if not os.path.exists(path):
        found = boot(run)
        os.makedirs(folder, exist_ok=True)
        with open(f"{path}.new", "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)
        os.replace(f"{path}.new", path)
    with open(path, encoding="utf-8") as file:
        kept = json.load(file)
    figures = {name: (mean, half) for name, (mean, half) in kept["figures"].items()}
    return Told(figures, kept["processors"], kept.get("messages"))


def all_of(runs: list[Run], folder: str) -> dict[Run, Told]:
    """As many boots side by side as there are processors, those of most nodes first."""
    order = sorted(runs, key=lambda run: (-run.nodes, run.name))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        waiting = {run: pool.submit(told, run, folder) for run in order}
        try:
            for at, (run, result) in enumerate(waiting.items(), start=1):
                result.result()
                print(f"{at} of {len(order)} runs: {run.name}", file=sys.stderr, flush=True)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return {run: waiting[run].result() for run in runs}
