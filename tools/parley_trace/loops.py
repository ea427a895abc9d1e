# SPDX-License-Identifier: MIT
"""Where the time of a program with parallel loops went: what each of its threads spent on serial code, the
loops' iterations, setting loops up, picking iterations up, barriers and waits, and by the formulas of the
study of Cedar (loop_formulas.py) how many processors its loops kept busy.

A thread has written down what it does from then on, and at the program's end how its time adds up: these sums
count where there are any, for they are whole also where records were lost. What it takes to write one thing
down was measured then, too, and is taken out of each thread's sums as often as it wrote something down; that
one waits for a thread that is late by that remains. A processor is active while its thread does not wait.

Of a program that has Cedar's loops alone it is known which loop an activity is of, so its times are taken as
the study takes them: a cluster's first thread is active whatever it does, as its processor spins, and a
cluster is in parallel loops while its first thread is in a loop of the cluster, be it a CDOALL, its part of
an XDOALL, with the pick-ups there, or a loop that the cluster has alone. What is between clusters, set-up,
pick-ups of an SDOALL and the finish barrier, is in none."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field

from . import loop_formulas, reading
from .naming import Names

SCHEMA = "parley-loops 1"
WAITING = ("barrier", "turn-wait", "work-wait")
IN_CLUSTER = ("cdoall-within", "one-cluster", "xdoall-within")
HEADS = ("serial", "loops", "set-up", "pick-up", "barrier", "turn", "wait")


@dataclass
class Thread:
    number: int  # among those of its process; 0: the main one
    outer: int = 0  # its number in the outermost team, which is its cluster's where teams are nested
    inner: int = 0  # in the team within that
    # (of which loop, activity) -> time
    parts: dict[tuple[str, str], float] = field(default_factory=dict)
    events: Counter = field(default_factory=Counter)
    noted: Counter = field(default_factory=Counter)  # how often, by the same; of sums
    watching: float = 0.0  # what that took, in ns, which is in no part
    in_vain: int = 0  # pick-ups that found nothing more
    posted: int = 0  # loops and regions that it made known

    @property
    def ns(self) -> dict[str, float]:
        found = dict.fromkeys(reading.ACTIVITIES, 0.0)
        for (_, activity), ns in self.parts.items():
            found[activity] += ns
        return found

    def spent(self, parts: tuple[str, ...], activities: tuple[str, ...] = reading.ACTIVITIES) -> float:
        return sum(
            ns for (part, activity), ns in self.parts.items() if part in parts and activity in activities
        )

    @property
    def life(self) -> float:
        return sum(self.parts.values())

    def take_out(self, price: float) -> None:
        """Of each part, as often as it has begun; of what is shorter than that, all."""
        for what, ns in self.parts.items():
            taken = min(ns, price * self.noted[what])
            self.parts[what] -= taken
            self.watching += taken

    @property
    def active(self) -> float:
        return sum(ns for activity, ns in self.ns.items() if activity not in WAITING)


@dataclass
class Cluster:
    number: int
    threads: list[Thread]

    @property
    def main(self) -> Thread:
        return min(self.threads, key=lambda thread: (thread.inner, thread.number))

    @property
    def is_cedars(self) -> bool:
        """All of its loops are."""
        return any(part in IN_CLUSTER for part, _ in self.main.parts) and not self.main.spent(
            ("other",), ("iterations", "pick-up")
        )

    @property
    def spread(self) -> float:
        """Its time in loops that are spread over all clusters; of Cedar's."""
        return self.main.spent(("cdoall-within", "xdoall-within")) + self.main.spent(
            ("sdoall", "xdoall"), ("iterations",)
        )

    @property
    def alone(self) -> float:
        """Its time in loops that it has alone; of Cedar's."""
        return self.main.spent(("one-cluster",))

    def average(self, completion: float) -> float:
        """How many of its processors were active, over the whole program."""
        if self.is_cedars:
            others = [thread for thread in self.threads if thread is not self.main]
            idle = self.main.spent(IN_CLUSTER, WAITING)
            return (completion - idle + sum(thread.active for thread in others)) / completion
        return sum(thread.active for thread in self.threads) / completion

    def loop_concurrency(self, completion: float) -> float | None:
        """How many were, while it ran parallel loops; none: it ran none. Its first thread counts as active
        while it waits for a loop, as Cedar's did, which spun; so whoever came later counts as waiting
        before."""
        if self.is_cedars:
            return loop_formulas.loop_concurrency(
                self.average(completion), completion, self.spread + self.alone
            )
        waits = self.main.ns["work-wait"] + max(completion - self.main.life, 0.0)
        loops = completion - self.main.ns["serial"] - waits
        if loops <= 0:
            return None
        average = self.average(completion) + waits / completion
        return loop_formulas.loop_concurrency(average, completion, loops)


