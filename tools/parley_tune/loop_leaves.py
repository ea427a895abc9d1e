# SPDX-License-Identifier: MIT
"""Which leaves of the loop runtime suit a program's parallel loops: each is tried by itself, beside the
leaves that the program has otherwise, and then together what is best of each factor. What is measured is the
time of loops alone: a traced run tells it, and loading the program, serial code and its end are no part."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

import list_leaves
from parley_runner import guest, places, trace_command
from parley_runner.status import BadRequest
from parley_trace import loops, output

from .boots import Boots

FACTORS = tuple(list_leaves.ROOTS["loops"])
OWN = "its own leaves"  # the base
Leaves = tuple[tuple[str, str], ...]  # (factor, name) in place of the base's


@dataclass(frozen=True)
class Tried:
    leaves: Leaves
    measured: float  # ns


def names(factor: str) -> list[str]:
    more = list_leaves.folders(os.environ.get("LEAVES", ""))
    folder = list_leaves.ROOTS["loops"][factor]
    own = {
        name
        for top in (places.ROOT, *more)
        for name in list_leaves.leaves(factor, folder, top)
    }
    return sorted(name.replace("_", "-") for name in own)


def said(leaves: Leaves) -> str:
    return ",".join(f"{factor}={name}" for factor, name in leaves)


class LoopTimes:
    """What loops take, by leaves: boots that are kept as Boots keeps them."""

    def __init__(self, boots: Boots, base: str):
        """base: what LOOPS= says of every boot, or nothing; leaves that are tried come behind it."""
        self.boots, self.base = boots, base

    def words(self, leaves: Leaves) -> str:
        return ",".join(filter(None, [self.base, said(leaves)]))

    def of(self, leaves: Leaves) -> tuple[float | None, list]:
        """ns that the longest of the processes spends in parallel loops, and what the program found; none:
        the program fails with these leaves."""
        name = said(leaves) or "base"
        asked = os.path.join(self.boots.sweep.out, f"loops-{name.replace('=', '-').replace(',', '-')}.trace")
        path = output.file_name(asked, self.boots.preset, True)
        words = [f"trace={asked}"]
        if text := self.words(leaves):
            words.append(f"loops={text}")
        boot = self.boots.of_program("loops", (), *words)
        boot.name = f"{os.path.basename(asked).removesuffix('.trace')}-{boot.name}"[-200:]
        guest.check(boot.asked)
        record = os.path.join(self.boots.sweep.out, boot.name)
        if not os.path.exists(path) and os.path.exists(record):  # the record alone is of no use
            os.unlink(record)
        found = self.boots.run(boot, f"{os.path.basename(boot.app)} with {said(leaves) or OWN}")
        if found["exit_status"]:
            return None, []
        digests = [(row["name"], row["median"]) for row in found["rows"] if row["unit"] == "digest"]
        return in_loops(loops.processes(trace_command.load(path).trace)), digests


def in_loops(processes: list[loops.Process]) -> float | None:
    """None: none has loops."""
    times = [process.completion - process.main.ns["serial"] for process in processes]
    return max((time for time in times if time > 0), default=None)


def tune(times: LoopTimes, factors: tuple[str, ...]) -> list[Tried]:
    """All that run, the base first. BadRequest where there is nothing to tune."""
    say = times.boots.screen.say
    base_ns, digests = times.of(())
    if base_ns is None:
        raise BadRequest("The program does not succeed, or has no parallel loops: no leaves suit it better.")
    tried = [Tried((), base_ns)]
    failing = []

    def attempt(leaves: Leaves) -> float | None:
        measured, found = times.of(leaves)
        if measured is None or found != digests:
            failing.append(said(leaves))
            return None
        tried.append(Tried(leaves, measured))
        return measured

    best: dict[str, tuple[float, str]] = {}
    for factor in factors:
        for name in names(factor):
            measured = attempt(((factor, name),))
            if measured is not None and measured < min(base_ns, best.get(factor, (base_ns, ""))[0]):
                best[factor] = measured, name
    together = tuple((factor, name) for factor, (_, name) in best.items())
    if len(together) > 1:
        attempt(together)
    for words in failing:
        say(f"Left out, for the program does not run with it, or finds something else: {words}")
    return tried


def table(tried: list[Tried]) -> list[str]:
    base = tried[0].measured
    width = max(len(said(one.leaves) or OWN) for one in tried)
    lines = [f"{'leaves':<{width}}  {'loops, us':>14}  change"]
    for one in sorted(tried, key=lambda one: one.measured):
        change = f"{100 * (one.measured / base - 1):+.1f} %" if one.leaves else "the base"
        lines.append(f"{said(one.leaves) or OWN:<{width}}  {one.measured / 1000:14.3f}  {change}")
    return lines


def chosen(times: LoopTimes, tried: list[Tried]) -> tuple[Mapping[str, str], Tried]:
    """What a configuration says of the best, and that."""
    best = min(tried, key=lambda one: one.measured)
    text = times.words(best.leaves)
    return ({"loops": text} if text else {}), best
