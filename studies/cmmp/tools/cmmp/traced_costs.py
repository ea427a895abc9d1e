# SPDX-License-Identifier: MIT
"""What a traced boot of the rootfinder says of table 4.1's last two rows, which no program can see: how long
P takes until its process's processor is given to another, and how long policy processes are busy for a
process that they wake. Times are nanoseconds, without what the tracer's own records take."""

import base64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from cmmp import theory
from parley_runner.status import BadRequest
from parley_runner.trace_command import Kept
from parley_trace import cost
from parley_trace.cost import Price
from parley_trace.reading import Record

JOB = 1  # number + 1 of the only one
SWITCH, POLICY = "P until the switch", "in policy processes"
WRITTEN = 2  # records between the call of P and the switch: its own, and that its process blocks


@dataclass
class Stage:
    """The Vs of one stage: who found the interval wakes all others."""

    began: float
    wanted: set[int]  # processes whose V has come, and that were not woken yet
    woken: list[Record] = field(default_factory=list)


def switches(records: Iterable[Record], price: Price) -> list[float]:
    """Of each P whose process gave its processor away: until the switch."""
    found, called, leaving = [], {}, {}
    for record in records:
        if record.event == "switch":
            since = leaving.pop(record.processor, None)
            if since is not None:
                found.append(record.ns - since - WRITTEN * price.record)
        elif record.job == JOB and record.event == "P":
            called[record.process] = record.ns
        elif record.job == JOB and record.event == "block" and record.process in called:
            leaving[record.processor] = called.pop(record.process)
        elif record.job == JOB and record.event == "V":
            called.pop(record.process, None)
    return found


def wakes(records: Iterable[Record], nodes: int) -> list[list[Record]]:
    """The Vs of each whole stage, which one process does one after the other, of each other's semaphore. One
    of its own does not count, as it does before the first stage."""
    found: list[list[Record]] = []
    for record in records:
        if record.job != JOB or record.event != "V" or record.type == record.process:
            continue
        last = found[-1] if found else []
        if not last or last[0].process != record.process or record.type in (one.type for one in last):
            found.append([])
        found[-1].append(record)
    return [group for group in found if len(group) == nodes - 1]


def stages(records: Sequence[Record], nodes: int) -> list[Stage]:
    """With those who had waited already when their V came: only these are woken."""
    found: list[Stage] = []
    stage_of = {id(one): group[0].ns for group in wakes(records, nodes) for one in group}
    for record in records:
        if (began := stage_of.get(id(record))) is not None:
            if not found or found[-1].began != began:
                found.append(Stage(began, set()))
            found[-1].wanted.add(record.type)
        elif record.job == JOB and record.event == "wake" and found and record.process in found[-1].wanted:
            found[-1].wanted.remove(record.process)
            found[-1].woken.append(record)
    return found


def idle(records: Iterable[Record], nodes: int) -> dict[int, list[tuple[float, float]]]:
    """Of each policy process: from when it blocks until another process has a request for it. What wakes it
    without being a process is a timer, so it had slept until a disk was ready."""
    found: dict[int, list[tuple[float, float]]] = {}
    blocked: dict[int, float] = {}
    for record in records:
        if record.job != JOB or record.process < nodes:
            continue
        own = found.setdefault(record.process, [])
        if record.event == "block":
            blocked[record.process] = record.ns
        elif record.event == "wake":
            since = blocked.pop(record.process, None)
            if since is not None and record.peer is not None:
                own.append((since, record.ns))
    for process, since in blocked.items():
        found[process].append((since, float("inf")))
    return found


def busy(between: tuple[float, float], idle_times: Sequence[tuple[float, float]]) -> float:
    begin, end = between
    rest = sum(max(0.0, min(end, until) - max(begin, since)) for since, until in idle_times)
    return end - begin - rest


def in_policy_processes(records: Sequence[Record], own: Sequence[Stage], nodes: int) -> list[float]:
    """Of each of these stages, for each process that was woken in it: from its first V until the last of them
    was."""
    found, idle_times = [], idle(records, nodes)
    for stage in own:
        if any(record.peer is not None and record.peer >= nodes for record in stage.woken):
            between = (stage.began, stage.woken[-1].ns)
            whole = sum(busy(between, times) for times in idle_times.values())
            found.append(whole / len(stage.woken))
        elif stage.woken:
            found.append(0.0)
    return found


def trace_of(record: dict) -> Kept:
    """BadRequest: some of its records found no room, so that what is missing is not known."""
    kept = Kept("a traced boot's record", base64.b64decode(record["trace"]))
    if kept.trace.lost:
        raise BadRequest(f"A traced boot does not tell all: {kept.trace.lost_records()}.")
    return kept


def of(record: dict) -> dict[str, list[float]]:
    """Without the first root, for which pages are written that starting has dirtied."""
    nodes, kept = record["nodes"], trace_of(record)
    records, price = kept.trace.records, cost.price(kept.jobs)
    later = stages(records, nodes)[theory.stages(nodes) :]
    if not later:
        raise BadRequest("A traced boot has no stage of a second root.")
    since = [one for one in records if one.ns >= later[0].began]
    return {SWITCH: switches(since, price), POLICY: in_policy_processes(records, later, nodes)}
