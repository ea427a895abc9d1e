# SPDX-License-Identifier: MIT
"""Q=1: where the processors' time went while a job ran, cluster by cluster, as an accounting kernel has told
it apart: a program's own, the system's, that of interrupts, and that of spinning for the kernel's locks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# As base/activity.hpp has them, in its order.
ACTIVITIES = (
    *("user", "call", "fault", "shared_fault", "exception", "critical", "lock_wait", "switching"),
    *("cross_interrupt", "tick", "kernel", "idle"),
)
SYSTEM = ("call", "fault", "shared_fault", "exception", "critical", "switching", "kernel")
INTERRUPT = ("cross_interrupt", "tick")
# What the system does, in the words and the order of the study of Cedar where it has them.
DETAILS = {
    "cross_interrupt": "cross-processor interrupts",
    "switching": "context switches",
    "shared_fault": "concurrent page faults",
    "fault": "sequential page faults",
    "critical": "critical sections",
    "call": "system calls",
    "exception": "other traps",
    "tick": "clock and devices",
    "lock_wait": "waiting for locks",
    "kernel": "the kernel's own processes",
}
UNKNOWN = "(not known)"
MOST_WAITS = 8  # rows of the table; a record has all


@dataclass(frozen=True)
class Cluster:
    """One cluster's processors while a job ran; times in ns, summed over them."""

    number: int
    processors: int
    elapsed: float  # from the job's start to its end
    ns: Mapping[str, float]
    times: Mapping[str, int]

    @property
    def user(self) -> float:
        return self.ns["user"]

    @property
    def system(self) -> float:
        return sum(self.ns[name] for name in SYSTEM)

    @property
    def interrupt(self) -> float:
        return sum(self.ns[name] for name in INTERRUPT)

    @property
    def spin(self) -> float:
        return self.ns["lock_wait"]

    @property
    def concurrency(self) -> float:
        """How many of its processors did something, on average."""
        return (self.user + self.system + self.interrupt + self.spin) / self.elapsed if self.elapsed else 0.0


def of_fields(fields: Mapping[str, str]) -> dict:
    """A record's entry, from the lines of a frame; ValueError: it is of another kernel."""
    numbers = {name: int(fields[name]) for name in ("job", "cluster", "processors", "elapsed", "clock_hertz")}
    cycles, times = (list(map(int, fields[name].split())) for name in ("cycles", "times"))
    to_ns = 1e9 / max(numbers.pop("clock_hertz"), 1)
    return {
        **numbers,
        "elapsed": round(numbers["elapsed"] * to_ns, 1),
        "ns": {name: round(n * to_ns, 1) for name, n in zip(ACTIVITIES, cycles, strict=True)},
        "times": dict(zip(ACTIVITIES, times, strict=True)),
    }


def lock_wait_of_fields(fields: Mapping[str, str]) -> dict:
    """A record's entry: what was waited for the kernel's spin locks at one site of its text."""
    return {
        "job": int(fields["job"]),
        "times": int(fields["times"]),
        "ns": round(int(fields["cycles"]) * 1e9 / max(int(fields["clock_hertz"]), 1), 1),
        "waiter": fields["waiter"],
    }


def clusters(entries: Sequence[Mapping], job: int) -> list[Cluster]:
    """Of a job, from a record's `accounts`."""
    return [
        Cluster(entry["cluster"], entry["processors"], entry["elapsed"], entry["ns"], entry["times"])
        for entry in entries
        if entry["job"] == job
    ]


def percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.2f}" if whole else "-"


def laid_out(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return ["  ".join(cell.rjust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]


def table(entries: Sequence[Mapping], job: int, name: str) -> list[str]:
    found = clusters(entries, job)
    if not found:
        return []
    elapsed = found[0].elapsed
    head = ["cluster", "processors", "active", "user, %", "system, %", "interrupt, %", "lock spin, %"]
    rows = [head]
    for one in found:
        whole = one.elapsed * one.processors
        parts = (one.user, one.system, one.interrupt, one.spin)
        rows.append(
            [str(one.number), str(one.processors), f"{one.concurrency:.2f}"]
            + [percent(part, whole) for part in parts]
        )
    details = [["", "times", "us", "of all processors' time, %"]]
    all_time = sum(one.elapsed * one.processors for one in found)
    for activity, words in DETAILS.items():
        spent = sum(one.ns[activity] for one in found)
        times = sum(one.times[activity] for one in found)
        if spent or times:
            often = str(times) if times else "-"
            details.append([words, often, f"{spent / 1000:.1f}", percent(spent, all_time)])
    return [
        f"What processors did in the {elapsed / 1e6:.3f} ms of {name}, in percent of their time",
        *laid_out(rows),
        "",
        *laid_out(details),
    ]


def lock_table(entries: Sequence[Mapping], job: int) -> list[str]:
    """The functions of the kernel that waited for its spin locks; the longest first."""
    spent: dict[str, float] = {}
    times: dict[str, int] = {}
    for entry in entries:
        if entry["job"] == job:
            name = entry["waiter"] or UNKNOWN
            spent[name] = spent.get(name, 0) + entry["ns"]
            times[name] = times.get(name, 0) + entry["times"]
    if not spent:
        return []
    rows = [["waits for spin locks in", "times", "us"]]
    for name in sorted(spent, key=lambda name: (-spent[name], name))[:MOST_WAITS]:
        rows.append([name, str(times[name]), f"{spent[name] / 1000:.1f}"])
    return laid_out(rows)
