# SPDX-License-Identifier: MIT
"""The boots of a tuning: each once, kept in a folder as a sweep's, so that the same command goes on."""

import os
import time
from collections.abc import Callable, Iterable

from parley_runner import designs, guest, places, run, sweep, trace_command
from parley_runner.screen import Screen
from parley_runner.status import BadRequest, Status
from parley_runner.sweep import Boot, Sweep
from parley_trace import output, reading

from .cost_model import Choice, Curve, Prices

PAIR_WORDS = "--sizes {} --samples 3 --trips 20 --warm-up 3"
STREAM_WORDS = "--sizes {} --samples 3 --messages 12"  # fewer than a port holds
START_WORDS = "--sizes 0 --samples 1 --trips 1 --warm-up 1"
SIZES = (0, 100, 101, 1024, 4096, 16384, 65536)  # on both sides of what travels inline
FACTORS = ("location", "context-switch", "interaction", "port", "transport", "synchronization", "transfer")
LONGEST_OF_STREAM = 16384  # as many as its messages must fit the budget of a job
KINDS = ("CHECKED=0", "PROFILE=1")  # the systems that these boots need


Measure = Callable[[dict], float | None]  # ns, of a record; None where the boot failed


class Unfit(BadRequest):
    """A design does not go with the program, or with what is measured in its place; the message is a
    sentence."""


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
        self.told: dict[Choice, dict] = {}  # boots of the program that somebody has made before
        self.measure: Measure = life_of

    @property
    def watching(self) -> tuple[str, ...]:
        """Words of the boots that say what a message costs: the programs are watched, which takes time at
        every call, and more where a call enters the kernel."""
        return ("profile=1",) if self.measure is life_of else ()

    def design(self, choice: Choice) -> str:
        return ",".join([self.preset, *(f"{factor}={name}" for factor, name in sorted(choice))])

    def of_program(self, kind: str, choice: Choice, *more: str) -> Boot:
        job = (self.program["app"], self.program["nodes"], self.program["args"])
        return self.made(kind, job, choice, *more)

    def of_pair(self, choice: Choice, longest: int) -> Boot:
        words = PAIR_WORDS.format(sizes_to(longest))
        return self.made("pair", ("ring", 2, words), choice, *self.watching)

    def made(self, kind: str, job: tuple[str, int, str], choice: Choice, *more: str) -> Boot:
        """Unfit where the design is refused for so many nodes."""
        app, nodes, args = job
        boot = Boot(app, self.design(choice), nodes, args, None, 1, [*self.common, *more])
        try:
            boot.make()
            guest.check(boot.asked)
        except BadRequest as problem:
            raise Unfit(str(problem)) from None
        choices = "+".join(f"{factor}={name.replace(':', '_')}" for factor, name in sorted(choice)) or "base"
        boot.name = f"{kind}-{os.path.basename(app)}-{self.preset}-{choices}.json"[-200:]
        return boot

    def run(self, boot: Boot, label: str = "") -> dict:
        """Told by its label, or as it calls itself."""
        if found := sweep.kept(self.sweep, boot):
            return found
        if time.monotonic() > self.deadline:
            raise Stopped("The time that MINUTES gives is over")
        self.screen.say(f"{boot.name.partition('-')[0]}: {label or boot.label}")
        found = sweep.boot_now(self.sweep, boot, self.silent)
        if found["exit_status"] == Status.INTERRUPTED:
            raise Stopped("Interrupted")
        return found

    def trace(self, choice: Choice) -> reading.Trace:
        """Of the program in that design. Unfit where it does not succeed, or is too long for a trace."""
        asked = os.path.join(self.sweep.out, "profile.trace")
        boot = self.of_program("trace", choice, f"trace={asked}", "trace_records=1000000")
        path = output.file_name(asked, run.label_of(boot.asked), True)  # as a run of several designs calls it
        if not os.path.exists(path):  # the record alone is of no use
            record = os.path.join(self.sweep.out, boot.name)
            if os.path.exists(record):
                os.unlink(record)
        found = self.run(boot)
        if found["exit_status"]:
            raise Unfit(f"The program does not succeed in {self.design(choice)}: {found['sentence']}")
        try:
            trace = trace_command.load(path).trace
        except BadRequest as problem:
            raise Unfit(str(problem)) from None
        if trace.lost:
            raise Unfit(f"{trace.lost_records()}: give the program less to do.")
        return trace

    def prices(self, choice: Choice, longest: int, streams: bool) -> Prices | None:
        """None where the pair, or a program that does next to nothing, does not run in that design."""
        pair, start = self.run(self.of_pair(choice, longest)), self.start(choice)
        if pair["exit_status"] or not start:
            return None
        stream = self.run(self.of_stream("stream", choice, longest, *self.watching)) if streams else None
        return Prices(way_of(pair), start, *ends_of(stream))

    def traced_prices(self, choice: Choice, longest: int) -> Prices:
        """Of a design while it is traced: what its messages cost in a traced run."""
        asked = os.path.join(self.sweep.out, "prices.trace")
        more = (f"trace={asked}", "trace_records=1000000")
        words = PAIR_WORDS.format(sizes_to(longest))
        pair = self.run(self.made("traced-pair", ("ring", 2, words), choice, *more))
        stream = self.run(self.of_stream("traced-stream", choice, longest, *more))
        if pair["exit_status"]:
            raise Unfit(f"The null pair does not succeed while it is traced: {pair['sentence']}")
        return Prices(way_of(pair), 0.0, *ends_of(stream))

    def gives_away(self, choice: Choice) -> bool:
        """Whether sends of that design give their blocks away."""
        return designs.resolve(places.BUILD, self.design(choice), 1, 64)["gives_away"]

    def of_stream(self, kind: str, choice: Choice, longest: int, *more: str) -> Boot:
        words = STREAM_WORDS.format(sizes_to(min(longest, LONGEST_OF_STREAM)))
        return self.made(kind, ("contend", 2, words), choice, *more)

    def time(self, choice: Choice) -> tuple[float | None, list]:
        """ns of the whole program, and what it found; None where it fails in that design."""
        found = self.told.get(choice) or self.run(self.of_program("time", choice, "profile=1"))
        digests = [(row["name"], row["median"]) for row in found["rows"] if row["unit"] == "digest"]
        return self.measure(found), digests

    def start(self, choice: Choice) -> float | None:
        """ns of a program that does next to nothing on as many nodes: what their beginning and end take."""
        job = ("ring", max(self.program["nodes"], 2), START_WORDS)
        return life_of(self.run(self.made("start", job, choice, "profile=1")))


