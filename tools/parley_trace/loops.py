# SPDX-License-Identifier: MIT
"""Where the time of a program with parallel loops went: what each of its threads spent on serial code, the
loops' iterations, setting loops up, picking iterations up, barriers and waits, and by the formulas of the
study of Cedar (loop_formulas.py) how many processors its loops kept busy.

A thread has written down what it does from then on, and at the program's end how its time adds up: these sums
count where there are any, for they are whole also where records were lost. A processor is active while its
thread does not wait."""

import json
from collections import Counter
from dataclasses import dataclass, field

from . import loop_formulas, reading
from .naming import Names

SCHEMA = "parley-loops 1"
WAITING = ("barrier", "turn-wait", "work-wait")
HEADS = ("serial", "loops", "set-up", "pick-up", "barrier", "turn", "wait")


@dataclass
class Thread:
    number: int  # among those of its process; 0: the main one
    outer: int = 0  # its number in the outermost team, which is its cluster's where teams are nested
    inner: int = 0  # in the team within that
    ns: dict[str, float] = field(default_factory=lambda: dict.fromkeys(reading.ACTIVITIES, 0.0))
    events: Counter = field(default_factory=Counter)
    in_vain: int = 0  # pick-ups that found nothing more
    posted: int = 0  # loops and regions that it made known

    @property
    def life(self) -> float:
        return sum(self.ns.values())

    @property
    def active(self) -> float:
        return sum(ns for activity, ns in self.ns.items() if activity not in WAITING)

    @property
    def outside(self) -> float:
        """Of a cluster's first thread: of the time outside of loops."""
        return self.ns["serial"] + self.ns["work-wait"]


@dataclass
class Cluster:
    number: int
    threads: list[Thread]

    @property
    def main(self) -> Thread:
        return min(self.threads, key=lambda thread: (thread.inner, thread.number))

    def average(self, completion: float) -> float:
        """How many of its processors were active, over the whole program."""
        return sum(thread.active for thread in self.threads) / completion

    def loop_concurrency(self, completion: float) -> float | None:
        """How many were, while it ran parallel loops; none: it ran none. Its first thread counts as active
        while it waits for a loop, as Cedar's did, which spun; so whoever came later counts as waiting
        before."""
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
    def average(self) -> float:
        return sum(thread.active for thread in self.threads) / self.completion


def processes(trace: reading.Trace) -> list[Process]:
    """Those that had loops, and some time for them: one may have been ended at its first event."""
    own: dict[tuple, list[reading.Record]] = {}
    ends: dict[tuple, float] = {}
    for record in trace.records:
        who = (record.job, record.process)
        if record.event in reading.ACTIVITIES or record.event == "spent":
            own.setdefault(who, []).append(record)
        if record.event in ("ended", *reading.ACTIVITIES, "spent"):
            ends[who] = record.ns
    found = [process_of(who, records, ends[who], trace.hertz) for who, records in sorted(own.items())]
    return [process for process in found if process.completion > 0]


def process_of(who: tuple, records: list[reading.Record], end: float, hertz: int) -> Process:
    threads: dict[int, Thread] = {}
    last: dict[int, reading.Record] = {}
    spent: dict[int, dict[str, float]] = {}
    for record in records:
        thread = threads.setdefault(record.peer, Thread(record.peer))
        thread.outer, thread.inner = record.message & 0xFFFF, record.message >> 16
        if record.event == "spent":
            what = reading.EVENTS.get(record.type, "")
            if what in reading.ACTIVITIES:
                spent.setdefault(record.peer, {})[what] = record.length * 1e9 / hertz
            continue
        before = last.get(record.peer)
        if before is not None:
            thread.ns[before.event] += record.ns - before.ns
            thread.in_vain += before.event == "pick-up" and record.length == 0
        thread.events[record.event] += 1
        thread.posted += record.event == "set-up" and record.length > 0
        last[record.peer] = record
    for number, record in last.items():
        threads[number].ns[record.event] += end - record.ns
    for number, sums in spent.items():
        threads[number].ns = dict.fromkeys(reading.ACTIVITIES, 0.0) | sums
    return Process(*who, [threads[number] for number in sorted(threads)], bool(spent))


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
    several = len(clusters) > 1
    for cluster in clusters:
        which = f"cluster {cluster.number}: " if several else ""
        lines.append(
            f"{which}{number(cluster.average(completion))} of {len(cluster.threads)} active on average, "
            f"{number(cluster.loop_concurrency(completion))} in parallel loops"
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


def told(trace: reading.Trace, names: Names, _=None) -> list[str]:
    lines = []
    for process in processes(trace):
        lines += [*table(process, names, trace.lost), ""]
    return lines[:-1] or ["No program of this run has written down what it did with parallel loops."]


def as_json(trace: reading.Trace, names: Names) -> str:
    def of_thread(thread: Thread) -> dict:
        return {
            **{key: getattr(thread, key) for key in ("number", "outer", "inner", "posted", "in_vain")},
            "pick_ups": thread.events["pick-up"],
            "ns": {activity.replace("-", "_"): round(ns, 1) for activity, ns in thread.ns.items()},
        }

    def of_cluster(cluster: Cluster, completion: float) -> dict:
        return {
            "number": cluster.number,
            "processors": len(cluster.threads),
            "average_concurrency": cluster.average(completion),
            "loop_concurrency": cluster.loop_concurrency(completion),
        }

    found = [
        {
            "process": names.process(process.job, process.endpoint),
            "completion_ns": round(process.completion, 1),
            "average_concurrency": process.average,
            "whole": process.whole,
            "clusters": [of_cluster(cluster, process.completion) for cluster in process.clusters],
            "threads": [of_thread(thread) for thread in process.threads],
        }
        for process in processes(trace)
    ]
    return json.dumps({"schema": SCHEMA, "lost_records": trace.lost, "processes": found}, indent=1)
