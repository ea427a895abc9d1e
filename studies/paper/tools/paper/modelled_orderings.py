# SPDX-License-Identifier: MIT
"""The orderings that the paper states, judged on a modelled machine: each statement with its evidence. What
the words mean as numbers is in orderings.py, and here; nothing is tuned to what comes out."""

import math
from dataclasses import dataclass

from paper import orderings, published
from paper.modelled_results import Curve, Results

COPIES = 0.25  # how far `the time to copy the message twice more' may be off
COLLECTION = 0.10  # how far collection may be from Collect(TS,N,p), and two standard errors
SLIGHTLY = 1.5  # what grows slightly from 2 to 8 members grows at most so many times
SLICE_MS = 10.0
POINT = 16  # bytes
LATE = (4, 8)  # nodes from which on the paper's copies overtake pointers
COLLECTED = (2, 4, 6, 8)

# What does not hold on the modelled Multimax, each with its reason; docs/machine-model.md has the evidence.
EXPLAINED = {}


@dataclass(frozen=True)
class Statement:
    said: str
    why_not: str  # empty: it holds
    evidence: str

    @property
    def explained(self) -> str:
        return EXPLAINED.get(self.said, "")


def numbers(*values: float) -> str:
    return " < ".join(f"{value:.5g}" for value in values)


def ring(curves: dict[str, Curve], copy_us: float) -> list[Statement]:
    """copy_us: what copying 4096 bytes takes"""
    at = orderings.sizes(curves)
    one, two, three, four, five, six = (curves[f"exp{number}"] for number in range(1, 7))
    small, large = at[0], at[-1]
    ends = "; ".join(f"{size} bytes: {numbers(two[size], one[size], six[size])} us" for size in (small, large))
    ratio = four[small] / six[small]
    gaps = [three[size] - four[size] for size in at]
    apart = [one[size] - five[size] for size in at]
    more = ((six[large] - one[large]) - (six[small] - one[small])) / (large - small)
    copies = 2 * copy_us / 4096
    grows = orderings.growing(six, one, at)
    if not grows and abs(more / copies - 1) > COPIES:
        grows = f"its growth is {more / copies:.2f} of two copies"
    return [
        Statement(
            "no access: exp2 < exp1 < exp6",
            orderings.below(two, one, at) or orderings.below(one, six, at),
            ends,
        ),
        Statement(
            "exp2 is flat in the message's size",
            orderings.flat(two, at),
            f"{min(two[s] for s in at):.5g} to {max(two[s] for s in at):.5g} us",
        ),
        Statement(
            "exp4 is far above exp6",
            orderings.far_above(four, six, at),
            f"{ratio:.2f} times at {small} bytes; the text says 10, its two switches of 412 us explain 2",
        ),
        Statement(
            "exp3 is above exp4, and the difference grows with size",
            orderings.below(four, three, at) or orderings.growing(three, four, at),
            f"{gaps[0]:.5g} us at {small} bytes, {gaps[-1]:.5g} at {large}",
        ),
        Statement(
            "exp1 minus exp5 is constant",
            orderings.constant(one, five, at),
            f"{min(apart):.5g} to {max(apart):.5g} us; the text says 144",
        ),
        Statement(
            "exp6 minus exp1 grows as the time to copy the message twice more",
            grows,
            f"{1000 * more:.0f} ns a byte, two copies take {1000 * copies:.0f}",
        ),
    ]


def access(curves: dict[str, dict[str, Curve]]) -> list[Statement]:
    found = []
    for design in ("exp1", "exp2", "exp6"):
        size = max(curves["read"][design])
        none, read, write = (curves[kind][design][size] for kind in ("none", "read", "write"))
        wrong = "" if none < read < write else "not in this order"
        said = f"{design}: write access costs more than read access, and that more than none"
        found.append(Statement(said, wrong, f"{size} bytes: {numbers(none, read, write)} us"))
    two = curves["read"]["exp2"]
    at = sorted(two)
    ratio = max(two[s] for s in at) / min(two[s] for s in at)
    wrong = "" if ratio > orderings.FLAT else f"its largest is {ratio:.2f} times its smallest"
    said = "exp2 is not flat when its messages are read"
    return [*found, Statement(said, wrong, f"{min(two.values()):.5g} to {max(two.values()):.5g} us")]


def relative(rows: dict[tuple[int, str], dict], key: tuple, nodes: int) -> tuple[float, float, float]:
    """pointer, single copy, double copy: with pointer at 1"""
    times = [rows[nodes, design][key] for design in published.TRANSFERS]
    return tuple(time / times[0] for time in times)


def transfers(pointer: float, single: float, double: float) -> str:
    return f"pointer {pointer:.2f}, single copy {single:.2f}, double copy {double:.2f}"


def beside(rows: dict, key: tuple, nodes: int, printed: dict) -> str:
    ours, theirs = transfers(*relative(rows, key, nodes)), transfers(*printed[nodes])
    return f"{nodes} nodes: {ours} (printed: {theirs})"


