# SPDX-License-Identifier: MIT
"""Measurements as modelled.py would find them: on a machine on which all is as the paper has it, and where
those orderings do not hold which the documentation lists."""

import copy

from paper import collection, modelled_boots, modelled_orderings, published
from paper.modelled_results import Accesses, Results
from paper.recommendations import Examined

SIZES = (128, 1024, 2048, 4096)
POINTS = (128, 256, 512, 1024, 2048)


def curve(at_none: float, a_byte: float) -> dict[int, float]:
    return {size: at_none + a_byte * size for size in SIZES}


def ring() -> dict[str, dict[int, float]]:
    """In us; to copy 4096 bytes takes 2048."""
    return {
        "exp1": curve(780, 1.4), "exp2": curve(770, 0), "exp3": curve(11000, 4), "exp4": curve(10000, 3),
        "exp5": curve(630, 1.4), "exp6": curve(800, 2.7),
    }  # fmt: skip


def touched(exp1: float, exp2: float, exp6: float) -> dict[str, dict[int, float]]:
    return {"exp1": curve(800, exp1), "exp2": curve(800, exp2), "exp6": curve(800, exp6)}


def measured(*times: float) -> dict[int, float]:
    return dict(zip(SIZES, times))


def ring_of_the_model() -> dict[str, dict[str, dict[int, float]]]:
    return {
        "none": {
            "exp1": measured(892, 1652, 2552, 4238), "exp2": measured(638, 640, 641, 643),
            "exp3": measured(3841, 6125, 8546, 13590), "exp4": measured(2086, 3541, 5179, 8510),
            "exp5": measured(681, 1462, 2302, 4104), "exp6": measured(1093, 2531, 4176, 7518),
        },
        "read": {
            "exp1": measured(955, 2060, 3264, 5717), "exp2": measured(708, 1031, 1410, 2147),
            "exp6": measured(1150, 2917, 4903, 9056),
        },
        "write": {
            "exp1": measured(1087, 3086, 5309, 9813), "exp2": measured(834, 2052, 3445, 6244),
            "exp6": measured(1274, 3939, 6950, 13155),
        },
    }  # fmt: skip


# Of 1024 points, and of the steps of a problem: nodes -> pointer, single copy, double copy, in ms.
FFT_OF_THE_MODEL = {
    1: (103.2, 103.2, 102.5), 2: (53.9, 57.2, 60.3), 4: (30.6, 34.2, 37.1), 8: (20.2, 23.7, 25.6),
}  # fmt: skip
SIMPLEX_OF_THE_MODEL = {
    1: (813, 813, 813), 2: (487, 484, 481), 4: (301, 295, 308), 8: (237, 227, 263),
}  # fmt: skip


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
        expected = collection.collect_ms(members, modelled_boots.PROCESSORS)
        rows["mean collect, flooded", members] = 1e6 * expected * 1.02
        rows["error of that mean", members] = 1e3 * expected
    return rows


def results() -> Results:
    return copy.deepcopy(
        Results(
            ring={"none": ring(), "read": touched(2, 0.5, 3), "write": touched(3, 1, 4.1)},
            by_address={design: ring()[design] for design in ("exp1", "exp5")},
            base={**published.BASE_US, "copy": 2048.0},
            buffers={name: curve(1, 0.2) for name in ("read", "write", "copy")},
            operations=published.OPERATIONS,
            null={name: 1.1 * value for name, value in published.NULL_US.items()},
            fft=fft(),
            layout=fft(),
            simplex=simplex(),
            gangs=gangs(),
            pointer={nodes: Accesses(reads=15000, misses=1000, waiting=300) for nodes in modelled_boots.LATE},
            user=620.0,
            blocks={"block": 90.0, "copy": 55.0},
            simplex_waiting=1.0,
        )
    )


def on_the_model() -> Results:
    """Where what does not hold does not for the documentation's reasons."""
    found = results()
    found.ring, found.base["copy"], found.base["proxy call"] = ring_of_the_model(), 1693.0, 68.2
    found.by_address = {"exp1": measured(889, 1657, 2524, 4269), "exp5": measured(681, 1451, 2334, 4052)}
    copies = {design: number for number, design in enumerate(published.TRANSFERS)}
    key = ("fft time", 1024 * modelled_orderings.POINT)
    for rows_of in (found.fft, found.layout):
        for (nodes, design), rows in rows_of.items():
            rows[key] = 1e6 * FFT_OF_THE_MODEL[nodes][copies[design]]
    for (nodes, design), rows in found.simplex.items():
        rows["simplex time", 0] = 1e6 * SIMPLEX_OF_THE_MODEL[nodes][copies[design]]
    for members in modelled_boots.MEMBERS:
        found.gangs["create and add", members] = 1000 * (145 + 77 * members)
    found.blocks["block"] = 345.0
    return found


ADVICE = {
    "multimax": [Examined("1", "Customise", True, "exp1 and exp2"), Examined("6", "Port", None, "144 us")],
    "modern": [Examined("1", "Customise", False, "exp1 everywhere")],
}
