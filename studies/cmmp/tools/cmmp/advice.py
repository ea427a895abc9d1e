# SPDX-License-Identifier: MIT
"""What a program computes between its waits, from its record or its trace, and which kind of semaphores fits
that: each kind's overhead by the model, with what is not known of it."""

import json
import statistics
from dataclasses import dataclass

from cmmp import measured, model, profiles
from parley_runner import trace_command
from parley_runner.status import BadRequest
from parley_trace.reading import Record

# How far the model is at most from the thresholds of booted kernels (studies/cmmp/data/booted.json).
NEAR = 0.30
# What who waits gives away meanwhile: the more, the better for everybody else on the machine. Not combining:
# but for a V of several it is the kernel's semaphore.
GIVES = {
    "spin": (0, "keeps its processor and its pages"),
    "queue": (0, "keeps its processor and its pages"),
    "kernel": (1, "gives its processor away and keeps its pages"),
    "policy-1:300ms": (2, "gives its processor away, and its pages after 300 ms"),
    "policy-1:0s": (3, "gives its processor and its pages away"),
    "policy-0": (3, "gives its processor and its pages away"),
}


@dataclass
class Computation:
    """Between two waits of a process, in nanoseconds."""

    source: str
    processes: int
    processors: int | None
    waits_with: str
    clock: str
    lengths: int  # how many were measured; 0: the record does not say
    low: float  # a quarter are shorter
    middle: float
    high: float
    alone: float | None = None  # P and V that wait for nobody, together


@dataclass
class Prediction:
    """The model's threshold; the share of the time that is overhead, with the middle length; and the least
    and the most that it may be, by the lengths' quartiles, and by how far the model may be off."""

    kind: str
    threshold: float
    overhead: float
    least: float
    most: float


def of_record(path: str) -> list[Computation]:
    found = []
    for run in measured.runs_of([path]):
        rows = [row for row in run.rows if row["name"] == "evaluation"]
        if not rows:
            continue
        alone = [run.median(name) for name in ("P alone", "V alone")]
        low, middle, high = (
            statistics.fmean(row[name] for row in rows)
            for name in ("lower_quartile", "median", "upper_quartile")
        )
        stages = int(run.median("stages") or 0)
        clock = run.clock or "native"
        pair = None if None in alone else sum(alone)
        found.append(
            Computation(path, run.processes, run.processors, run.semaphore, clock, stages * run.processes,
                        low, middle, high, pair)
        )  # fmt: skip
    return found


def lengths_of(records: list[Record], sees_p: bool) -> dict[int, list[float]]:
    """By process: from going on after a wait, or from a P that need not wait, to the next wait or P."""
    began: dict[int, float] = {}
    in_p: set[int] = set()
    found: dict[int, list[float]] = {}
    for record in records:
        who = record.process
        if record.event == "wait" or (record.event == "P" and sees_p):
            if who in began:
                found.setdefault(who, []).append(record.ns - began.pop(who))
            began.pop(who, None)
            if record.event == "P":
                in_p.add(who)
                began[who] = record.ns
        elif record.event == "block" and who in in_p:
            began.pop(who, None)
        elif record.event == "resume" or (record.event == "switch" and who in in_p and who not in began):
            began[who] = record.ns
    return found


def of_trace(path: str) -> list[Computation]:
    kept = trace_command.load(path)
    found = []
    for job in kept.jobs:
        nodes = job.get("nodes") or 0
        semaphore = str(job.get("semaphore", ""))
        records = [r for r in kept.trace.records if r.job == job["job"] + 1 and r.process < nodes]
        uses_p = any(record.event == "P" for record in records)
        if uses_p and (kept.trace.native or semaphore.startswith("spin")):
            raise BadRequest(
                f"{path} does not say when a P was over: trace a booted run with SEMAPHORE=kernel, or give"
                " the rootfinder's record."
            )
        lengths = [length for each in lengths_of(records, uses_p).values() for length in each]
        if len(lengths) < 2:
            continue
        low, middle, high = statistics.quantiles(lengths, n=4)
        kind = semaphore if uses_p else "messages"
        clock = str(job.get("clock") or "free")
        found.append(Computation(path, nodes, None, kind, clock, len(lengths), low, middle, high))
    return found


def of_file(path: str) -> list[Computation]:
    try:
        found = of_trace(path) if path.endswith(".trace") else of_record(path)
    except (OSError, json.JSONDecodeError, UnicodeDecodeError, KeyError, TypeError) as problem:
        raise BadRequest(f"{path} cannot be read as a record or a trace: {problem}.") from problem
    if not found:
        raise BadRequest(
            f"{path} tells of no computation between waits: give a record of the rootfinder, or a trace"
            " (TRACE=FILE.trace) of a program that waits."
        )
    return found