def fft(rows: dict[tuple[int, str], dict], pointer_misses: float) -> list[Statement]:
    key = ("fft time", 1024 * POINT)
    pointer, single, double = relative(rows, key, 2)
    first = Statement(
        "FFT: at 2 nodes pointer transfer is best",
        "" if pointer < min(single, double) else "another is faster",
        beside(rows, key, 2, published.FFT_RELATIVE),
    )
    found = [relative(rows, key, nodes) for nodes in LATE]
    misses_us = pointer_misses * published.READ_MISS_NS / 1000
    evidence = "; ".join(beside(rows, key, nodes, published.FFT_RELATIVE) for nodes in LATE)
    evidence += (
        f"; a node misses {pointer_misses:.0f} times in a transform under pointer transfer, which is "
        f"{misses_us:.0f} us of the {published.FFT_POINTER_LOSS_US} that the paper's loses"
    )
    right = all(single < double < pointer for pointer, single, double in found)
    said = "FFT: at 4 and 8 nodes single copy is fastest, pointer transfer slowest"
    return [first, Statement(said, "" if right else "not in this order", evidence)]


def simplex(rows: dict[tuple[int, str], dict]) -> list[Statement]:
    key = ("simplex time", 0)
    found = {nodes: relative(rows, key, nodes) for nodes in (2, 4, 8)}
    spread = max(max(times) / min(times) for times in found.values())
    early = all(found[nodes][0] < found[nodes][1] < found[nodes][2] for nodes in (2, 4))
    late = found[8][2] < min(found[8][:2])
    at = {nodes: beside(rows, key, nodes, published.SIMPLEX_RELATIVE) for nodes in found}
    return [
        Statement(
            "Simplex: the three transfers lie within 20 % of one another",
            "" if spread <= 1.2 else f"they lie {100 * spread - 100:.0f} % apart",
            f"at most {100 * spread - 100:.1f} % apart",
        ),
        Statement(
            "Simplex: at 2 and 4 nodes pointer transfer is best, double copy worst",
            "" if early else "not in this order",
            f"{at[2]}; {at[4]}",
        ),
        Statement("Simplex: at 8 nodes double copy is best", "" if late else "another is faster", at[8]),
    ]


def shares(fft_rows: dict, simplex_rows: dict) -> list[Statement]:
    def listed(values: list[float]) -> str:
        return ", ".join(f"{value:.1f}" for value in values)

    falls, rises, of_fft, of_simplex = True, True, [], []
    for design, name in published.TRANSFERS.items():
        rows = fft_rows[4, design]
        values = [rows[each] for each in sorted(key for key in rows if key[0] == "share")]
        falls = falls and values == sorted(values, reverse=True)
        of_fft.append(f"{name} {listed(values)}")
        values = [simplex_rows[nodes, design]["share", 0] for nodes in (2, 4, 8)]
        rises = rises and values == sorted(values)
        of_simplex.append(f"{name} {listed(values)}")
    return [
        Statement(
            "the message system's share of the FFT falls with the data",
            "" if falls else "it rises somewhere",
            f"percent, 4 nodes, 128 to 2048 points: {'; '.join(of_fft)}",
        ),
        Statement(
            "the message system's share of Simplex rises with the nodes",
            "" if rises else "it falls somewhere",
            f"percent, 2, 4, 8 nodes: {'; '.join(of_simplex)}",
        ),
    ]


def collect_ms(members: int, processors: int) -> float:
    return SLICE_MS * (members - 1) / (2 * (processors - 1))


def gangs(rows: dict[tuple[str, int], float], processors: int, samples: int) -> list[Statement]:
    created = {members: rows["create and add", members] for members in COLLECTED}
    growth = created[8] / created[2]
    rising = list(created.values()) == sorted(created.values())
    grows = "" if rising and growth <= SLIGHTLY else f"8 members take {growth:.2f} times what 2 do"
    members = sorted(size for name, size in rows if name == "mean collect, flooded")
    off, below, listed = [], [], []
    for count in members:
        expected = collect_ms(count, processors)
        measured = rows["mean collect, flooded", count] / 1e6
        error = 2 * expected / math.sqrt((count - 1) * samples)  # of a sum of so many exponential waits
        listed.append(f"{count}: {measured:.2f} ({expected:.2f})")
        if count in COLLECTED and abs(measured - expected) > COLLECTION * expected + error:
            off.append(str(count))
        if measured < expected - error:
            below.append(str(count))
    evidence = f"ms, mean of {samples} (Collect): {', '.join(listed)}"
    a_member = (created[8] - created[2]) / 6000
    return [
        Statement(
            "creating a gang takes slightly more with more members",
            grows,
            f"{created[2] / 1000:.0f} to {created[8] / 1000:.0f} us, {a_member:.0f} a member;"
            " printed: 78 to 98 ms, 3.3 a member",
        ),
        Statement(
            "collection from loaded processors follows Collect(TS,N,p)",
            f"not for {', '.join(off)} members" if off else "",
            evidence,
        ),
        Statement(
            "it takes what Collect(TS,N,p) says, or more",
            f"not for {', '.join(below)} members" if below else "",
            evidence,
        ),
    ]


def judge(results: Results, processors: int, samples: int) -> list[Statement]:
    return [
        *ring(results.ring["none"], results.base["copy"]),
        *access(results.ring),
        *fft(results.fft, results.pointer_misses),
        *simplex(results.simplex),
        *shares(results.fft, results.simplex),
        *gangs(results.gangs, processors, samples),
    ]
