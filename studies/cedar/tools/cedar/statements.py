# SPDX-License-Identifier: MIT
"""What the document on Cedar computes and says from its own numbers, each computed again: a statement about
each of some cells. What goes in is named with it, and is taken as printed; what comes out is compared. A cell
agrees when rounding of what is printed can explain the difference."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from cedar.document import Activity, Document, Row
from cedar.intervals import Interval, interval
from parley_trace import loop_formulas as formulas

LAST = 32  # processors, of all four clusters


@dataclass(frozen=True)
class Cell:
    name: str
    agrees: bool
    found: str


@dataclass(frozen=True)
class Statement:
    sentence: str
    inputs: str
    cells: Sequence[Cell]
    # Cells that are known to disagree, and why: what the document itself has wrong, or says too generally.
    known: dict[str, str] = field(default_factory=dict)

    @property
    def disagreeing(self) -> list[Cell]:
        return [cell for cell in self.cells if not cell.agrees]

    @property
    def as_known(self) -> bool:
        return bool(self.cells) and {cell.name for cell in self.disagreeing} == set(self.known)


def compared(name: str, says: Interval, follows: Interval) -> Cell:
    return Cell(name, says.holds(follows), f"{says} printed, {follows} follows")


def rows(document: Document, start: int = 1) -> Iterator[tuple[str, int, Row]]:
    for program, table in document.programs.items():
        for processors, row in table.items():
            if processors >= start:
                yield f"{program} on {processors}", processors, row


def speedups(document: Document) -> list[Cell]:
    alone = {program: table[1].completion for program, table in document.programs.items()}
    return [
        compared(name, row.speedup, alone[name.split()[0]] / row.completion)
        for name, processors, row in rows(document)
        if processors > 1
    ]


def slower_than_busy(document: Document) -> list[Cell]:
    return [
        Cell(name, row.speedup.high < row.concurrency.low, f"{row.speedup} beside {row.concurrency}")
        for name, processors, row in rows(document)
        if processors > 1
    ]


def one_cluster(document: Document) -> list[tuple[str, Row]]:
    return [(name, row) for name, _, row in rows(document, 4) if len(row.loop_concurrency) == 1]


def several(document: Document) -> list[tuple[str, Row]]:
    return [(name, row) for name, _, row in rows(document, 4) if len(row.loop_concurrency) > 1]


def loop_concurrencies(document: Document) -> list[Cell]:
    return [
        compared(
            name,
            row.loop_concurrency[0],
            formulas.loop_concurrency(row.concurrency, row.completion, row.loops),
        )
        for name, row in one_cluster(document)
    ]


def helpers_shares(document: Document) -> list[Cell]:
    """Helpers run no loop that the main task does not run, so they spend no larger part of their time in
    loops. Only the sum of the clusters' concurrency is printed: all helpers are taken as alike."""
    found = []
    for name, row in several(document):
        main, *helpers = row.loop_concurrency
        share = row.loops / row.completion
        rest = row.concurrency - (share * (main - 1) + 1)
        of_helpers = formulas.loop_share(
            rest - (len(helpers) - 1), sum(helpers, start=interval(0)) - (len(helpers) - 1)
        )
        sound = of_helpers.low <= share.high and of_helpers.high >= 0
        found.append(Cell(name, sound, f"helpers {of_helpers} of their time, the main task {share}"))
    return found


def ideal_times(document: Document) -> list[Cell]:
    return [
        compared(
            name,
            row.ideal,
            document.programs[name.split()[0]][1].loops / row.loop_concurrency[0],
        )
        for name, row in one_cluster(document)
    ]


def cluster_only_part(row: Row, alone: Interval) -> Interval:
    """The part of the time of loops on one processor that loops of the main cluster alone must take, for the
    ideal time to be what is printed."""
    of_main = interval(1) / row.loop_concurrency[0]
    of_all = interval(1) / sum(row.loop_concurrency[1:], start=row.loop_concurrency[0])
    return (row.ideal / alone - of_all) / (of_main - of_all)


def one_division(document: Document) -> list[Cell]:
    found = []
    for program, table in document.programs.items():
        parts = [
            cluster_only_part(row, table[1].loops) for row in table.values() if len(row.loop_concurrency) > 1
        ]
        low, high = max(part.low for part in parts), min(part.high for part in parts)
        agrees = low <= high and high >= 0 and low <= 1
        found.append(Cell(program, agrees, " and ".join(str(part) for part in parts)))
    return found


def contentions(document: Document) -> list[Cell]:
    return [
        compared(name, row.contention, formulas.contention(row.loops, row.ideal, row.completion))
        for name, processors, row in rows(document)
        if processors > 1
    ]


def growing_contention(document: Document) -> list[Cell]:
    found = []
    for program, table in document.programs.items():
        if program == "FLO52":
            continue
        series = [row.contention for row in table.values() if row.contention is not None]
        grows = all(before.low < after.high for before, after in zip(series, series[1:]))
        found.append(Cell(program, grows, ", ".join(str(each) for each in series)))
    return found


