# SPDX-License-Identifier: MIT
"""Bands of a processor in a picture, of a modelled machine: its cache misses in a microsecond, and which part
of the time it waited for the bus. They differ by place, label and filling, so that no colour is needed to
tell them apart, and every picture says in words what they show."""

import bisect
import math
from dataclasses import dataclass
from html import escape
from typing import Callable

from parley_runner.counted import counted

from . import reading
from .memory import Counts

HEIGHT, APART = 20, 8  # of a band, and over it
COLUMN = 2  # px, about: as many intervals as that takes are drawn as one
STYLE = ".misses{fill:#333}.waiting{fill:url(#waiting)}.waiting,.hatch{stroke:#333;stroke-width:.8}"
HATCH = (
    '<pattern id="waiting" width="4" height="4" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><path class="hatch" d="M0 0V4"/></pattern>'
)


@dataclass(frozen=True)
class Kind:
    name: str
    label: str
    unit: str
    meaning: str
    value: Callable[[Counts, float], float]  # of what was counted in so many microseconds


KINDS = (
    Kind(
        "misses", "misses/us", "", "filled: cache misses a microsecond", lambda counts, us: counts.misses / us
    ),
    Kind(
        "waiting",
        "bus wait",
        " %",
        "hatched: the part of the time in which it waits for the bus or a bank",
        lambda counts, us: counts.bus_waiting / us / 1e4,
    ),
)


class Bands:
    def __init__(self, trace: reading.Trace, start: float, end: float, column: float):
        """start, end: of what is drawn, in ns; column: about what COLUMN pixels are, in ns."""
        self.trace, self.start, self.end = trace, start, end
        memory = trace.memory
        count = max(1, math.ceil(column / trace.model_span(memory.length))) if memory else 1
        self.length = count * memory.length if memory else 0  # of a column, in picoseconds
        self.columns = {
            number: {at: one for at, one in sorted(memory.columns(number, count).items()) if self.meets(at)}
            for number in (memory.processors if memory else ())
        }
        self.most = {kind.name: round_up(self.highest(kind)) for kind in KINDS}
        self.kinds = [kind for kind in KINDS if self.most[kind.name]]

    def time(self, column: int) -> float:
        return self.trace.model_ns(column * self.length)

    def meets(self, column: int) -> bool:
        return self.time(column + 1) > self.start and self.time(column) < self.end

    def highest(self, kind: Kind) -> float:
        found = (one for columns in self.columns.values() for one in columns.values())
        return max((kind.value(one, self.length / 1e6) for one in found), default=0.0)

    @property
    def processors(self) -> list[int]:
        """Those that have counted anything in what is drawn."""
        return sorted(number for number, columns in self.columns.items() if columns and self.kinds)

    @property
    def height(self) -> int:
        """Of a processor's bands."""
        return (HEIGHT + APART) * len(self.kinds)

    def drawn(self, strip, processor: int, top: float):
        """In a strip of a picture (picture.py), from `top` on."""
        columns = self.columns.get(processor, {})
        for place, kind in enumerate(self.kinds):
            base = top + (HEIGHT + APART) * (place + 1)
            yield f'<text class="small" x="24" y="{base - 10:g}">{kind.label}</text>'
            scale = f"0 to {self.most[kind.name]:g}{kind.unit}"
            yield f'<text class="small" x="24" y="{base:g}">{scale}</text>'
            left, right = strip.inside(self.start), strip.inside(self.end)
            yield f'<path class="grid" d="M{left} {base:g}H{right}"/>'
            path = "".join(self.path(strip, columns, kind, base))
            if path:
                title = escape(f"processor {processor}: {self.told_of(processor, kind)}")
                yield f'<path class="{kind.name}" d="{path}"><title>{title}</title></path>'

    def path(self, strip, columns: dict[int, Counts], kind: Kind, base: float):
        """A step for each column; what lies in a gap is left out, as the rest of it is."""
        order = [*columns]
        for start, end in strip.gaps.pieces(self.start, self.end):
            if not strip.meets(start, end):
                continue
            at = None  # where the path has come to, on paper
            for column in order[self.first_of(order, strip, start) :]:
                begin, after = max(self.time(column), start), min(self.time(column + 1), end)
                if begin >= end or strip.gaps.squeezed(begin) >= strip.end:
                    break
                left, right = strip.inside(begin), strip.inside(after)
                part = min(kind.value(columns[column], self.length / 1e6) / self.most[kind.name], 1.0)
                if left != at:
                    yield f"V{base:g}Z" * (at is not None) + f"M{left} {base:g}"
                yield f"V{base - HEIGHT * part:.1f}H{right}"
                at = right
            yield f"V{base:g}Z" * (at is not None)

    def first_of(self, order: list[int], strip, start: float) -> int:
        """The place of the first column that ends behind `start` and where the strip begins."""

        def is_there(column: int) -> bool:
            end = self.time(column + 1)
            return end > start and strip.gaps.squeezed(end) > strip.start

        return bisect.bisect_left(order, True, key=is_there)

    def sum(self, processor: int) -> Counts:
        found = Counts()
        for counts in self.columns.get(processor, {}).values():
            found = found.plus(counts)
        return found

    def told_of(self, processor: int, kind: Kind) -> str:
        """A band in words."""
        counts = self.sum(processor)
        us = self.length / 1e6
        most = max((kind.value(one, us) for one in self.columns[processor].values()), default=0.0)
        if kind.name == "misses":
            reads, writes = counted(counts.read_misses, "read"), counted(counts.write_misses, "write")
            fetches = counted(counts.fetch_misses, "fetch", "fetches")
            return f"{reads}, {writes} and {fetches} missed, at most {most:.3g} a microsecond"
        part = 1e-3 * counts.bus_waiting / max(self.end - self.start, 1e-3)
        waited = f"waited {counts.bus_waiting / 1e6:.1f} us for the bus"
        return f"{waited}, {100 * part:.2f} % of the time, at most {most:.3g} %"

    def words(self) -> str:
        """All bands, for who does not see them."""
        return " ".join(
            f"Processor {number}: {'; '.join(self.told_of(number, kind) for kind in self.kinds)}."
            for number in self.processors
        )

    def legend(self, x: float, y: float):
        """A line for each kind of band, from there on."""
        for line, kind in enumerate(self.kinds):
            top = y + 18 * line
            yield f'<path class="{kind.name}" d="M{x:g} {top - 10:g}h18v12h-18z"/>'
            words = f"{kind.meaning}, {self.length / 1e6:g} us a step"
            yield f'<text class="small" x="{x + 24:g}" y="{top:g}">{words}</text>'


def round_up(value: float) -> float:
    """The next of 1, 2 and 5 and their tenfolds; 0 stays."""
    if value <= 0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(power * step for step in (1, 2, 5, 10) if value <= power * step * (1 + 1e-9))
