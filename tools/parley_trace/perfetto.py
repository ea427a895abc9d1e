# SPDX-License-Identifier: MIT
"""Chrome's trace-event JSON, which Perfetto's viewer (ui.perfetto.dev) opens: a track for each process
with its waits and its computing, an arrow from each send to its receive, and a track for each processor
and each gang. Of a modelled machine each processor has two counters more: cache misses in a microsecond, and
which part of the time it waited for the bus."""

import json

from . import reading
from .memory import Counts
from .naming import Names

PROCESSORS, GANGS = 1000, 1001  # groups of tracks besides those of the jobs


def text(trace: reading.Trace, names: Names) -> str:
    events = [*tracks(trace, names), *slices(trace), *arrows(trace), *processors(trace, names), *gangs(trace)]
    events += memory(trace)
    about = {"source": "Parley", "clock_hertz": trace.hertz, "lost_records": trace.lost}
    if trace.machines > 1:
        about |= {"machines": trace.machines, "clock_doubt_ns": trace.doubt_ns, "missing": trace.missing}
    if trace.memory:
        about["memory_interval_us"] = trace.memory.length / 1e6
    return json.dumps({"displayTimeUnit": "ns", "otherData": about, "traceEvents": events}) + "\n"


def tracks(trace: reading.Trace, names: Names):
    for job, endpoint in trace.processes():
        yield named("process_name", job, 0, f"job {job - 1}")
        yield named("thread_name", job, endpoint, names.process(job, endpoint))


def named(what: str, group: int, track: int, name: str) -> dict:
    return {"ph": "M", "name": what, "pid": group, "tid": track, "args": {"name": name}}


def event(phase: str, record: reading.Record, name: str, **more) -> dict:
    return {
        "ph": phase,
        "name": name,
        "pid": record.job,
        "tid": record.process,
        "ts": record.ns / 1000,
        **more,
    }


def slices(trace: reading.Trace):
    """Waits, and between them what the process computes."""
    asleep = reading.blocked(trace.records)
    since = {}
    for record in trace.records:
        if record.event in ("switch", "send", "wait"):
            since.setdefault((record.job, record.process), record.ns)
    for begin, end in sorted(reading.waits(trace.records), key=lambda wait: wait[0].ns):
        who = (begin.job, begin.process)
        start = since.get(who, begin.ns)
        if begin.ns > start:
            yield {
                **event("X", begin, "compute", cat="compute"),
                "ts": start / 1000,
                "dur": (begin.ns - start) / 1000,
            }
        since[who] = end
        how = "blocked" if begin in asleep else "spinning"
        name = f"wait: {reading.REASONS[begin.message]}" if begin.message < len(reading.REASONS) else "wait"
        details = {
            "how": how,
            "type": reading.selector(begin.type),
            "bytes": begin.length,
            "node": begin.peer,
        }
        yield event("X", begin, name, cat=how, dur=(end - begin.ns) / 1000, args=details)
    for record in trace.records:
        start = since.get((record.job, record.process))
        if record.event == "ended" and start is not None and record.ns > start:
            yield {
                **event("X", record, "compute", cat="compute"),
                "ts": start / 1000,
                "dur": (record.ns - start) / 1000,
            }


def arrows(trace: reading.Trace):
    """A slice of no length for each event of a message, and a flow between send and receive."""
    for (job, sender, number), message in trace.messages().items():
        identity = f"{job}.{sender}.{number}"
        for record in (message.send, message.match, message.receive):
            if record is not None:
                details = {
                    "type": record.type,
                    "bytes": record.length,
                    "peer": record.peer,
                    "message": identity,
                }
                yield event("X", record, record.event, cat="message", dur=0, args=details)
        if message.send and message.receive:
            yield event("s", message.send, "message", cat="message", id=identity)
            yield event("f", message.receive, "message", cat="message", id=identity, bp="e")


def processors(trace: reading.Trace, names: Names):
    """Who had which processor."""
    running: dict[int, reading.Record] = {}
    yield named("process_name", PROCESSORS, 0, "processors")
    for record in trace.records:
        if record.event != "switch" or record.processor is None:
            continue
        before = running.get(record.processor)
        if before is not None and before.job:
            yield {
                "ph": "X",
                "name": names.process(before.job, before.process),
                "pid": PROCESSORS,
                "tid": before.processor,
                "ts": before.ns / 1000,
                "dur": (record.ns - before.ns) / 1000,
            }
        running[record.processor] = record


def memory(trace: reading.Trace):
    """A value lasts until the next: behind an interval that no other follows it is 0."""
    if trace.memory is None:
        return
    us = trace.memory.length / 1e6
    for number, processor in sorted(trace.memory.processors.items()):
        for at, counts in counted_and_not(processor.intervals):
            values = {
                "cache misses a us": {
                    "reads": counts.read_misses / us,
                    "writes": counts.write_misses / us,
                    "fetches": counts.fetch_misses / us,
                },
                "waits for the bus, %": {"part": counts.bus_waiting / us / 1e4},
            }
            for name, args in values.items():
                yield {
                    "ph": "C",
                    "name": f"processor {number}: {name}",
                    "pid": PROCESSORS,
                    "ts": trace.model_ns(at * trace.memory.length) / 1000,
                    "args": args,
                }


def counted_and_not(intervals: dict[int, Counts]):
    """In the order of time, each with what was counted in it, and the first of others behind them."""
    for at, counts in sorted(intervals.items()):
        yield at, counts
        if at + 1 not in intervals:
            yield at + 1, Counts()


def gangs(trace: reading.Trace):
    for record in trace.records:
        if record.event in ("scheduled", "begun", "collected", "freed"):
            details = {"members": record.length}
            name = f"gang {record.event}"
            yield {**event("i", record, name, s="p", args=details), "pid": GANGS, "tid": record.job}
