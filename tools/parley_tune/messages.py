# SPDX-License-Identifier: MIT
"""What a program's messages are, from the trace of one boot: how many of which length, between how many
pairs, and which of them the program waits for."""

from collections import Counter
from dataclasses import dataclass

from parley_trace import reading

WHOLE, HALF = 1.0, 0.5  # parts of a message's cost: of both its ends, of one


@dataclass(frozen=True)
class Profile:
    counts: Counter  # length -> messages
    path: Counter  # length -> messages' costs on the longest way through the run, in parts
    pairs: int  # of a sender and a receiver
    waits: int
    processes: int

    @property
    def messages(self) -> int:
        return sum(self.counts.values())

    @property
    def longest(self) -> int:
        return max(self.counts, default=0)

    def weights(self, clock: str) -> Counter:
        """length -> by how many messages' costs the run is longer. Where one host thread counts every
        processor's instructions, all messages come one after the other."""
        return self.counts if clock == "counted" else self.path


def of_trace(trace: reading.Trace) -> Profile:
    sent = [record for record in trace.records if record.event == "send"]
    waits = [wait for wait, _ in reading.waits(trace.records) if reading.reason(wait) == "message"]
    return Profile(
        counts=Counter(record.length for record in sent),
        path=longest_way(trace.records),
        pairs=len({(record.process, record.peer) for record in sent}),
        waits=len(waits),
        processes=len(trace.processes()),
    )


def longest_way(records: list[reading.Record]) -> Counter:
    """From the last message back (what the kernel writes down then is no program's): a process that waited
    for a message goes on since its sender sent it, and the way leads there. A message that is waited for
    costs its whole; of others on the way only the end that is on it."""
    own: dict[tuple, list[reading.Record]] = {}
    place: dict[int, int] = {}  # of a record among its process's
    for record in records:
        mine = own.setdefault((record.job, record.process), [])
        place[id(record)] = len(mine)
        mine.append(record)
    messages = reading.messages_of(records)
    found: Counter = Counter()
    last = next((record for record in reversed(records) if record.event in ("send", "receive")), None)
    if last is None:
        return found
    who, at = (last.job, last.process), place[id(last)]
    while at >= 0:
        record = own[who][at]
        if record.event == "receive":
            send = messages[record.job, record.peer, record.message].send
            if send and waited(own[who], at, send):
                found[record.length] += WHOLE
                who, at = (send.job, send.process), place[id(send)] - 1
                continue
            found[record.length] += HALF
        elif record.event == "send":
            found[record.length] += HALF
        at -= 1
    return found


def waited(own: list[reading.Record], at: int, send: reading.Record) -> bool:
    """Whether the process began the wait that this receive ends before the message was sent."""
    for record in reversed(own[:at]):
        if record.event == "wait":
            return record.ns <= send.ns and (send.job, send.process) != (record.job, record.process)
        if record.event in ("send", "receive"):
            return False
    return False
