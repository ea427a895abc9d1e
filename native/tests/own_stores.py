# SPDX-License-Identifier: MIT
"""What a rank waits for of its own stores while it sends messages and receives them, from a trace of the
processor's loads, stores and instructions (valgrind's tool lackey, --trace-mem=yes). A processor takes a
load's bytes from a store that has not left it yet if that store has all of them; if it has a part of them,
the load waits until the store is done. A locked instruction waits for all stores before it, so also until
another processor's line has come. And a line that is asked for when another has come is waited for a second
time."""

import bisect
import collections
import dataclasses
import re
import subprocess
from typing import NamedTuple

LINE = 64
ENTRY = 2 * LINE  # of a port that carries messages whole: two lines that lie together
JOB_MEMORY = 0x3000_0000_0000  # and above: what a job's ranks share (native/interface/native_job.h)
KEPT = 56  # stores that a processor has at most that are not done yet
FORGOTTEN = 300  # instructions after which a store is done


class Access(NamedTuple):
    """One of a trace, in its order. Of an instruction: where it lies, and no bytes."""

    kind: str  # "I", "L"oad, "S"tore, "M"odify: both
    address: int
    size: int


def windows(path: str, begin: int, end: int) -> list[list[Access]]:
    """What a rank did before each time that it came to the function at `end`, from the last time on that it
    came to the one at `begin`."""
    with open(path, encoding="ascii", errors="replace") as file:
        text = file.read()
    found = []
    place = text.find(f"I  {end:08x},")
    while place >= 0:
        found.append(accesses(text[text.rindex(f"I  {begin:08x},", 0, place) : place]))
        place = text.find(f"I  {end:08x},", place + 1)
    return found


def accesses(text: str) -> list[Access]:
    pattern = re.compile(r"^(I | S| L| M) ([0-9a-f]+),(\d+)$", re.MULTILINE)
    return [Access(kind.strip(), int(at, 16), int(size)) for kind, at, size in pattern.findall(text)]


@dataclasses.dataclass(frozen=True)
class Marked:
    """Where a message library has instructions that a trace does not tell from others. `locked`: they wait
    for all stores before them. `prefetches`: they ask for a line, and nothing waits for them."""

    locked: frozenset[int]
    prefetches: frozenset[int]

    @classmethod
    def of(cls, library: str) -> "Marked":
        words = ["objdump", "--disassemble", "--no-show-raw-insn", library]
        listed = subprocess.run(words, capture_output=True, text=True, check=True).stdout

        def those(pattern: str) -> frozenset[int]:
            found = re.findall(rf"^\s*([0-9a-f]+):\s+(?:{pattern})", listed, re.MULTILINE)
            return frozenset(int(address, 16) for address in found)

        return cls(those(r"lock\b|xchg\s.*\(|mfence"), those("prefetch"))


def lines_of(trace: list[Access], kinds: str) -> set[int]:
    return {one.address // LINE for one in trace if one.kind in kinds}


def shared_lines(trace: list[Access]) -> set[int]:
    """Lines of the job's memory that a rank that sends to itself writes as a sender or reads as a receiver:
    between two ranks they cross."""
    of_job = [one for one in trace if one.address >= JOB_MEMORY]
    return lines_of(of_job, "SM") & lines_of(of_job, "LM")


@dataclasses.dataclass(frozen=True)
class Waits:
    """Of one rank. `spans`: where loads lie that take a part of their bytes from a younger store, and how
    often they do. `locked`: instructions that wait for a store to a shared line. `asked_late`: entries
    whose second line is asked for only when the first has come."""

    spans: collections.Counter
    locked: int
    asked_late: int


def waits_of(trace: list[Access], marked: Marked, shared: set[int]) -> Waits:
    spans: collections.Counter = collections.Counter()
    stores: collections.deque = collections.deque(maxlen=KEPT)
    instructions = waiting = at = 0
    wrote_shared = False
    for one in trace:
        if one.kind == "I":
            instructions += 1
            at = one.address
            if at in marked.locked:
                waiting += wrote_shared
                wrote_shared = False
                stores.clear()
            continue
        if one.kind in "LM" and is_span(one, stores, instructions):
            spans[at] += 1
        if one.kind in "SM" and at not in marked.locked:  # what that instruction stores is done with it
            stores.append((one.address, one.size, instructions))
            wrote_shared = wrote_shared or one.address // LINE in shared
    return Waits(spans, waiting, asked_late(trace, marked, shared))


def is_span(load: Access, stores, instructions: int) -> bool:
    """Whether the youngest store that has some of the load's bytes has not all of them, and is not done."""
    for address, size, when in reversed(stores):
        if instructions - when > FORGOTTEN:
            return False
        if address < load.address + load.size and load.address < address + size:
            return not (address <= load.address and load.address + load.size <= address + size)
    return False


def asked_late(trace: list[Access], marked: Marked, shared: set[int]) -> int:
    """Entries of which the rank reads both lines, and the second after the last look at the first's first
    word, without a prefetch in between: from an address that may have been computed from what it found."""
    looks: dict[int, int] = {}
    seconds: dict[int, bool] = {}
    asked = 0  # when the last prefetch was
    for index, one in enumerate(trace):
        if one.kind == "I" and one.address in marked.prefetches:
            asked = index
        if one.kind != "L" or one.address // LINE not in shared:
            continue
        entry, inside = divmod(one.address, ENTRY)
        if inside == 0:
            looks[entry] = index
        if inside + one.size > LINE and entry in looks:
            seconds.setdefault(entry, asked < looks[entry])
    return sum(seconds.values())


def function_at(library: str, address: int) -> str:
    """The function of a message library, for those who read what a test has found."""
    listed = subprocess.run(["nm", "-C", library], capture_output=True, text=True, check=True)
    lines = [line for line in listed.stdout.splitlines() if line[:1].strip()]
    symbols = sorted((int(line[:16], 16), line[19:]) for line in lines)
    place = bisect.bisect(symbols, (address, "\x7f")) - 1
    return symbols[place][1].partition("<")[0] if place >= 0 else "?"
