# SPDX-License-Identifier: MIT
"""The choice beside a cross product that has been measured: the record of a sweep that booted programs under
many designs. Its designs are the candidates and its boots take the place of those that a choice would make
itself; then it is said how far what was chosen lies above the best of them all."""

import os
from dataclasses import dataclass

from parley_runner import made, record
from parley_runner.status import BadRequest

from .boots import Boots, Measure, clock_of, in_order, life_of
from .cost_model import Choice

AIM = 0.05  # how far above the best of a whole cross product a choice should be at most
KEYS = ("dispatch", "machine")  # of a request, which a choice may be asked for with


@dataclass(frozen=True)
class Product:
    """Of one program on one machine."""

    path: str
    runs: list[dict]

    @property
    def measure(self) -> Measure:
        """Without PROFILE=1 a record knows no process's life, but what the whole machine took."""
        return life_of if any(run["times"] for run in self.runs) else clock_of

    def words(self) -> list[str]:
        """What a choice for this program is asked for with."""
        asked = self.runs[0]["asked"]
        (job,) = asked["jobs"]
        said = {"app": job["app"], "nodes": job["nodes"], "args": job["args"], "clock": asked["clock"],
                "design": preset_of(self.runs[0])}  # fmt: skip
        said |= {name: asked[name] for name in KEYS if asked.get(name)}
        return [f"{name}={value}" for name, value in said.items()]

    def designs(self, boots: Boots) -> dict[Choice, dict]:
        """BadRequest where they were measured with another build than a choice would boot now."""
        now = made.of(boots.of_program("time", (), f"profile={int(self.measure is life_of)}").asked)
        for run in self.runs:
            if any(run["made"][part] != now[part] for part in ("system", "programs")):
                raise BadRequest(
                    f"{self.path} is of another build of the kernel or the program: sweep it again."
                )
        return {choice_of(run, boots.base): run for run in self.runs}


def preset_of(run: dict) -> str:
    return run["asked"]["jobs"][0]["design"].partition(",")[0]


def choice_of(run: dict, base: dict[str, str]) -> Choice:
    pairs = (word.split("=", 1) for word in run["asked"]["jobs"][0]["design"].split(",")[1:])
    return in_order((factor, name) for factor, name in pairs if base.get(factor) != name)


def products(path: str) -> list[Product]:
    """In the record's order."""
    found: dict[tuple, list[dict]] = {}
    for run in record.read(path):
        if run["asked"].get("clock") not in ("counted", "modelled") or len(run["asked"]["jobs"]) != 1:
            raise BadRequest(
                f"{path} has boots of the free clock, or of several jobs: no choice is made for such."
            )
        (job,) = run["asked"]["jobs"]
        key = (job["app"], job["args"], job["nodes"], run["asked"].get("machine"), preset_of(run))
        found.setdefault(key, []).append(run)
    return [Product(path, runs) for runs in found.values()]


def of(path: str, app: str, args: str, nodes: int, machine: str) -> Product:
    """BadRequest where the record has no boot of that program on that machine."""
    for one in products(path):
        asked = one.runs[0]["asked"]
        (job,) = asked["jobs"]
        its_own = (os.path.basename(job["app"]), job["args"], job["nodes"])
        if its_own == (os.path.basename(app), args, nodes) and (asked.get("machine") or "") == machine:
            return one
    raise BadRequest(f"AGAINST={path} has no boot of {app} {args} with NODES={nodes} on that machine.")


@dataclass(frozen=True)
class Verdict:
    program: str
    machine: str
    designs: int  # that ran
    chosen: str
    chosen_ns: float
    best: str
    best_ns: float
    before_ns: float  # of `best_ns`, until the first message; as much and more: not known

    @property
    def above(self) -> float:
        return self.chosen_ns / self.best_ns - 1

    @property
    def above_own(self) -> float | None:
        """Of what the best takes from its first message on."""
        own = self.best_ns - self.before_ns
        return (self.chosen_ns - self.best_ns) / own if own > 0 else None

    def sentence(self, path: str) -> str:
        word = "within" if self.above <= AIM else "not within"
        own = self.above_own
        if own is None:
            beside = ""
        else:
            beside = f" Of what that takes from its first message on, it is {own:.1%}."
        return (
            f"Beside the {self.designs} designs of {path} that run: what was chosen is {self.above:.1%} "
            f"above the best, {self.best}, {word} {AIM:.0%}.{beside}"
        )


HEAD = ("program", "machine", "designs", "chosen", "us", "best", "us", "above", "from the first message on")


def table(verdicts: list[Verdict]) -> list[str]:
    lines = ["| " + " | ".join(HEAD) + " |", "| " + " | ".join(["---"] * len(HEAD)) + " |"]
    for one in verdicts:
        beside = "" if one.above_own is None else f"{one.above_own:.1%}"
        cells = [f"`{one.program}`", f"`{one.machine}`", str(one.designs), f"`{one.chosen}`",
                 f"{one.chosen_ns / 1000:.1f}", f"`{one.best}`", f"{one.best_ns / 1000:.1f}",
                 f"{one.above:.1%}", beside]  # fmt: skip
        lines.append("| " + " | ".join(cells) + " |")
    return lines