@dataclass
class Process:
    job: int
    endpoint: int
    threads: list[Thread]
    whole: bool  # the sums were written down, so they hold whatever was lost
    price: float | None = None  # ns, of one thing that a thread writes down; none: it was not measured

    @property
    def main(self) -> Thread:
        return self.threads[0]

    @property
    def completion(self) -> float:
        return self.main.life

    @property
    def clusters(self) -> list[Cluster]:
        """A thread of the outermost team with the team that it has led; where no team is within another, all
        threads. What has been in the outermost team alone, beside clusters, is in none of them."""
        numbers = sorted({thread.outer for thread in self.threads if thread.inner})
        if not numbers:
            return [Cluster(0, self.threads)]
        return [Cluster(n, [thread for thread in self.threads if thread.outer == n]) for n in numbers]

    @property
    def is_cedars(self) -> bool:
        return all(cluster.is_cedars for cluster in self.clusters)

    @property
    def average(self) -> float:
        clusters = self.clusters
        if self.is_cedars:
            return sum(cluster.average(self.completion) for cluster in clusters)
        return sum(thread.active for thread in self.threads) / self.completion


@dataclass(frozen=True)
class Contention:
    """What loops would have taken without it, by the study's formula, and what it takes; times in ns."""

    actual: float
    ideal: float
    percent: float  # of the completion time


def contention(process: Process, alone_spread: float, alone_own: float) -> Contention | None:
    """From the times on one processor of the loops that are spread over all clusters, and of those of the
    main one alone. None: the program has other loops than Cedar's."""
    if not process.is_cedars:
        return None
    concurrency = [cluster.loop_concurrency(process.completion) or 1.0 for cluster in process.clusters]
    main = process.clusters[0]
    ideal = loop_formulas.ideal_time(alone_own, alone_spread, concurrency)
    actual = main.spread + main.alone
    return Contention(actual, ideal, loop_formulas.contention(actual, ideal, process.completion))


def processes(trace: reading.Trace) -> list[Process]:
    """Those that had loops, and some time for them: one may have been ended at its first event."""
    own: dict[tuple, list[reading.Record]] = {}
    ends: dict[tuple, float] = {}
    for record in trace.records:
        who = (record.job, record.process)
        if record.event in reading.ACTIVITIES or record.event in reading.AT_THE_END:
            own.setdefault(who, []).append(record)
        if record.event in ("ended", *reading.ACTIVITIES, *reading.AT_THE_END):
            ends[who] = record.ns
    found = [process_of(who, records, ends[who], trace.hertz) for who, records in sorted(own.items())]
    return [process for process in found if process.completion > 0]


def part_of(number: int) -> str:
    return reading.LOOP_PARTS[number] if number < len(reading.LOOP_PARTS) else "other"


def add(thread: Thread, record: reading.Record, end: float) -> None:
    """What it has done from then on lasted until the end."""
    what = part_of(record.type), record.event
    thread.parts[what] = thread.parts.get(what, 0.0) + end - record.ns


def process_of(who: tuple, records: list[reading.Record], end: float, hertz: int) -> Process:
    threads: dict[int, Thread] = {}
    last: dict[int, reading.Record] = {}
    spent: dict[int, dict[tuple[str, str], float]] = {}
    price = None
    for record in records:
        if record.event == "note-price":
            price = record.length * 1e9 / hertz / record.type if record.type else None
            continue
        thread = threads.setdefault(record.peer, Thread(record.peer))
        thread.outer, thread.inner = record.message & 0xFFFF, record.message >> 16
        if record.event in reading.AT_THE_END:
            what = part_of(record.type >> 8), reading.EVENTS.get(record.type & 0xFF, "")
            if what[1] not in reading.ACTIVITIES:
                continue
            if record.event == "noted":
                thread.noted[what] = record.length
            else:
                spent.setdefault(record.peer, {})[what] = record.length * 1e9 / hertz
            continue
        before = last.get(record.peer)
        if before is not None:
            add(thread, before, record.ns)
            thread.in_vain += before.event == "pick-up" and record.length == 0
        thread.events[record.event] += 1
        thread.posted += record.event == "set-up" and record.length > 0
        last[record.peer] = record
    for number, record in last.items():
        add(threads[number], record, end)
    for number, sums in spent.items():
        threads[number].parts = sums
        threads[number].take_out(price or 0.0)
    return Process(*who, [threads[number] for number in sorted(threads)], bool(spent), price)


def number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def table(process: Process, names: Names, lost: int) -> list[str]:
    completion = process.completion
    clusters = process.clusters
    lines = [
        f"{names.process(process.job, process.endpoint)}: {completion / 1e6:.3f} ms, of it "
        f"{(completion - process.main.ns['serial']) / 1e6:.3f} ms in parallel loops; "
        f"{number(process.average)} processors active on average"
    ]
    if lost and not process.whole:
        lines.append("Records were lost and the program did not end by itself: the numbers are too small.")
    elif lost:
        lines.append("Records were lost: times are the program's own sums, and counts are too small.")
    if process.whole and process.price is not None:
        watching = process.main.watching
        lines.append(
            f"Taken out: what writing this down took, {process.price:.0f} ns each time, "
            f"{100 * watching / (completion + watching):.2f} % of the main thread's time"
        )
    several = len(clusters) > 1
    for cluster in clusters:
        which = f"cluster {cluster.number}: " if several else ""
        lines.append(
            f"{which}{number(cluster.average(completion))} of {len(cluster.threads)} active on average, "
            f"{number(cluster.loop_concurrency(completion))} in parallel loops"
            + (
                f"; {cluster.spread / 1e6:.3f} ms in spread loops, {cluster.alone / 1e6:.3f} ms in its own"
                if cluster.is_cedars
                else ""
            )
        )
    head = ["thread", *HEADS, "all, ms", "loops posted", "pick-ups", "in vain"]
    rows = [head, *(row(thread, several, completion) for thread in process.threads)]
    widths = [max(len(cells[at]) for cells in rows) for at in range(len(head))]
    lines += ["  ".join(cell.rjust(width) for cell, width in zip(cells, widths)) for cells in rows]
    return lines