def in_order(choice: Iterable[tuple[str, str]]) -> Choice:
    """A choice has its classes in the order of factors."""
    return tuple(sorted(choice, key=lambda one: FACTORS.index(one[0])))


def sizes_to(longest: int) -> str:
    """The sizes of null pairs and streams for a program whose longest message is that."""
    fitting = [size for size in SIZES if size < longest] + [min(max(longest, 1), 1 << 20)]
    return ",".join(map(str, sorted(set(fitting))))


def way_of(pair: dict) -> Curve:
    return [(length, ns / 2) for length, ns in medians(pair, "round trip")]


def ends_of(stream: dict | None) -> tuple[Curve, Curve]:
    """What a message's sender and its receiver do in a stream. To each other, both nodes first send all
    and then receive all; where csend awaits deliveries they cannot."""
    if stream is None or stream["exit_status"]:
        return [], []
    send, both = medians(stream, "to one, 1"), dict(medians(stream, "to each other, 2"))
    return send, [(length, both[length] - ns) for length, ns in send if length in both]


def medians(found: dict, name: str) -> Curve:
    rows = [row for row in found["rows"] if row["name"] == name and row["median"] is not None]
    return sorted((row["bytes"], row["median"]) for row in rows)


def life_of(found: dict) -> float | None:
    """ns of the process that lives longest; None where the boot failed."""
    lives = [1e9 * entry["life"] / max(entry["clock_hertz"], 1) for entry in found["times"]]
    return max(lives) if lives and not found["exit_status"] else None


def clock_of(found: dict) -> float | None:
    """ns of the modelled processor that was at work longest; None where the boot failed."""
    clocks = [one["clock"] / 1000 for one in (found["model"] or {}).get("processors", ())]
    return max(clocks) if clocks and not found["exit_status"] else None
