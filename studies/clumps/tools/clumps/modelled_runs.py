# SPDX-License-Identifier: MIT
"""The study's programs on the modelled Enterprise 5000: one boot each."""

import functools
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from parley_runner import designs, multiprocessors
from parley_runner.places import BUILD, ROOT
from parley_study import kept_runs
from parley_study.kept_runs import RunFailed

PARLEY = os.path.join(ROOT, "tools", "parley")
MACHINE = "enterprise"
COMES_FROM = ("build/machine_model/plugin.so", f"tools/machines/{MACHINE}.toml")
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
    # How often processes look into the interface. Of one multiprocessor, if it is said, nothing comes by it.
    polling: str = ""
    dispatch: str = "virtual"
    synchronization: str = ""  # how who waits does, if not as native's processes do
    interface: str = ""  # what the runner's INTERFACE= says

    @property
    def name(self) -> str:
        again = f" again {self.which}" * bool(self.which)
        parts = f" of {self.multiprocessors} {self.polling} {self.interface}" * self.looks
        bound = f" {self.dispatch}" * (self.dispatch != "virtual")
        waiting = f" {self.synchronization}" * bool(self.synchronization)
        said = f"{self.program} {self.claim} {self.nodes}{parts} {self.arguments}{again}{bound}{waiting}"
        return re.sub(r"[^a-z0-9_]+", "-", said)

    @property
    def looks(self) -> bool:
        """Whether its processes look into an interface."""
        return self.multiprocessors > 1 or bool(self.polling)

    @property
    def design(self) -> str:
        return (
            f"native,port={self.claim}"
            + f",{own_interface()}" * (self.looks and self.multiprocessors == 1)
            + f",polling={self.polling}" * bool(self.polling)
            + f",synchronization={self.synchronization}" * bool(self.synchronization)
        )

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
            *("CLOCK=modelled", f"MACHINE={MACHINE}", f"LIMIT={LIMIT}", "QUIET=1", "REMEASURE=0"),
            *([f"MULTIPROCESSORS={self.multiprocessors}"] if self.multiprocessors > 1 else []),
            *([f"INTERFACE={self.interface}"] if self.interface else []),
            f"RECORD={record}",
        ]


@functools.cache
def own_interface() -> str:
    """The transport of one multiprocessor with an interface as the machine's file has it."""
    asked = {"multiprocessors": 1, "clock": "modelled", "machine": MACHINE, "interface": None}
    return multiprocessors.transport(asked)


@dataclass(frozen=True)
class Told:
    """Figures by name, each with half of its interval; and of each processor what the model counted."""

    figures: dict[str, tuple[float, float]]
    processors: list[dict[str, float]]
    messages: int | None  # short ones of a node, where the program tells it
    remote: float = 0.0  # part of all messages that goes to other multiprocessors, where the program tells it
    bulk: int = 0  # of a node, likewise
    looks: dict[str, list[int]] = field(default_factory=dict)  # in which polls, by traffic, likewise
    spread: float = 0.0  # how many times as long the slowest node communicates as the fastest, likewise

    def __getitem__(self, name: str) -> float:
        return self.figures[name][0]


def fingerprint(run: Run) -> str:
    return stands_for((run.program,), run.dispatch)


def stands_for(programs: Iterable[str], dispatch: str) -> str:
    """What runs of these programs come from."""
    files = (f"build/apps/{program}/{program}" for program in programs)
    return kept_runs.digest((*SYSTEM[dispatch], *COMES_FROM, *files))


def figures_in(program: str, text: str) -> dict[str, tuple[float, float]]:
    found = re.findall(LINE.format(program=program), text, re.M)
    return {name: (float(mean), float(half)) for name, mean, half in found}


@dataclass(frozen=True)
class Ended:
    """A command that has run to its end."""

    status: int
    said: str
    complained: str
    processors: list[dict[str, float]]  # what the model counted of each; none where there is no record

    def failed(self, name: str) -> RunFailed:
        return RunFailed(f"{name}: the run failed:\n{(self.said + self.complained)[-2000:]}")


def ended(words: Callable[[str], list[str]]) -> Ended:
    """tools/parley with these words, which are told where its record is wanted."""
    with tempfile.TemporaryDirectory() as folder:
        record = os.path.join(folder, "record.json")
        line = [sys.executable, "-B", PARLEY, *words(record)]
        done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=PATIENCE, cwd=ROOT)
        processors = []
        if os.path.exists(record):
            with open(record, encoding="utf-8") as file:
                processors = json.load(file).get("model", {}).get("processors", [])
    return Ended(done.returncode, done.stdout, done.stderr, processors)


def boot(run: Run) -> dict:
    done = ended(run.words)
    figures = figures_in(run.program, done.said)
    if done.status != 0 or not figures or "all messages right" not in done.said:
        raise done.failed(run.name)
    messages = re.search(rf"^{run.program}: (\d+) short messages of a node", done.said, re.M)
    remote = re.search(rf"^{run.program}: remote: .*, (\d+) % of all messages", done.said, re.M)
    bulk = re.findall(rf"^{run.program}: (?:local|remote): .*, (\d+) bulk of", done.said, re.M)
    looks = re.findall(rf"^{run.program}: (.+): looks at((?: \d+)*)$", done.said, re.M)
    spread = re.search(rf"^{run.program}: the slowest node communicates ([0-9.]+) times", done.said, re.M)
    return {
        **{"figures": figures, "processors": done.processors},
        "remote": int(remote.group(1)) / 100 if remote else 0.0,
        "messages": int(messages.group(1)) if messages else None,
        "bulk": sum(map(int, bulk)),
        "looks": {name: list(map(int, polls.split())) for name, polls in looks},
        "spread": float(spread.group(1)) if spread else 0.0,
    }


def told(run: Run, kept: kept_runs.KeptRuns) -> Told:
    found = kept.made(run.name, fingerprint(run), lambda: boot(run))
    figures = {name: (mean, half) for name, (mean, half) in found["figures"].items()}
    more = {name: found[name] for name in ("remote", "bulk", "looks", "spread") if name in found}
    return Told(figures, found["processors"], found["messages"], **more)


def all_of(runs: list[Run], folder: str, dispatch: str) -> dict[Run, Told]:
    """Those of most nodes begin first."""
    kept = kept_runs.KeptRuns(folder)
    order = sorted(runs, key=lambda run: (-run.nodes, run.name))
    bound = {run: run.bound(dispatch) for run in order}
    return kept_runs.side_by_side(
        order, lambda run: bound[run].name, lambda run: told(bound[run], kept)
    )
