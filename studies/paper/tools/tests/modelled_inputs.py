# SPDX-License-Identifier: MIT
"""Measurements as modelled.py would find them: on a machine on which all is as the paper has it, and where
those orderings do not hold which the documentation lists."""

import copy

from paper import modelled_boots, modelled_orderings, published
from paper.modelled_results import Accesses, Results
from paper.recommendations import Examined

SIZES = (128, 1024, 2048, 4096)
POINTS = (128, 256, 512, 1024, 2048)


def curve(at_none: float, a_byte: float) -> dict[int, float]:
    return {size: at_none + a_byte * size for size in SIZES}


def ring() -> dict[str, dict[int, float]]:
    """In us; to copy 4096 bytes takes 2048."""
    return {
        "exp1": curve(780, 1), "exp2": curve(770, 0), "exp3": curve(9000, 3), "exp4": curve(8000, 2),
        "exp5": curve(600, 1), "exp6": curve(800, 2),
    }  # fmt: skip


def touched(more: float) -> dict[str, dict[int, float]]:
    return {design: curve(800, 2 + more) for design in ("exp1", "exp2", "exp6")}


def fft() -> dict[tuple[int, str], dict]:
    found = {}
    for nodes, ratios in published.FFT_RELATIVE.items():
        for design, ratio in zip(published.TRANSFERS, ratios):
            rows = found[nodes, design] = {}
            for points in POINTS:
                size = points * modelled_orderings.POINT
                rows["fft time", size] = 30e6 * ratio * points / 1024 / nodes
                rows["share", size] = 5000.0 / points
                rows["messages", size] = 4.0 * nodes
                bytes_of = published.FFT_MESSAGE_BYTES.get(nodes, {}).get(points, 0)
                rows["bytes sent", size] = bytes_of * 4.0 * nodes
    return found


def simplex() -> dict[tuple[int, str], dict]:
    return {
        (nodes, design): {
            ("simplex time", 0): 60e6 * ratio / nodes,
            ("share", 0): 5.0 * nodes,
            ("pivots", 0): 12.0,
            ("messages", 0): 12.0 * (nodes + 1),
            ("selection messages", 128): 12.0 * nodes,
            ("pivot messages", 816): 12.0,
        }
        for nodes, ratios in published.SIMPLEX_RELATIVE.items()
        for design, ratio in zip(published.TRANSFERS, ratios)
    }


def gangs() -> dict[tuple[str, int], float]:
    rows = {}
    for members in modelled_boots.MEMBERS:
        rows["create and add", members] = 1e6 * (72 + 3 * members)
        for name in ("schedule and collect", "ready to running, min", "ready to running, max"):
            rows[name, members] = 1e6 * members
        expected = modelled_orderings.collect_ms(members, modelled_boots.PROCESSORS)
        rows["mean collect, flooded", members] = 1e6 * expected
    return rows


def results() -> Results:
    return copy.deepcopy(
        Results(
            ring={"none": ring(), "read": touched(1), "write": touched(2)},
            base={**published.BASE_US, "copy": 2048.0},
            buffers={name: curve(1, 0.2) for name in ("read", "write", "copy")},
            operations=published.OPERATIONS,
            null={name: 1.1 * value for name, value in published.NULL_US.items()},
            fft=fft(),
            simplex=simplex(),
            gangs=gangs(),
            pointer=Accesses(reads=15000, misses=1000),
            blocks={"block": 90.0, "copy": 55.0},
            simplex_waiting=1.0,
        )
    )


def on_the_model() -> Results:
    """Where what does not hold does not for the documentation's reasons."""
    found = results()
    for (nodes, design), rows in found.fft.items():
        copies = list(published.TRANSFERS).index(design)
        rows["fft time", 1024 * modelled_orderings.POINT] = 1e6 * (160 / nodes + 2 * copies)
    for (nodes, design), rows in found.simplex.items():
        copies = list(published.TRANSFERS).index(design)
        rows["simplex time", 0] = 1e6 * (1000 / nodes + (copies - 1) ** 2)
    for members in modelled_boots.MEMBERS:
        found.gangs["create and add", members] = 1000 * (145 + 77 * members)
    found.blocks["block"] = 345.0
    return found


ADVICE = {
    "multimax": [Examined("1", "Customise", True, "exp1 and exp2"), Examined("6", "Port", None, "144 us")],
    "modern": [Examined("1", "Customise", False, "exp1 everywhere")],
}
