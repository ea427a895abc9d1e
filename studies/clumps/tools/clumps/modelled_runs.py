# SPDX-License-Identifier: MIT
"""The study's programs on the modelled Enterprise 5000: one boot each."""

import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field, replace

from parley_runner import designs
from parley_runner.places import BUILD, ROOT
from parley_study import kept_runs
from parley_study.kept_runs import RunFailed

PARLEY = os.path.join(ROOT, "tools", "parley")
COMES_FROM = ("build/machine_model/plugin.so", "tools/machines/enterprise.toml")
SYSTEM = {  # what is booted, by how calls inside the message system are bound
    "virtual": ("build/kernel.elf", "build/lib/messages.elf"),
    "static": ("build/static/kernel.elf", "build/static/lib/messages.elf"),
}
LIMIT = 600  # seconds of simulated time
PATIENCE = 7200  # of the host
# As many messages first as a queue of the thesis has places: each is then where messages leave it.
WARM = "--warm 4096"
LINE = r"^{program}: (.+?) (-?[0-9.]+) \+- ([0-9.]+) \S+, sigma [0-9.]+$"


@dataclass(frozen=True)
class Run:
    program: str
    claim: str
    nodes: int
    arguments: str
    which: int = 0  # of several of the same
    multiprocessors: int = 1
    polling: str = ""  # where there are several: how often processes look into the interface
    dispatch: str = "virtual"

    @property
    def name(self) -> str:
        again = f" again {self.which}" * bool(self.which)
        parts = f" of {self.multiprocessors} {self.polling}" * (self.multiprocessors > 1)
        bound = f" {self.dispatch}" * (self.dispatch != "virtual")
        said = f"{self.program} {self.claim} {self.nodes}{parts} {self.arguments}{again}{bound}"
        return re.sub(r"[^a-z0-9_]+", "-", said)

    @property
    def design(self) -> str:
        return f"native,port={self.claim}" + f",polling={self.polling}" * bool(self.polling)

    def bound(self, dispatch: str) -> "Run":
        """The same with that dispatch, where its design is composed so: over network interfaces none is."""
        if dispatch == "static" and self.multiprocessors == 1:
            if designs.resolve(BUILD, self.design, self.nodes, self.nodes)["static_row"]:
                return replace(self, dispatch=dispatch)
        return self

    def words(self, record: str) -> list[str]:
        return [
            *("run", f"APP={self.program}", f"NODES={self.nodes}", f"PROCESSORS={self.nodes}"),
            *(f"DESIGN={self.design}", f"ARGS={self.arguments}", f"DISPATCH={self.dispatch}"),
            *("CLOCK=modelled", "MACHINE=enterprise", f"LIMIT={LIMIT}", "QUIET=1", "REMEASURE=0"),
            *([f"MULTIPROCESSORS={self.multiprocessors}"] if self.multiprocessors > 1 else []),
            f"RECORD={record}",
        ]


@dataclass(frozen=True)
class Told:
    """Figures by name, each with half of its interval; and of each processor what the model counted."""

    figures: dict[str, tuple[float, float]]
    processors: list[dict[str, float]]
    messages: int | None  # short ones of a node, where the program tells it
    remote: float = 0.0  # part of all messages that goes to other multiprocessors, where the program tells it
    bulk: int = 0  # of a node, likewise
    looks: dict[str, list[int]] = field(default_factory=dict)  # in which polls, by traffic, likewise

    def __getitem__(self, name: str) -> float:
        return self.figures[name][0]


def fingerprint(run: Run) -> str:
    program = f"build/apps/{run.program}/{run.program}"
    return kept_runs.digest((*SYSTEM[run.dispatch], *COMES_FROM, program))


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
    remote = re.search(rf"^{run.program}: remote: .*, (\d+) % of all messages", done.stdout, re.M)
    bulk = re.findall(rf"^{run.program}: (?:local|remote): .*, (\d+) bulk of", done.stdout, re.M)
    looks = re.findall(rf"^{run.program}: (.+): looks at((?: \d+)*)$", done.stdout, re.M)
    return {
        **{"figures": figures, "processors": processors},
        "remote": int(remote.group(1)) / 100 if remote else 0.0,
        "messages": int(messages.group(1)) if messages else None,
        "bulk": sum(map(int, bulk)),
        "looks": {name: list(map(int, polls.split())) for name, polls in looks},
    }


def told(run: Run, kept: kept_runs.KeptRuns) -> Told:
    found = kept.made(run.name, fingerprint(run), lambda: boot(run))
    figures = {name: (mean, half) for name, (mean, half) in found["figures"].items()}
    more = {name: found[name] for name in ("remote", "bulk", "looks") if name in found}
    return Told(figures, found["processors"], found["messages"], **more)


def all_of(runs: list[Run], folder: str, dispatch: str) -> dict[Run, Told]:
    """Those of most nodes begin first."""
    kept = kept_runs.KeptRuns(folder)
    order = sorted(runs, key=lambda run: (-run.nodes, run.name))
    bound = {run: run.bound(dispatch) for run in order}
    return kept_runs.side_by_side(
        order, lambda run: bound[run].name, lambda run: told(bound[run], kept)
    )
