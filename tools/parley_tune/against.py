# SPDX-License-Identifier: MIT
"""The choice beside a cross product that has been measured: the record of a sweep that booted programs under
many designs. Its designs are the candidates and its boots take the place of those that a choice would make
itself; then it is said how far what was chosen lies above the best of them all."""

import os
from dataclasses import dataclass, replace

from parley_runner import again, keys, made, record
from parley_runner.request import Request
from parley_runner.status import BadRequest

from .boots import Boots, Measure, clock_of, in_order, life_of
from .cost_model import Choice

AIM = 0.05  # how far above the best of a whole cross product a choice should be at most
# Words that change neither the program nor its machine, so boots that differ in them are alike. PROFILE is
# one: what is compared is chosen by what the record holds.
BESIDE = (*again.OUTPUTS, "name", "console", "quiet", "limit", "remeasure", "unreceived", "profile", "trace",
          "trace_records", "trace_interval")  # fmt: skip
ALWAYS = ("app", "nodes", "args", "clock", "design")  # said also where they are the defaults


def words_of(request: Request) -> dict:
    """What the boots of a choice share: all that they are asked for, but for the classes of the design."""
    (job,) = request.jobs
    said = {**request.values, "processors": request.processors, **job.asked}
    said |= {"design": job.design.partition(",")[0], "app": os.path.basename(job.app)}
    return {name: value for name, value in said.items() if name not in BESIDE}


@dataclass(frozen=True)
class Product:
    """Of one program in classes of one named design, asked for alike in all else."""

    path: str
    request: Request  # of its first boot
    runs: list[dict]

    @property
    def measure(self) -> Measure:
        """Without PROFILE=1 a record knows no process's life, but what the whole machine took."""
        return life_of if any(run["times"] for run in self.runs) else clock_of

    def words(self, taken: tuple[str, ...]) -> list[str]:
        """What a choice for this program is asked for with, but for words that are `taken`."""
        said = {**words_of(self.request), "app": self.request.jobs[0].app}
        as_many = replace(self.request, values=self.request.values | {"processors": None})
        if as_many.processors == self.request.processors:
            del said["processors"]
        return [
            f"{name}={value}"
            for name, value in said.items()
            if name in ALWAYS or (name not in taken and value not in (None, keys.KEYS[name].default))
        ]

    def unlike(self, wanted: dict) -> list[str]:
        """What was asked for here otherwise."""
        here = words_of(self.request)
        names = [name for name in {**wanted, **here} if wanted.get(name) != here.get(name)]
        return [f"no {name.upper()}" if here.get(name) is None else f"{name.upper()}={here[name]}"
                for name in names]  # fmt: skip

    def designs(self, boots: Boots) -> dict[Choice, dict]:
        """BadRequest where they are made of something else than the boots of a choice now."""
        now = boots.of_program("time", (), f"profile={int(self.measure is life_of)}").asked
        for run in self.runs:
            if others := made.others(run, boots.sweep.build.parts(now)):
                raise BadRequest(f"{self.path} is of {' and of '.join(others)}: sweep it again.")
        return {choice_of(run, boots.base): run for run in self.runs}


def choice_of(run: dict, base: dict[str, str]) -> Choice:
    pairs = (word.split("=", 1) for word in run["asked"]["jobs"][0]["design"].split(",")[1:])
    return in_order((factor, name) for factor, name in pairs if base.get(factor) != name)


def products(path: str) -> list[Product]:
    """In the record's order."""
    found: dict[tuple, Product] = {}
    for run in record.read(path):
        if run["asked"].get("clock") not in ("counted", "modelled") or len(run["asked"]["jobs"]) != 1:
            raise BadRequest(
                f"{path} has boots of the free clock, or of several jobs: no choice is made for such."
            )
        request = again.request_of(path, run)
        words = words_of(request) | {"app": request.jobs[0].app, "profile": request.values["profile"]}
        found.setdefault(tuple(words.values()), Product(path, request, [])).runs.append(run)
    if not found:
        raise BadRequest(f"{path} has no boots: no choice is made for such.")
    return list(found.values())


def of(path: str, request: Request) -> Product:
    """Whose boots are asked for as this one is. BadRequest where the record has none."""
    wanted = words_of(request)
    nearest = min(products(path), key=lambda one: len(one.unlike(wanted)))
    if unlike := nearest.unlike(wanted):
        said = f"{wanted['app']} {wanted['args']}".rstrip()
        raise BadRequest(
            f"AGAINST={path} has no boot of {said} with NODES={wanted['nodes']} that is asked for as this "
            f"choice: what is nearest has {', '.join(unlike)}."
        )
    return nearest


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