def row(thread: Thread, several: bool, completion: float) -> list[str]:
    name = f"{thread.outer}.{thread.inner}" if several else str(thread.number)
    order = ("serial", "iterations", "set-up", "pick-up", "barrier", "turn-wait", "work-wait")
    return [
        name,
        *(f"{100 * thread.ns[activity] / completion if completion else 0:.2f} %" for activity in order),
        f"{thread.life / 1e6:.3f}",
        *map(str, (thread.posted, thread.events["pick-up"], thread.in_vain)),
    ]


def told(trace: reading.Trace, names: Names, _=None, alone: dict | None = None) -> list[str]:
    """`alone`: of the run on one processor, as as_json() tells it."""
    lines = []
    for process in processes(trace):
        lines += [*table(process, names, trace.lost), *beside(process, alone), ""]
    return lines[:-1] or ["No program of this run has written down what it did with parallel loops."]


def beside(process: Process, alone: dict | None) -> list[str]:
    if alone is None:
        return []
    main = alone["clusters"][0]
    found = contention(process, main["spread_ns"], main["alone_ns"])
    if found is None:
        return ["It has other loops than Cedar's, so there is no number for contention."]
    return [
        f"speed-up {alone['completion_ns'] / process.completion:.2f}; loops took "
        f"{found.actual / 1e6:.3f} ms, ideally {found.ideal / 1e6:.3f} ms: "
        f"contention {found.percent:.1f} % of the completion time"
    ]


def alone_of(text: str) -> dict:
    """The one process of a run on one processor, from what as_json() has told of it; ValueError: it is
    something else."""
    told_of = [found for found in objects_in(text) if found.get("schema") == SCHEMA]
    if not told_of:
        raise ValueError("there is no JSON in it that tells of loops")
    try:
        processes_of_it = [process for found in told_of for process in found["processes"]]
        if len(processes_of_it) != 1:
            raise ValueError("it does not tell of the loops of one process")
        (process,) = processes_of_it
        if len(process["threads"]) != 1 or "spread_ns" not in process["clusters"][0]:
            raise ValueError("it is of no run of Cedar's loops on one processor")
    except (IndexError, KeyError, TypeError):
        raise ValueError("what it tells of loops is not as it was written") from None
    return process


def objects_in(text: str) -> Iterator[dict]:
    """Those of JSON, with anything around them: a program may print braces, or JSON of its own."""
    decoder, at = json.JSONDecoder(), text.find("{")
    while at >= 0:
        try:
            found, end = decoder.raw_decode(text, at)
            yield found
        except (ValueError, RecursionError):
            end = at + 1
        at = text.find("{", end)


def as_json(trace: reading.Trace, names: Names, alone: dict | None = None) -> str:
    def of_thread(thread: Thread) -> dict:
        return {
            **{key: getattr(thread, key) for key in ("number", "outer", "inner", "posted", "in_vain")},
            "pick_ups": thread.events["pick-up"],
            "watching_ns": round(thread.watching, 1),
            "ns": {activity.replace("-", "_"): round(ns, 1) for activity, ns in thread.ns.items()},
            "parts": {
                f"{part}/{activity}".replace("-", "_"): round(ns, 1)
                for (part, activity), ns in sorted(thread.parts.items())
                if part != "other"
            },
        }

    def of_cluster(cluster: Cluster, completion: float) -> dict:
        return {
            "number": cluster.number,
            "processors": len(cluster.threads),
            "average_concurrency": cluster.average(completion),
            "loop_concurrency": cluster.loop_concurrency(completion),
            **({"spread_ns": cluster.spread, "alone_ns": cluster.alone} if cluster.is_cedars else {}),
        }

    def of_contention(process: Process) -> dict:
        if alone is None:
            return {}
        main = alone["clusters"][0]
        found = contention(process, main["spread_ns"], main["alone_ns"])
        return {} if found is None else {"contention": asdict(found)}

    found = [
        {
            "process": names.process(process.job, process.endpoint),
            "completion_ns": round(process.completion, 1),
            "average_concurrency": process.average,
            "whole": process.whole,
            "note_ns": None if process.price is None else round(process.price, 1),
            **of_contention(process),
            "clusters": [of_cluster(cluster, process.completion) for cluster in process.clusters],
            "threads": [of_thread(thread) for thread in process.threads],
        }
        for process in processes(trace)
    ]
    return json.dumps({"schema": SCHEMA, "lost_records": trace.lost, "processes": found}, indent=1)
