# SPDX-License-Identifier: MIT
"""What batches say: medians with their spread, each claim beside lock-free and the thesis's printed ratio,
and which claim is the best, where the spread tells that."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clumps.document import Printed
from clumps.native_batches import Kept
from clumps.native_kinds import CELLS, LOOKING, MIX_LIMIT, PROGRAMS, mix_name
from judging import Value, value_of
from parley_study.tables import table

BESIDE = "lock-free"


@dataclass(frozen=True)
class Column:
    """One figure of all claims; `scale` makes of it what the table's title says."""

    kind: str
    figure: str
    head: str
    printed: Mapping[str, float]
    scale: float = 1.0


class Measured:
    """Columns' values by claim, of all batches and rounds."""

    def __init__(self, batches: Sequence[Kept], claims: Sequence[str]):
        self.batches, self.claims = batches, claims

    def each(self, column: Column, claim: str) -> list[float]:
        """Infinite ones did not end in time."""
        found = (batch.figures[column.kind][claim][column.figure] for batch in self.batches)
        return [column.scale * one for rounds in found for one in rounds]

    def value(self, column: Column, claim: str) -> Value:
        return value_of(self.each(column, claim))

    def ratio(self, column: Column, claim: str, to: str) -> Value:
        """Round by round, so that what drifts between rounds counts for both. Two that did not end are
        level."""
        pairs = zip(self.each(column, claim), self.each(column, to))
        return value_of([quotient(one, other) for one, other in pairs])

    def late(self, column: Column, claim: str) -> int:
        return sum(map(math.isinf, self.each(column, claim)))

    def best(self, column: Column) -> list[str]:
        """The claim with the least median, and those that are level with it: whose ratio to it may be 1 or
        less."""

        def median(claim: str) -> float:
            return self.value(column, claim).median

        first = min(self.claims, key=median)
        others = [claim for claim in self.claims if claim != first]
        level = [claim for claim in others if self.ratio(column, claim, first).low <= 1]
        return [first, *sorted(level, key=median)]


def quotient(one: float, other: float) -> float:
    if math.isinf(one) and math.isinf(other):
        return 1.0
    return one / other if other else math.inf


def number(value: float, form: str) -> str:
    return f"{value:{form}}" if math.isfinite(value) else "-"


def spread(value: Value, form: str) -> str:
    low, high = number(value.low, form), number(value.high, form)
    return f"{number(value.median, form)} ({low} to {high})"


def cell(measured: Measured, column: Column, claim: str) -> str:
    said = spread(measured.value(column, claim), ".3g")
    late = measured.late(column, claim)
    return f"{said}, {late} late" if late else said


def beside(measured: Measured, column: Column, claim: str) -> str:
    """With the printed ratio in brackets, if there is one."""
    value = measured.ratio(column, claim, BESIDE)
    said = f"{number(value.median, '.2f')}, {number(value.low, '.2f')} to {number(value.high, '.2f')}"
    if claim in column.printed:
        return f"{said} ({column.printed[claim] / column.printed[BESIDE]:.2f})"
    return said


def both(title: str, measured: Measured, columns: Sequence[Column]) -> list[str]:
    """The values, and the ratios."""
    heads = ["", *(column.head for column in columns)]
    rows = {
        words: [[claim, *(of(measured, column, claim) for column in columns)] for claim in measured.claims]
        for words, of in (("", cell), (f", beside {BESIDE} (printed)", beside))
    }
    return [line for words, cells in rows.items() for line in table(f"{title}{words}", heads, cells)]


def loggp(printed: Printed) -> list[Column]:
    units = {name: "ns/B" if name == "G" else "us" for name in ("RTT", "o_s", "o_r", "g", "G")}
    return [
        Column("LogGP", name, f"{name}, {unit}", printed.loggp[name]) for name, unit in units.items()
    ]


def latency() -> Column:
    """Alone: beside another it means nothing, for it may be zero."""
    return Column("LogGP", "L", "L, us", {})


def many_to_one(kinds: Sequence[str], processors: int, printed: Printed) -> list[Column]:
    columns = []
    for kind in kinds:
        count = int(kind.split()[0])
        shared = "" if count < processors else f", {count + 1} processes share {processors}"
        columns.append(Column(kind, kind, kind + shared, printed.many_to_one.get(count, {})))
    return columns


def mixes(program: str, printed: Printed, waiting: str = "") -> list[Column]:
    """What took too long in the thesis has nothing printed."""
    cells = {"1P": printed.dedicated[program], **printed.multiprogrammed[program]}
    names = {cell: mix_name(program, cell, waiting) for cell in CELLS}
    return [Column(name, name, cell, cells[cell], scale=1e3) for cell, name in names.items()]


def best_of(measured: Measured, groups: Mapping[str, Sequence[Column]]) -> list[str]:
    rows = []
    for name, columns in groups.items():
        for column in columns:
            first, *level = measured.best(column)
            every = len(level) == len(measured.claims) - 1
            rows.append([name, column.head, first, "all others" if every else ", ".join(level) or "none"])
    title = "The best claim, and those that this spread does not tell from it"
    return table(title, ["", "", "best", "level with it"], rows)


def answer(measured: Measured, title: str, groups: Mapping[str, Sequence[Column]]) -> list[str]:
    """Where other jobs run, too: how often each claim is the best or level with it, where it is farthest from
    that, and how many of its runs did not end in time."""
    found = {
        f"{name} {column.head}": column
        for name, columns in groups.items()
        for column in columns
        if column.head != "1P"
    }
    rows = []
    for claim in measured.claims:
        good = sum(claim in measured.best(column) for column in found.values())
        times, where = max((behind(measured, column, claim), name) for name, column in found.items())
        late = sum(measured.late(column, claim) for column in found.values())
        all_runs = sum(len(measured.each(column, claim)) for column in found.values())
        rows.append(
            [claim, f"{good} of {len(found)}", f"{number(times, '.2f')}, {where}", f"{late} of {all_runs}"]
        )
    heads = ["", "best or level", "times the best where it is worst", f"runs over {MIX_LIMIT} s"]
    return table(title, heads, rows)


def behind(measured: Measured, column: Column, claim: str) -> float:
    """How many times the best one's time it takes."""
    return measured.ratio(column, claim, measured.best(column)[0]).median


def all_tables(measured: Measured, kinds: Sequence[str], processors: int, printed: Printed) -> list[str]:
    writers = many_to_one([kind for kind in kinds if "writer" in kind], processors, printed)
    sleeping = {program: mixes(program, printed) for program in PROGRAMS}
    looking = {f"SAMPLE, {LOOKING}": mixes("SAMPLE", printed, LOOKING)}
    times = "ms for each of the parallel jobs (P) and sequential groups (S)"
    alone = {"LogGP": loggp(printed), "many to one": writers}
    return [
        *both("LogGP (table 6.3)", measured, alone["LogGP"]),
        *table("L", ["", "L, us"], [[claim, cell(measured, latency(), claim)] for claim in measured.claims]),
        *both("Many to one, us a message (table 6.4)", measured, writers),
        *(
            line
            for name, columns in {**sleeping, **looking}.items()
            for line in both(f"{name}: {times} (table 6.5, figures 6.22 to 6.26)", measured, columns)
        ),
        *best_of(measured, {**alone, **sleeping, **looking}),
        *answer(measured, "Among other jobs, where who waits sleeps", sleeping),
        *answer(measured, "Among other jobs, where who waits looks on", looking),
    ]
