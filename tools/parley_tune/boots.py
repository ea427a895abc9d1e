# SPDX-License-Identifier: MIT
"""The boots of a tuning: each once, kept in a folder as a sweep's, so that the same command goes on."""

import os
import time

from parley_runner import designs, guest, places, sweep, trace_command
from parley_runner.screen import Screen
from parley_runner.status import BadRequest, Status
from parley_runner.sweep import Boot, Sweep
from parley_trace import output

from .cost_model import Choice, Curve

PAIR_WORDS = "--sizes {} --samples 3 --trips 20 --warm-up 3"
START_WORDS = "--sizes 0 --samples 1 --trips 1 --warm-up 1"
SIZES = (0, 100, 101, 1024, 4096, 16384, 65536)  # on both sides of what travels inline
FACTORS = ("location", "context-switch", "interaction", "port", "transport", "synchronization", "transfer")
KINDS = ("CHECKED=0", "PROFILE=1")  # the systems that these boots need


class Stopped(Exception):
    """The time is over, or somebody interrupts; the message is a sentence."""


class Boots:
    def __init__(self, preset: str, program: dict, common: list[str], out: str, seconds: float):
        """program: app, nodes and args; common: words of every boot"""
        self.preset, self.program, self.common = preset, program, common
        self.sweep = Sweep("make tune", out, 1)
        self.deadline = time.monotonic() + seconds
        self.screen = Screen()
        self.silent = Screen(out=open(os.devnull, "w", encoding="utf-8"))  # for the tables of single boots
        listing = designs.resolve(places.BUILD, preset, 1, 64)
        self.base = {factor: listing[factor] for factor in FACTORS}

    def design(self, choice: Choice) -> str:
        return ",".join([self.preset, *(f"{factor}={name}" for factor, name in sorted(choice))])

    def of_program(self, kind: str, choice: Choice, *more: str) -> Boot:
        job = (self.program["app"], self.program["nodes"], self.program["args"])
        return self.made(kind, job, choice, *more)

    def of_pair(self, choice: Choice, longest: int) -> Boot:
        fitting = [size for size in SIZES if size < longest] + [min(max(longest, 1), 1 << 20)]
        args = PAIR_WORDS.format(",".join(map(str, sorted(set(fitting)))))
        return self.made("pair", ("ring", 2, args), choice)

    def made(self, kind: str, job: tuple[str, int, str], choice: Choice, *more: str) -> Boot:
        """BadRequest where the design is refused for so many nodes."""
        app, nodes, args = job
        boot = Boot(app, self.design(choice), nodes, args, None, 1, [*self.common, *more])
        boot.make()
        guest.check(boot.asked)
        choices = "+".join(f"{factor}={name.replace(':', '_')}" for factor, name in sorted(choice)) or "base"
        boot.name = f"{kind}-{os.path.basename(app)}-{self.preset}-{choices}.json"[-200:]
        return boot

    def run(self, boot: Boot, label: str = "") -> dict:
        """Told by its label, or as it calls itself."""
        if sweep.kept(self.sweep, boot) is None:
            if time.monotonic() > self.deadline:
                raise Stopped("The time that MINUTES gives is over")
            self.screen.say(f"{boot.name.partition('-')[0]}: {label or boot.label}")
        found = sweep.one(self.sweep, boot, self.silent)
        if found["exit_status"] == Status.INTERRUPTED:
            raise Stopped("Interrupted")
        return found

    def trace(self) -> tuple[dict, trace_command.Kept]:
        asked = os.path.join(self.sweep.out, "profile.trace")
        path = output.file_name(asked, self.preset, True)  # as a run of several designs calls it
        boot = self.of_program("trace", (), f"trace={asked}", "trace_records=1000000")
        if not os.path.exists(path):  # the record alone is of no use
            record = os.path.join(self.sweep.out, boot.name)
            if os.path.exists(record):
                os.unlink(record)
        found = self.run(boot)
        if found["exit_status"]:
            raise BadRequest(f"The program does not succeed in {self.preset}: {found['sentence']}")
        return found, trace_command.load(path)

    def curve(self, choice: Choice, longest: int) -> Curve | None:
        """ns of a message by length; None where the pair does not run in that design."""
        found = self.run(self.of_pair(choice, longest))
        rows = [row for row in found["rows"] if row["name"] == "round trip" and row["median"] is not None]
        return sorted((row["bytes"], row["median"] / 2) for row in rows) if not found["exit_status"] else None

    def time(self, choice: Choice) -> tuple[float | None, list]:
        """ns of the whole program, and what it found; None where it fails in that design."""
        found = self.run(self.of_program("time", choice, "profile=1"))
        digests = [(row["name"], row["median"]) for row in found["rows"] if row["unit"] == "digest"]
        return life_of(found), digests

    def start(self, choice: Choice) -> float | None:
        """ns of a program that does next to nothing on as many nodes: what their beginning and end take."""
        job = ("ring", max(self.program["nodes"], 2), START_WORDS)
        return life_of(self.run(self.made("start", job, choice, "profile=1")))


def life_of(found: dict) -> float | None:
    """ns of the process that lives longest; None where the boot failed."""
    lives = [1e9 * entry["life"] / max(entry["clock_hertz"], 1) for entry in found["times"]]
    return max(lives) if lives and not found["exit_status"] else None
