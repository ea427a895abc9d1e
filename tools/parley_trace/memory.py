# SPDX-License-Identifier: MIT
"""What the memory of a modelled machine has counted of each processor, by intervals of simulated time: cache
misses, and waiting for the bus or a bank (tools/machine_model/counts_by_interval.hpp). The model's plugin
writes it as text, and a .trace file keeps it, a frame for each processor."""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

LINE = re.compile(r"[0-9]{1,20}(?: [0-9]{1,20}){5}")
HEAD = re.compile(r"length=([1-9][0-9]{0,19})")
PROCESSOR = re.compile(r"processor=([0-9]{1,4}) clock=([0-9]{1,20})")
END = "end"


class Counts(NamedTuple):
    read_misses: int = 0
    write_misses: int = 0
    fetch_misses: int = 0
    bus_transfers: int = 0
    bus_waiting: int = 0  # picoseconds

    @property
    def misses(self) -> int:
        return self.read_misses + self.write_misses + self.fetch_misses

    def plus(self, other: "Counts") -> "Counts":
        return Counts(*map(int.__add__, self, other))


@dataclass
class Processor:
    clock: int  # where its clock stood at the end, in picoseconds
    intervals: dict[int, Counts] = field(default_factory=dict)  # those in which it counted, by their numbers


@dataclass
class Memory:
    length: int  # of an interval, in picoseconds
    processors: dict[int, Processor] = field(default_factory=dict)  # the machine's

    def total(self, processor: int, first: int = 0, last: int | None = None) -> Counts:
        """Of the intervals from the first to before the last; None: all"""
        found = Counts()
        for number, counts in self.processors[processor].intervals.items():
            if number >= first and (last is None or number < last):
                found = found.plus(counts)
        return found

    def columns(self, processor: int, count: int) -> dict[int, Counts]:
        """So many intervals in one, by the number of the first over `count`."""
        found: dict[int, Counts] = {}
        for number, counts in self.processors[processor].intervals.items():
            found[number // count] = found.get(number // count, Counts()).plus(counts)
        return found


def read(text: str) -> Memory:
    """What the plugin wrote. ValueError: it is not whole."""
    head, *lines = text.split("\n")
    if lines[-2:] != [END, ""]:
        raise ValueError("it has no end")
    found = HEAD.fullmatch(head)
    if not found:
        raise ValueError(f"its first line is {head!r}")
    memory, current = Memory(int(found[1])), None
    for line in lines[:-2]:
        if about := PROCESSOR.fullmatch(line):
            current = memory.processors[int(about[1])] = Processor(int(about[2]))
        elif current is not None and LINE.fullmatch(line):
            number, *counts = map(int, line.split())
            current.intervals[number] = Counts(*counts)
        else:
            raise ValueError(f"it has a line {line!r}")
    return memory


def payloads(memory: Memory) -> list[bytes]:
    """Of a .trace file's frames: each is what the plugin would have written of one processor."""
    found = []
    for number, processor in memory.processors.items():
        lines = [f"length={memory.length}", f"processor={number} clock={processor.clock}"]
        lines += [f"{at} {' '.join(map(str, counts))}" for at, counts in processor.intervals.items()]
        found.append(("\n".join([*lines, END]) + "\n").encode())
    return found


def kept(frames: list[bytes]) -> Memory | None:
    """From a .trace file's frames. None: it has none. ValueError: one is not what it should be."""
    parts = [read(payload.decode("ascii", "replace")) for payload in frames]
    if len({part.length for part in parts}) > 1:
        raise ValueError("processors' misses are told by intervals of different lengths")
    whole = {number: one for part in parts for number, one in part.processors.items()}
    return Memory(parts[0].length, whole) if parts else None
