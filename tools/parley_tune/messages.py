# SPDX-License-Identifier: MIT
"""What a program's messages are, from the trace of one boot: how many of which length, between how many
pairs, and how often somebody waits for one."""

from collections import Counter
from dataclasses import dataclass

from parley_trace import reading


@dataclass(frozen=True)
class Profile:
    counts: Counter  # length -> messages
    pairs: int  # of a sender and a receiver
    waits: int
    processes: int

    @property
    def messages(self) -> int:
        return sum(self.counts.values())

    @property
    def longest(self) -> int:
        return max(self.counts, default=0)


def of_trace(trace: reading.Trace) -> Profile:
    sent = [record for record in trace.records if record.event == "send"]
    waits = [wait for wait, _ in reading.waits(trace.records) if reading.reason(wait) == "message"]
    return Profile(
        counts=Counter(record.length for record in sent),
        pairs=len({(record.process, record.peer) for record in sent}),
        waits=len(waits),
        processes=len(trace.processes()),
    )
