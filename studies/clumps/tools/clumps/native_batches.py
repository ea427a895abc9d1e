# SPDX-License-Identifier: MIT
"""Batches of measurements: one has every kind once for each claim, claims by turns, so that a drift of the
host falls on all of them. Whole batches are kept, so a study that was interrupted goes on."""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmark.verdict import Host as Watched
from clumps.native_kinds import Kind
from clumps.native_runs import Rows
from parley_study.kept_runs import KeptRuns, digest

Measure = Callable[[Kind, str], list[Rows] | None]
# By kind, claim and figure: what each round found.
Batch = dict[str, dict[str, dict[str, list[float]]]]


@dataclass(frozen=True)
class Kept:
    """A batch; which part of the processors' time others took meanwhile, where that is known; and the
    niceness of its processes."""

    figures: Batch
    others: float | None
    niceness: int


def turned(claims: Sequence[str], number: int) -> list[str]:
    """Each claim follows another one in the next batch, and none is always the first: forwards from another
    one each time, and backwards in every second batch."""
    first = number // 2 % len(claims)
    order = [*claims[first:], *claims[:first]]
    return order[::-1] if number % 2 else order


class Batches:
    """So many batches of some kinds, in a folder; `key` stands for all that their figures come from."""

    def __init__(self, folder: str, key: str, kinds: Sequence[Kind], claims: Sequence[str], measure: Measure):
        self.kept, self.key, self.folder = KeptRuns(folder), key, folder
        self.kinds, self.claims, self.measure = kinds, claims, measure

    def name(self, number: int) -> str:
        return f"batch-{number}"

    def found(self, count: int) -> list[Kept]:
        """Those of the first so many that are kept, up to the first that is not."""
        found = []
        for number in range(count):
            record = self.kept.get(self.name(number), self.key)
            if record is None:
                break
            found.append(Kept(**record))
        return found

    def all_of(self, count: int) -> list[Kept]:
        """Goes on where it was interrupted. After a whole study it begins anew."""
        found = self.found(count)
        if len(found) == count:
            found = []
            for number in range(count):
                os.remove(self.kept.path(self.name(number)))
        for number in range(len(found), count):
            found.append(self.one(number, count))
        return found

    def one(self, number: int, count: int) -> Kept:
        watched = Watched()
        figures: Batch = {}
        for kind in self.kinds:
            print(f"batch {number + 1} of {count}: {kind.name}", file=sys.stderr, flush=True)
            figures[kind.name] = {claim: {} for claim in self.claims}
            for turn in range(kind.rounds):
                for claim in turned(self.claims, number * kind.rounds + turn):
                    found = kind.figures(self.measure(kind, claim))
                    for name, value in found.items():
                        figures[kind.name][claim].setdefault(name, []).append(value)
        record = {"figures": figures, "others": watched.taken_by_others(), "niceness": os.nice(0)}
        self.kept.put(self.name(number), self.key, record)
        return Kept(**record)


def fingerprint(native: str, kinds: Sequence[Kind], claims: Sequence[str], host: str) -> str:
    """Of programs and what runs them, of the jobs that are asked for, and of the host."""
    jobs = [job for kind in kinds for claim in claims for job in kind.jobs(claim)]
    programs = [f"apps/{program}/{program}" for program in sorted({job.program for job in jobs})]
    files = ["bin/nxrun", "lib/parley/messages", "lib/parley/messages-static", *programs]
    return digest([os.path.join(native, file) for file in files], host, *(job.command for job in jobs))
