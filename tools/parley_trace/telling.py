# SPDX-License-Identifier: MIT
"""A trace as text: dumps by process and by processor, the time-line of every processor, and statistics. Those
are the outputs of Hydra's tracer (Oleinick, 1978), with the symbols of its time-lines where there is such an
event here: PROCESS, - CSW -, EVENT, P, V, [ and ] around an interrupt, and nothing where a processor is
idle."""

import math
from collections import Counter, defaultdict
from statistics import quantiles

from . import reading
from .naming import Names

CELL = 26  # a processor's column
WAITS = ("barrier", "turn-wait", "work-wait")  # of threads with loops


def microseconds(ns: float) -> str:
    return f"{ns / 1000:14.3f}"


def origin_of(trace: reading.Trace) -> float:
    """As in pictures: the first message, or where there is none the first record."""
    messages = [record.ns for record in trace.records if record.event in reading.MESSAGE_EVENTS]
    return min(messages or [record.ns for record in trace.records], default=0.0)


def part_of(trace: reading.Trace, window: tuple[float, float] | None) -> list[reading.Record]:
    """window: microseconds from the first message on; None: all"""
    if window is None:
        return trace.records
    start = origin_of(trace)
    return [r for r in trace.records if window[0] * 1000 <= r.ns - start < window[1] * 1000]


def described(record: reading.Record, names: Names) -> str:
    """One line: what happened, with everything that the record says of it."""
    event = record.event
    if event in reading.ACTIVITIES:
        about = f", {record.length} iterations" if record.length else ""
        return f"{event:<9} thread {record.peer}{about}"
    if event == "spent":
        what = reading.EVENTS.get(record.type & 0xFF, "something else")
        return f"{event:<9} thread {record.peer}, {record.length} cycles: {what}"
    if event == "noted":
        what = reading.EVENTS.get(record.type & 0xFF, "something else")
        return f"{event:<9} thread {record.peer}, {record.length} times: {what}"
    if event == "note-price":
        return f"{record.type} notes of what a thread does take {record.length} cycles"
    peer = "" if record.peer is None else names.process(record.job, record.peer)
    if event in reading.MESSAGE_EVENTS:
        way = "to" if event == "send" else "from"
        return f"{event:<9} type {record.type}, {record.length} bytes, {way} {peer}, message {record.message}"
    if event == "wait":
        reason = reading.reason(record)
        about = "" if reason in ("budget", "lent") else f", type {reading.selector(record.type)}"
        whose = "" if record.peer is None else f", node {record.peer}"
        return f"wait      for: {reason}{about}{whose}"
    if event == "wake" and peer:
        return f"wake      by {peer}"
    if event == "event":
        return f"event     {reading.selector(record.type)}, value {reading.signed(record.length)}"
    if event in ("scheduled", "begun", "collected", "freed"):
        return f"gang {event}, {record.length} members"
    return event


def by_process(trace: reading.Trace, names: Names, window=None) -> list[str]:
    found = defaultdict(list)
    for record in part_of(trace, window):
        if record.job and record.event not in ("scheduled", "begun", "collected", "freed"):
            found[record.job, record.process].append(record)
    start, lines = origin_of(trace), []
    for who in sorted(found):
        lines += [names.process(*who), f"{'time, us':>14}  event"]
        lines += [f"{microseconds(r.ns - start)}  {described(r, names)}" for r in found[who]]
        lines.append("")
    return lines[:-1]


def by_processor(trace: reading.Trace, names: Names, window=None) -> list[str]:
    placed, found = reading.placed(trace.records), defaultdict(list)
    shown = set(map(id, part_of(trace, window)))
    for record, processor in zip(trace.records, placed):
        if id(record) in shown:
            found[processor].append(record)
    start, lines = origin_of(trace), []
    for processor in sorted(found, key=lambda number: (number is None, number)):
        lines.append("processor not known" if processor is None else f"processor {processor}")
        width = max(len(who(record, names)) for record in found[processor])
        lines.append(f"{'time, us':>14}  {'process':<{width}}  event")
        lines += [
            f"{microseconds(r.ns - start)}  {who(r, names):<{width}}  {described(r, names)}"
            for r in found[processor]
        ]
        lines.append("")
    return lines[:-1]


def who(record: reading.Record, names: Names) -> str:
    return names.process(record.job, record.process) if record.job else "kernel"


def symbols(record: reading.Record, names: Names) -> list[str]:
    """What a time-line shows of an event, each in a line of its own."""
    if record.event in reading.ACTIVITIES:
        count = f" {record.length}" if record.length else ""
        return [f"{record.event.upper()}{count} ({record.peer})"]
    peer = "" if record.peer is None else names.process(record.job, record.peer)
    match record.event:
        case "switch":
            return ["- CSW -", f"PROCESS {who(record, names)}"] if record.job else ["- CSW -"]
        case "send":
            return [f"SEND {record.type} > {peer}"]
        case "receive":
            return [f"RECEIVE {record.type} < {peer}"]
        case "spent" | "noted" | "note-price":
            return []
        case "match":
            return []  # with the receive, or the send, that comes next
        case "event":
            return [f"EVENT {reading.selector(record.type)}"]
        case "P" | "V":
            return [f"{record.event} {record.type}"]
        case "interrupt":
            return ["["]
        case "returned":
            return ["]"]
        case "wait" | "resume" | "block":
            return [record.event.upper()]
        case "ended":
            return ["END"]
        case "wake":
            return [f"WAKE {who(record, names)}"]
    return [f"GANG {record.event.upper()}"]


