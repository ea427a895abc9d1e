# SPDX-License-Identifier: MIT
"""Trace records from the frames of a run (interface/trace.h is the authority), in the order of
time, and each message's send paired with its match and its receive."""

import struct
from dataclasses import dataclass, field
from typing import NamedTuple

from parley_runner.counted import counted

from .memory import Memory

VERSION, NOBODY, NOWHERE = 1, 0xFFFF, 0xFF
HEAD = struct.Struct("<IIIIQQQ")
RECORD = struct.Struct("<QQIIHHHBB")
# Under a kernel: PARLEY_TRACE_LIBRARY_BYTES hold a parley_trace_buffer and so many records.
KEPT_OF_PROCESS = (0x40000 - 64) // RECORD.size
EVENTS = dict(
    enumerate(
        (
            "send match receive wait resume block wake switch ended scheduled begun collected freed "
            "event P V "
            "serial set-up pick-up iterations barrier turn-wait work-wait spent noted note-price "
            "interrupt returned"
        ).split(),
        start=1,
    )
)
MESSAGE_EVENTS = ("send", "match", "receive")
# What a thread of a program with loops does from then on (loops.py).
# Of Cedar's loops, which each record of an activity names by its number (`type`), and those of `spent` and
# `noted` above the activity's number.
LOOP_PARTS = ("other", "sdoall", "cdoall-within", "one-cluster", "xdoall", "xdoall-within")
AT_THE_END = ("spent", "noted", "note-price")  # what a program with loops writes down when it ends
INTERRUPTS = ("interrupt", "returned")
ACTIVITIES = ("serial", "set-up", "pick-up", "iterations", "barrier", "turn-wait", "work-wait")
# As enum WaitReason in messaging/wait_record.hpp.
REASONS = "message block delivery budget request probe lent delivery-process sent".split()


class Record(NamedTuple):
    ns: float  # since the machine's boot
    event: str
    job: int  # number + 1; 0: the kernel
    process: int  # endpoint
    processor: int | None
    peer: int | None
    type: int
    length: int
    message: int


@dataclass
class Message:
    """One message; what did not happen, or was not kept, is None."""

    send: Record | None = None
    match: Record | None = None
    receive: Record | None = None


@dataclass
class Trace:
    records: list[Record] = field(default_factory=list)
    lost: int = 0
    lost_by_processes: int = 0  # of those, which the processes themselves wrote
    hertz: int = 0
    start: int = 0  # the counter's tick at which the machine's time begins
    memory: Memory | None = None  # what a modelled machine's has counted
    native: bool = False  # nxrun's, not a kernel's
    machines: int = 1  # whose clocks differ
    doubt_ns: float = 0.0  # by how much times of two machines may be wrong beside each other
    missing: str = ""  # a sentence about machines whose records are

    def word(self, name: str, value: str = "") -> str:
        """What a user writes to ask for something: a word of the runner, or an option of nxrun."""
        if self.native:
            return f"--{name.replace('_', '-')}{' ' * bool(value)}{value}"
        return f"{name.upper()}{'=' * bool(value)}{value}"

    def model_ns(self, picoseconds: int) -> float:
        """The time of a record, of the modelled machine's own: its counter has a tick a nanosecond."""
        return (picoseconds / 1000 - self.start) * 1e9 / (self.hertz or 1e9)

    def model_picoseconds(self, ns: float) -> float:
        """The other way."""
        return 1000 * (ns * (self.hertz or 1e9) / 1e9 + self.start)

    def model_span(self, picoseconds: int) -> float:
        return self.model_ns(picoseconds) - self.model_ns(0)

    def lost_records(self) -> str:
        lost = counted(self.lost, "record was", "records were")
        return f"{lost} lost for want of room ({self.word('trace_records')})"

    def tell_of_machines(self, job: dict) -> None:
        """job: the fields of the run's job, which say so when it was on several machines."""
        self.machines = job.get("machines", 1)
        self.doubt_ns = float(job.get("clock_doubt_nanoseconds", 0))
        self.missing = job.get("missing", "")

    def clocks(self) -> str:
        """What a time is worth that is compared with another machine's."""
        return f"the clocks of its {self.machines} machines are known to {self.doubt_ns / 1000:.2f} us"

    def early(self) -> int:
        """Messages that were received before they were sent, by more than clocks may be wrong."""
        return sum(
            bool(m.send and m.receive and m.receive.ns < m.send.ns - self.doubt_ns)
            for m in self.messages().values()
        )

    def messages(self) -> dict[tuple, Message]:
        """(job, sender, number) -> the message"""
        return messages_of(self.records)

    def processes(self) -> list[tuple[int, int]]:
        """(job, endpoint) of every process that did anything."""
        gang = ("scheduled", "begun", "collected", "freed")
        return sorted({(r.job, r.process) for r in self.records if r.job and r.event not in gang})


