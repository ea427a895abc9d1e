# SPDX-License-Identifier: MIT
"""Figures 3.7 and 3.8: one stage of the rootfinder, from the trace of a boot on the modelled C.mmp. A row a
processor, with the symbols of table 3.7: who runs, P, V, context switches, and interrupts."""

from dataclasses import dataclass, field

from cmmp import traced_costs
from cmmp.modelled_boots import FIVE, MOST, NO_DEVICE, Cell, authentic
from parley_runner.trace_command import Kept
from parley_trace import reading

ROOTS = 1
NINE, POLICY = f"trace kernel {MOST}", f"trace policy-0 {FIVE}"


def boots() -> dict[str, Cell]:
    """Figure 3.7 is of interrupts: nine processes. Figure 3.8 of policy processes: five."""
    args = authentic(ROOTS)
    return {
        NINE: Cell("kernel", MOST, args, traced=True),
        POLICY: Cell("policy-0", FIVE, args, (NO_DEVICE,), traced=True),
    }


@dataclass(frozen=True)
class Run:
    """A process has a processor; in nanoseconds."""

    processor: int
    process: int
    begin: float
    end: float


@dataclass(frozen=True)
class Sign:
    """A symbol of table 3.7: P, V, CSW, [ or ]."""

    processor: int
    process: int | None  # None: no process
    at: float
    symbol: str
    about: str = ""  # whom a V is for, and who gets the processor


@dataclass
class Stage:
    """From the last post's first V until the first V of the next stage."""

    begin: float
    end: float
    processes: int  # of the program; those beyond are policy processes
    runs: list[Run] = field(default_factory=list)
    signs: list[Sign] = field(default_factory=list)
    woken: dict[int, float] = field(default_factory=dict)  # process -> from its V until it has a processor

    def name(self, process: int | None) -> str:
        """As the documents number processes: from 1."""
        if process is None:
            return "nobody"
        if process < self.processes:
            return f"process {process + 1}"
        return f"policy process {process - self.processes + 1}"

    def processors(self) -> list[int]:
        return sorted({run.processor for run in self.runs} | {sign.processor for sign in self.signs})


def stage_of(kept: Kept, processes: int) -> Stage:
    """The stage in the middle, or the one nearest to it that an interrupt meets."""
    trace = kept.trace
    stages = traced_costs.wakes(trace.records, processes)
    if len(stages) < 3:
        raise ValueError(f"a trace has {len(stages)} whole stages: {trace.lost_records()}")
    interrupts = [record.ns for record in trace.records if record.event == "interrupt"]
    whole = range(1, len(stages) - 1)
    met = [
        number
        for number in whole
        if any(stages[number][0].ns <= at < stages[number + 1][0].ns for at in interrupts)
    ]
    middle = min(met or whole, key=lambda number: abs(number - len(stages) // 2))
    made = Stage(stages[middle][0].ns, stages[middle + 1][0].ns, processes)
    made.runs = list(runs(trace, made))
    made.signs = list(signs(trace, made))
    made.woken = woken(trace, stages[middle])
    return made


def runs(trace: reading.Trace, shown: Stage):
    """What lies in the stage of each time that a process has a processor."""
    has: dict[int, tuple[int, float]] = {}
    for record, processor in zip(trace.records, reading.placed(trace.records)):
        if processor is None or record.event not in ("switch", "block", "ended"):
            continue
        if processor in has:
            process, since = has.pop(processor)
            begin, end = max(since, shown.begin), min(record.ns, shown.end)
            if begin < end:
                yield Run(processor, process, begin, end)
        if record.event == "switch" and record.job:
            has[processor] = (record.process, record.ns)
    for processor, (process, since) in has.items():
        if since < shown.end:
            yield Run(processor, process, max(since, shown.begin), shown.end)


def signs(trace: reading.Trace, shown: Stage):
    """A context switch counts for who loses the processor or, where nobody had it, for who gets it."""
    owner: dict[int, int | None] = {}
    for record, processor in zip(trace.records, reading.placed(trace.records)):
        if processor is None:
            continue
        inside = shown.begin <= record.ns <= shown.end
        if record.event == "switch":
            to = record.process if record.job else None
            if inside:
                lost = owner.get(processor)
                whose = lost if lost is not None else to
                yield Sign(processor, whose, record.ns, "CSW", f"to {shown.name(to)}")
            owner[processor] = to
        elif inside and record.event in ("P", "V"):
            about = f"of semaphore {record.type}"
            yield Sign(processor, record.process, record.ns, record.event, about)
        elif inside and record.event in reading.INTERRUPTS:
            symbol = "[" if record.event == "interrupt" else "]"
            yield Sign(processor, owner.get(processor), record.ns, symbol)


def services(shown: Stage) -> list[tuple[float, float, int]]:
    """Each service routine's begin, its end, and its processor."""
    found, since = [], {}
    for sign in sorted(shown.signs, key=lambda sign: sign.at):
        if sign.symbol == "[":
            since[sign.processor] = sign.at
        elif sign.symbol == "]":
            found.append((since.pop(sign.processor, shown.begin), sign.at, sign.processor))
    return found + [(begin, shown.end, processor) for processor, begin in since.items()]


def woken(trace: reading.Trace, given: list[reading.Record]) -> dict[int, float]:
    """Semaphores have the numbers of the processes that wait for them."""
    found: dict[int, float] = {}
    for one in given:
        for record in trace.records:
            if record.event == "switch" and record.job and record.process == one.type and record.ns > one.ns:
                found[one.type] = record.ns - one.ns
                break
    return found


def wake_ups(shown: Stage) -> str:
    """A sentence of what figure 3.8 is about."""
    after = sorted(shown.woken.values())
    return (
        f"From its V until a process has a processor, the soonest {after[0] / 1e6:.1f} ms, the latest"
        f" {after[-1] / 1e6:.1f}."
    )


def lines(shown: Stage) -> list[list[str]]:
    """A row of a table for each symbol: milliseconds, processor, process, symbol, and about what."""
    return [
        [
            f"{(sign.at - shown.begin) / 1e6:.3f}",
            str(sign.processor),
            shown.name(sign.process),
            sign.symbol,
            sign.about,
        ]
        for sign in sorted(shown.signs, key=lambda sign: sign.at)
    ]