def time_line(trace: reading.Trace, names: Names, window=None) -> list[str]:
    """A column a processor, a line an event: | a process runs, : it waits and spins, nothing: idle."""
    placed = reading.placed(trace.records)
    processors = sorted({number for number in placed if number is not None})
    shown, start = set(map(id, part_of(trace, window))), origin_of(trace)
    lines = [f"{'time, us':>14}  " + "".join(f"processor {n}".ljust(CELL) for n in processors).rstrip()]
    state = dict.fromkeys(processors, " ")
    for record, processor in zip(trace.records, placed):
        if processor is None:
            continue
        for text in symbols(record, names) if id(record) in shown else []:
            cells = [text[: CELL - 2] if n == processor else state[n] for n in processors]
            line = "".join(cell.ljust(CELL) for cell in cells).rstrip()
            lines.append(f"{microseconds(record.ns - start)}  {line}")
        state[processor] = state_after(record, state[processor])
    return lines


def state_after(record: reading.Record, state: str) -> str:
    if record.event == "switch":
        return "|" if record.job else " "
    if record.event == "ended":
        return " "
    if record.event in ("wake", *reading.INTERRUPTS, *reading.AT_THE_END):  # not of who runs here
        return state
    if record.event in reading.ACTIVITIES:
        return ":" if record.event in WAITS else "|"
    return ":" if record.event == "wait" else "|" if record.event != "block" else " "


def spread(values: list[float]) -> str:
    """In microseconds."""
    lower, middle, upper = quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3
    return (
        f"{len(values):8}  {min(values) / 1000:10.3f}  {lower / 1000:10.3f}  {middle / 1000:10.3f}  "
        f"{upper / 1000:10.3f}  {max(values) / 1000:10.3f}  {sum(values) / 1000:12.3f}"
    )


def lined_up(rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(cell.rjust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]


def statistics(trace: reading.Trace, names: Names, window=None) -> list[str]:
    """What was counted of each process, and how long messages, waits and the time between events were."""
    part = part_of(trace, window)
    durations: dict[tuple[int, str], list[float]] = defaultdict(list)
    for message in reading.messages_of(part).values():
        if message.send and message.receive:
            durations[0, "messages, send to receive"].append(message.receive.ns - message.send.ns)
    for begin, end in reading.waits(part):
        durations[1, f"waits of {names.process(begin.job, begin.process)}"].append(end - begin.ns)
    for key, gaps in reading.event_gaps(part).items():
        durations[2, f"event {key[0]} to {key[1]}, same process"] = gaps
    events = [event for event in reading.EVENTS.values() if any(r.event == event for r in part)]
    counts, volume = defaultdict(Counter), Counter()
    for record in part:
        if record.job:
            counts[record.job, record.process][record.event] += 1
            volume[record.job, record.process] += record.length if record.event == "send" else 0
    rows = [["", *events, "bytes sent"]]
    rows += [
        [names.process(*key), *(str(counts[key][event]) for event in events), str(volume[key])]
        for key in sorted(counts)
    ]
    lines = ["Events", *lined_up(rows), ""]
    width = max((len(name) for _, name in durations), default=0)
    heads = "".join(f"  {name:>10}" for name in ("least", "quarter", "median", "3 quarters", "most"))
    lines.append(f"{'Durations, us':<{width}}     count{heads}  {'sum':>12}")
    lines += [f"{name:<{width}}  {spread(durations[at, name])}" for at, name in sorted(durations)]
    return lines + memory_of(trace, window)


def memory_of(trace: reading.Trace, window=None) -> list[str]:
    """What the memory of a modelled machine has counted: in all of the run, or from the interval in which the
    window begins to that in which it ends."""
    if trace.memory is None:
        return []
    first, last, length = 0, None, trace.memory.length
    if window is not None:
        start = origin_of(trace)
        first, last = (trace.model_picoseconds(start + 1000 * time) / length for time in window)
        first, last = max(math.floor(first), 0), max(math.ceil(last), 0)
    heads = ("read misses", "write misses", "fetch misses", "bus transfers", "bus wait, us", "of the time")
    rows = [["", *heads]]
    for number, processor in sorted(trace.memory.processors.items()):
        counts = trace.memory.total(number, first, last)
        time = processor.clock if last is None else (last - first) * length
        rows.append(
            [
                f"processor {number}",
                *map(str, counts[:-1]),
                f"{counts.bus_waiting / 1e6:.3f}",
                f"{100 * counts.bus_waiting / max(time, 1):.2f} %",
            ]
        )
    return ["", f"Memory, of intervals of {length / 1e6:g} us", *lined_up(rows)]