def read(payloads: list[bytes]) -> Trace:
    """Payloads of PARLEY_FRAME_TRACE frames; ValueError when one is not what it should be."""
    trace = Trace()
    lost: dict[tuple[int, int], int] = {}
    for payload in payloads:
        if len(payload) < HEAD.size:
            raise ValueError("a trace frame is shorter than its head")
        version, record_bytes, job, source, missing, hertz, start = HEAD.unpack_from(payload)
        if version != VERSION:
            raise ValueError(f"a trace frame is of version {version}, and version {VERSION} is read here")
        if record_bytes != RECORD.size or (len(payload) - HEAD.size) % RECORD.size:
            raise ValueError("a trace frame has another layout")
        trace.hertz, trace.start = hertz, start
        lost[job, source] = max(missing, lost.get((job, source), 0))
        for values in RECORD.iter_unpack(payload[HEAD.size :]):
            # A program may have scribbled over its own, or was killed while it wrote.
            if values[7] in EVENTS and values[0] != 0:
                trace.records.append(record_of(values, job, hertz, start))
    trace.lost = sum(lost.values())
    trace.lost_by_processes = sum(count for (job, _), count in lost.items() if job)
    trace.records.sort(key=lambda record: record.ns)
    return trace


def record_of(values: tuple, job: int, hertz: int, start: int) -> Record:
    time, length, message, kind, own_job, process, peer, event, processor = values
    return Record(
        ns=(time - start) * 1e9 / hertz,
        event=EVENTS[event],
        job=own_job or job,
        process=process,
        processor=None if processor == NOWHERE else processor,
        peer=None if peer == NOBODY else peer,
        type=kind,
        length=length,
        message=message,
    )


def selector(kind: int) -> int:
    """A selector was signed before it was written down."""
    return kind - (1 << 32) if kind >= 1 << 31 else kind


def signed(value: int) -> int:
    """So was the value of a program's own event."""
    return value - (1 << 64) if value >= 1 << 63 else value


def reason(wait: Record) -> str:
    return REASONS[wait.message] if wait.message < len(REASONS) else "something"


def messages_of(records: list[Record]) -> dict[tuple, Message]:
    """(job, sender, number) -> the message"""
    found: dict[tuple, Message] = {}
    for record in records:
        if record.event in MESSAGE_EVENTS:
            sender = record.process if record.event == "send" else record.peer
            message = found.setdefault((record.job, sender, record.message), Message())
            setattr(message, record.event, record)
    return found


def placed(records: list[Record]) -> list[int | None]:
    """The processor of each record: its own, or where its process was seen last; before it was seen at all,
    where it was seen first."""
    seen: dict[tuple, int] = {}
    for record in reversed(records):
        if record.processor is not None and record.event != "wake":
            seen[record.job, record.process] = record.processor
    found = []
    for record in records:
        who = (record.job, record.process)
        if record.processor is not None and record.event != "wake":
            seen[who] = record.processor
        found.append(seen.get(who) if record.processor is None else record.processor)
    return found


def event_gaps(records: list[Record]) -> dict[tuple[int, int], list[float]]:
    """A program's own events, one and the next of the same process, by their numbers -> ns between them."""
    last: dict[tuple, Record] = {}
    found: dict[tuple[int, int], list[float]] = {}
    for record in records:
        if record.event == "event":
            before = last.get((record.job, record.process))
            if before is not None:
                gaps = found.setdefault((selector(before.type), selector(record.type)), [])
                gaps.append(record.ns - before.ns)
            last[record.job, record.process] = record
    return found


def waits(records: list[Record]) -> list[tuple[Record, float]]:
    """Every wait with its end; one that never ended lasts until the last record of its process."""
    began: dict[tuple, Record] = {}
    last: dict[tuple, float] = {}
    done: list[tuple[Record, float]] = []
    for record in records:
        who = (record.job, record.process)
        last[who] = record.ns
        if record.event == "wait":
            began[who] = record
        elif record.event in ("resume", "ended") and who in began:
            done.append((began.pop(who), record.ns))
    return done + [(record, last[who]) for who, record in began.items()]


def blocked(records: list[Record]) -> set[Record]:
    """The waits in which the process gave its processor away."""
    began: dict[tuple, Record] = {}
    found = set()
    for record in records:
        who = (record.job, record.process)
        if record.event == "wait":
            began[who] = record
        elif record.event == "block" and who in began:
            found.add(began[who])
        elif record.event in ("resume", "ended"):
            began.pop(who, None)
    return found


def longest_chain(messages: list[Message]) -> int:
    """Of dependent messages: each was sent by the receiver of the one before, after it had received that.

    What comes after what is told by each process's own clock, and by messages between processes: the clocks
    of two machines may differ by more than a message takes. At one moment what another has sent is received
    before anything is sent, and what a process sends itself is received after that."""
    complete = [m for m in messages if m.send and m.receive]
    received, sent, received_from_itself = range(3)
    steps: dict[tuple, list[tuple[float, int, int]]] = {}  # a process -> when, what, of which message
    for i, m in enumerate(complete):
        sender, receiver = (m.send.job, m.send.process), (m.receive.job, m.receive.process)
        taken = received_from_itself if sender == receiver else received
        steps.setdefault(sender, []).append((m.send.ns, sent, i))
        steps.setdefault(receiver, []).append((m.receive.ns, taken, i))
    for own in steps.values():
        own.sort(reverse=True)  # the next is the last
    reached = dict.fromkeys(steps, 0)  # the longest chain that has come to a process
    depths: dict[int, int] = {}
    awaited: dict[int, tuple] = {}  # a message that is received before its send was looked at -> by whom
    ready = list(steps)
    while ready:
        process = ready.pop()
        while steps[process]:
            _, what, i = steps[process][-1]
            if what == sent:
                depths[i] = 1 + reached[process]
                if i in awaited:
                    ready.append(awaited.pop(i))
            elif i in depths:
                reached[process] = max(reached[process], depths[i])
            else:
                awaited[i] = process
                break
            steps[process].pop()
    return max(depths.values(), default=0)
