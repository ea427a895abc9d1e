# SPDX-License-Identifier: MIT
"""What the modelled study found, taken out of its records: times in microseconds unless a name says
otherwise."""

from dataclasses import dataclass

from paper import batch
from paper.modelled_boots import (
    ACCESSES,
    FEW_TRANSFORMS,
    FEW_TRIPS,
    LATE,
    MANY_TRANSFORMS,
    MANY_TRIPS,
    NODES,
    WORDS_SIZE,
)

Curve = dict[int, float]
WORD = 4  # bytes of a word of the Multimax
PICOSECONDS = 1e6  # in a microsecond
FILL_WORDS = 2  # that a miss fetches


@dataclass
class Accesses:
    """Of one node in one transform."""

    reads: float
    misses: float
    waiting: float  # for the bus and for memory


@dataclass
class Results:
    ring: dict[str, dict[str, Curve]]  # access -> design -> size -> time
    by_address: dict[str, Curve]  # exp1 and exp5 without access, where pages get frames by their addresses
    base: dict[str, float]  # what is printed in figures 9 and 16, and 5.1.4
    buffers: dict[str, Curve]  # read, write, copy -> size -> time
    operations: dict[str, dict[str, float]]  # design -> operation -> how often for a word and round trip
    null: dict[str, float]  # a round trip of a null message: its proxy calls and virtual calls, and the rest
    fft: dict[tuple[int, str], dict]  # (nodes, design) -> rows
    simplex: dict[tuple[int, str], dict]
    gangs: dict[tuple[str, int], float]  # (name, members) -> ns
    layout: dict[tuple[int, str], dict]  # the FFT in the paper's layout: (nodes, design) -> rows
    pointer: dict[int, Accesses]  # nodes -> of 1024 points under pointer transfer, in that layout
    user: float  # exp2's round trip with its message system in user location
    blocks: dict[str, float]  # what it takes to take and give back a block, and to copy as much, by name
    simplex_waiting: float  # percent of their time, but for sleep, that 8 processors wait for bus and memory


# Figure 16 prints it, and tools/machines/multimax.toml is calibrated on it: a virtual call is counted here,
# and not measured by itself.
VIRTUAL_US = 6.0


def by_name(record: dict) -> dict[str, dict]:
    return batch.by_job(record, lambda row: row["median"])


def times(rows: dict, name: str = "round trip") -> Curve:
    return {size: value / 1000 for (each, size), value in rows.items() if each == name}


def curves(record: dict) -> dict[str, Curve]:
    return {name.split()[0]: times(rows) for name, rows in by_name(record).items()}


def only(record: dict) -> dict:
    return batch.medians(record)[0]


def operations(few: dict, many: dict) -> dict[str, float]:
    """Of both processors, for each word of a message on its way there and back."""
    words = (MANY_TRIPS - FEW_TRIPS) * WORDS_SIZE / WORD

    def more(name: str) -> float:
        first, second = (sum(p[name] for p in record["model"]["processors"]) for record in (few, many))
        return (second - first) / words

    return {
        "cache reads": more("reads"),
        "memory reads": FILL_WORDS * more("read_misses"),
        "writes": more("writes"),
    }


def transform(few: dict, many: dict) -> Accesses:
    def more(name: str) -> float:
        first, second = (sum(p[name] for p in record["model"]["processors"]) for record in (few, many))
        return (second - first) / (MANY_TRANSFORMS - FEW_TRANSFORMS) / len(few["model"]["processors"])

    return Accesses(more("reads"), more("read_misses"), more("bus_waiting") / PICOSECONDS)


def waiting(record: dict) -> float:
    processors = record["model"]["processors"]
    awake = sum(p["clock"] - p["asleep"] for p in processors)
    return 100 * sum(p["bus_waiting"] for p in processors) / awake


def of(records: dict[str, dict], virtual_calls: int) -> Results:
    """virtual_calls: of a round trip."""
    ring = {"none": curves(records["ring"])}
    for access in ACCESSES:
        ring[access.removeprefix("only-")] = curves(records[f"ring {access}"])
    loops = only(records["buffer"])
    buffers = {word: times(loops, f"{word} 4-byte words") for word in ("read", "write", "copy")}
    switching, null = only(records["switching"]), only(records["null"])
    base = {name: curve[4096] for name, curve in buffers.items()}
    base["proxy call"] = null["null call", 0] / 1000
    base["context switch"] = switching["context switch", 0] / 1000
    whole = 2 * (null["csend", 0] + null["crecv", 0]) / 1000
    calls, virtual = 4 * base["proxy call"], VIRTUAL_US * virtual_calls
    parts = {"proxy calls": calls, "virtual function calls": virtual, "the rest": whole - calls - virtual}
    strings = {
        design: operations(records[f"words {design} {FEW_TRIPS}"], records[f"words {design} {MANY_TRIPS}"])
        for design in ("exp1", "exp6")
    }
    found = {
        app: {
            (nodes, design): rows
            for nodes in NODES
            for design, rows in by_name(records[f"{app} {nodes}"]).items()
        }
        for app in ("fft", "simplex")
    }
    return Results(
        ring=ring,
        by_address=curves(records["ring by address"]),
        base=base,
        buffers=buffers,
        operations=strings,
        null=parts,
        fft=found["fft"],
        simplex=found["simplex"],
        gangs=only(records["gangs"]),
        layout={
            (nodes, design): rows
            for nodes in LATE
            for design, rows in by_name(records[f"layout {nodes}"]).items()
        },
        pointer={
            nodes: transform(*(records[f"pointer {nodes} {n}"] for n in (FEW_TRANSFORMS, MANY_TRANSFORMS)))
            for nodes in LATE
        },
        user=times(only(records["ring user"]))[128],
        blocks={name: value / 1000 for (name, _), value in only(records["blocks"]).items()},
        simplex_waiting=waiting(records["simplex 8"]),
    )