def within(cells: dict[str, Interval], low: str | int, high: str | int) -> list[Cell]:
    bounds = Interval(interval(low).low, interval(high).high)
    return [Cell(name, value.holds(bounds), str(value)) for name, value in cells.items()]


def contention_of_all(document: Document) -> dict[str, Interval]:
    return {program: table[LAST].contention for program, table in document.programs.items()}


def percents(document: Document) -> list[Cell]:
    return [
        compared(
            f"{program}, {activity.name}",
            activity.percent,
            activity.seconds / document.programs[program][LAST].completion * 100,
        )
        for program, activities in document.system.items()
        for activity in activities
    ]


MAIN_ACTIVITIES = (
    "cross-processor interrupts",
    "context switches",
    "concurrent page faults",
    "sequential page faults",
    "cluster critical sections",
)


def total(activities: Sequence[Activity]) -> Interval:
    return sum((activity.seconds for activity in activities), start=interval(0))


def nine_tenths(document: Document) -> list[Cell]:
    found = []
    for program, activities in document.system.items():
        main = total([activity for activity in activities if activity.name in MAIN_ACTIVITIES])
        others = total([activity for activity in activities if activity.name not in MAIN_ACTIVITIES])
        # Of both at once: what bounds the part from above has most of the one and least of the other.
        part = Interval(main.low / (main.low + others.high), main.high / (main.high + others.low))
        found.append(Cell(program, part.high > interval("0.9").low, f"{part * 100} %"))
    return found


def dearer_together(document: Document) -> list[Cell]:
    found = []
    for program, activities in document.system.items():
        seconds = {activity.name: activity.seconds for activity in activities}
        together, alone = seconds["concurrent page faults"], seconds["sequential page faults"]
        found.append(Cell(program, together.low > alone.high, f"{together} s beside {alone} s"))
    return found


def statements(document: Document) -> list[Statement]:
    system = {
        program: sum((activity.percent for activity in activities), start=interval(0))
        for program, activities in document.system.items()
    }
    printed_wrong = "seconds and percent in the table are not of one completion time"
    instruments = "concurrency and times come from different instruments, and agree to one percent"
    return [
        Statement(
            "speed-ups follow from completion times",
            "table 1, completion times",
            speedups(document),
            {"MDG on 4": "4935 s are 3.92 times 1260 s"},
        ),
        Statement(
            "every speed-up is below the average concurrency",
            "table 1, both as printed",
            slower_than_busy(document),
        ),
        Statement(
            "concurrency in loops follows from that in the whole program, on one cluster",
            "table 1, completion times and concurrency; table 4, loops",
            loop_concurrencies(document),
            dict.fromkeys(("MDG on 4", "OCEAN on 4", "OCEAN on 8", "ADM on 4"), instruments),
        ),
        Statement(
            "helpers spend no larger part of their time in loops than the main task",
            "tables 1 and 3, table 4, loops",
            helpers_shares(document),
            dict.fromkeys(("MDG on 16", "MDG on 32"), instruments),
        ),
        Statement(
            "ideal times follow from the time on one processor, on one cluster",
            "table 3; table 4, loops on one processor",
            ideal_times(document),
        ),
        Statement(
            "one division of loops into those of the main cluster and those of all gives both the ideal time"
            " on 16 and that on 32 processors",
            "table 3; table 4, loops on one processor",
            one_division(document),
        ),
        Statement(
            "contention follows from actual and ideal times",
            "table 1, completion times; table 4, times",
            contentions(document),
        ),
        Statement(
            "but for FLO52, contention grows with the processors",
            "table 4",
            growing_contention(document),
            {"OCEAN": "7.4 % on 32 processors is less than 8.0 % on 16"},
        ),
        Statement(
            "on 32 processors contention takes 8 to 21 % of the time",
            "table 4",
            within(contention_of_all(document), 8, 21),
            {"OCEAN": "7.4 % are printed"},
        ),
        Statement(
            "and 10 % or more of each program",
            "table 4",
            within(contention_of_all(document), 10, 100),
            {"OCEAN": "7.4 % are printed"},
        ),
        Statement(
            "the operating system takes 5 to 21 % of the time on 32 processors",
            "table 2, percent",
            within(system, 5, 21),
        ),
        Statement(
            "percents of the operating system's time follow from its seconds",
            "table 2, seconds; table 1, completion times",
            percents(document),
            {
                "FLO52, cross-processor interrupts": printed_wrong,
                "FLO52, global critical sections": printed_wrong,
                "ARC2D, cluster critical sections": "2.77 % of 142 s are 3.93 s, where 3.43 s are printed",
                "MDG, cross-processor interrupts": printed_wrong,
                "MDG, cluster critical sections": printed_wrong,
                "MDG, cluster system calls": printed_wrong,
            },
        ),
        Statement(
            "interrupts, context switches, page faults and cluster critical sections are over 90 % of it",
            "table 2, seconds",
            nine_tenths(document),
            {
                "ARC2D": "the other four activities take more than a tenth",
                "MDG": "the other four activities take more than a tenth",
            },
        ),
        Statement(
            "concurrent page faults take more time than sequential ones",
            "table 2, seconds",
            dearer_together(document),
        ),
    ]