def instruction_of(computation: Computation, profile: dict, asked: float | None) -> tuple[float, str]:
    """How long the profile's nanosecond takes on the clock of the measurement, and why."""
    if asked:
        return asked, "as asked for"
    # A record has the kind with all arguments: policy-1:300ms:2, spin:0.
    kind = computation.waits_with.removesuffix(":0").removesuffix(f":{profiles.SERVING}")
    alone = profile.get("measured", {}).get(kind, {})
    counted = alone.get("P alone", 0) + alone.get("V alone", 0)
    if computation.clock in ("counted", "native") or not (computation.alone and counted):
        return 1.0, "taken; --instruction NS says otherwise"
    taken = computation.alone / counted
    return taken, f"its P and V alone take {computation.alone:.0f} ns and {counted:.0f} instructions"


def predictions(profile: dict, computation: Computation, unit: float) -> list[Prediction]:
    processes, find = computation.processes, profiles.find_cost(profile, computation.processes)
    made = []
    for kind in (kind for kind in profile["kinds"] if kind in GIVES):
        costs = profiles.costs(profile, kind)

        def share(length: float, times: float = 1.0, costs: model.Costs = costs) -> float:
            waiting = times * (model.overhead(costs, processes, length / unit) + find)
            return waiting / (waiting + length / unit)

        made.append(
            Prediction(
                kind,
                unit * (model.threshold(costs, processes) + find),
                share(computation.middle),
                share(computation.high, 1 - NEAR),
                share(computation.low, 1 + NEAR),
            )
        )
    return made


def choice(found: list[Prediction], computation: Computation, limit: float) -> list[str]:
    """What to take, and why, in sentences."""
    short = computation.processors is not None and computation.processors < computation.processes
    able = [one for one in found if not (short and GIVES[one.kind][0] == 0)]
    said = []
    if short:
        said.append(
            f"There are {computation.processors} processors for {computation.processes} processes, so who"
            " spins would keep one that another needs."
        )
    good = [one for one in able if one.most <= limit]
    if not good:
        best = min(able, key=lambda one: one.overhead)
        longer = best.threshold * (1 / limit - 1)
        return [
            *said,
            f"Take {best.kind}: no kind stays within {100 * limit:g} %, and it costs least,"
            f" {span(best)}. Make computations longer, about {time(longer)}.",
        ]
    best = max(good, key=lambda one: (GIVES[one.kind][0], -one.overhead))
    said.append(
        f"Take {best.kind}: {span(best)} of the time; of the kinds that stay within {100 * limit:g} % it is"
        f" the one of which who waits {GIVES[best.kind][1]}."
    )
    doubtful = [one.kind for one in able if one.least <= limit < one.most]
    if doubtful:
        said.append(f"Not sure within the error: {', '.join(doubtful)}.")
    return said


def span(one: Prediction) -> str:
    return f"{100 * one.overhead:.2g} % ({100 * one.least:.2g} to {100 * one.most:.2g} %)"


def time(nanoseconds: float) -> str:
    for name, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.3g} {name}"
    return f"{nanoseconds:.3g} ns"


def advise(path: str, profile: dict, name: str, limit: float, instruction: float | None) -> list[str]:
    lines = []
    for one in of_file(path):
        if one.processes < 2:
            raise BadRequest(f"{path} is of one process, which waits for nobody: run it with two or more.")
        unit, why = instruction_of(one, profile, instruction)
        counted = f", {one.lengths} of them" if one.lengths else ""
        found = predictions(profile, one, unit)
        lines += [
            f"{path}: {one.processes} processes, which wait with {one.waits_with}; clock {one.clock}",
            f"computation between waits: {time(one.middle)}, half of them from {time(one.low)} to"
            f" {time(one.high)}{counted}",
            f"costs: profile {name}; an instruction lasts {unit:.3g} ns ({why})"
            if name == "native"
            else f"costs: profile {name}",
            f"{'':16} {'threshold':>10} {'overhead':>10} {'least':>8} {'most':>8}",
        ]
        for each in found:
            shares = " ".join(f"{100 * value:7.2f}%" for value in (each.least, each.most))
            lines.append(f"{each.kind:16} {time(each.threshold):>10} {100 * each.overhead:9.2f}% {shares}")
        lines.append(
            "threshold: by the model. overhead: share of the time with the middle length; least and most: by"
            f" the quartiles of the lengths, and where the model is {100 * NEAR:.0f} % off. What lengths"
            " differ by is waited for in any case."
        )
        lines += [*choice(found, one, limit), ""]
    return lines[:-1]
