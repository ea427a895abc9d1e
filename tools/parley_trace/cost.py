# SPDX-License-Identifier: MIT
"""What the tracer costs is measured by whoever traces (the job's record_picoseconds, and call_picoseconds for
what a call of the message system costs to watch), and taken out here.

A record delays its process by its price, and every later event of that process with it; a send and a receive
also by a call's. A process that waits
is delayed by whom it waits for instead: a message that ends a wait comes earlier by as much as its sender was
late, and the receiver's own delay until then is lost in the wait. A message is never received before it was
sent. What the delays change in the order of things (who finds a lock taken, what is scheduled when) cannot be
known, so it is left as it was.
"""

from dataclasses import dataclass, replace

from parley_runner.counted import counted

from . import reading


CALLS = ("send", "receive")  # what a call ends in


@dataclass(frozen=True)
class Price:
    """In ns; 0: nobody has measured it."""

    record: float
    call: float = 0.0

    def of(self, record: reading.Record) -> float:
        return self.record + self.call * (record.event in CALLS)


def price(jobs: list[dict]) -> Price:
    one, call = (
        max((job.get(f"{what}_picoseconds", 0) for job in jobs), default=0) / 1000
        for what in ("record", "call")
    )
    return Price(one, call)


def compensated(trace: reading.Trace, cost: Price) -> reading.Trace:
    """The same events, at the times that they would have had at a price of nothing. What a modelled machine's
    memory has counted is left out: nobody knows when it would have."""
    late: dict[tuple, float] = {}  # by how much a process is late
    before: dict[tuple, float] = {}  # when its last event was, without cost
    waited_since: dict[tuple, float] = {}  # for what it has not received yet
    written: dict[tuple, float] = {}  # the cost of its records since then, which it wrote when it went on
    # A message: when it was sent, as written and without cost, and how late.
    sent: dict[tuple, tuple[float, float, float]] = {}
    records = []
    for record in trace.records:
        who = (record.job, record.process)
        delay = late.get(who, 0.0)
        earliest = before.get(who, float("-inf"))
        if record.event in ("match", "receive"):
            key = (record.job, record.peer, record.message)
            if key in sent:
                when, then, sender = sent[key]
                earliest = max(earliest, then)
                if waited_since.get(who, float("inf")) <= when:
                    delay = sender + written[who]
        nanoseconds = cost.of(record)
        now = max(record.ns - delay, earliest)
        delay = record.ns - now
        if record.event == "wait":
            waited_since[who], written[who] = record.ns, -nanoseconds
        elif record.event == "receive":
            waited_since.pop(who, None)
        if record.event == "send":
            # It is written down just before the message goes.
            sent[record.job, record.process, record.message] = (record.ns, now, delay + nanoseconds)
        records.append(record._replace(ns=now))
        before[who], late[who] = now, delay + nanoseconds
        written[who] = written.get(who, 0.0) + nanoseconds
    records.sort(key=lambda record: record.ns)
    return replace(trace, records=records, memory=None)


def told(trace: reading.Trace, names, cost: Price) -> list[str]:
    """The price, and which part of each process's time it is."""
    if cost.record == 0:
        return ["The tracer's own cost was not measured in this run."]
    calls = f" and {cost.call:.1f} ns a call" if cost.call else ""
    lines = [f"The tracer's own cost: {cost.record:.1f} ns a record{calls}, measured in this run"]
    for who in trace.processes():
        own = [record for record in trace.records if (record.job, record.process) == who]
        span = own[-1].ns - own[0].ns
        spent = sum(map(cost.of, own))
        share = f", {100 * spent / span:.2f} % of its time" if span else ""
        lines.append(f"  {names.process(*who)}: {counted(len(own), 'record')}, {spent / 1000:.3f} us{share}")
    return lines
