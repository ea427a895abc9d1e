#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Gang scheduling beside the paper's figure 23, as multiples of the gang of two, and beside its model of
collection.

gangs.py [--processors N] [--gang shared|private]

The stations are counted in instructions on an idle machine; collection from a flooded machine needs slices
that do not start together, so that boot runs freely.
"""

import argparse
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "..", "tools"))

from paper import batch, measurements, published  # noqa: E402
from parley_study import closing  # noqa: E402
from parley_study.tables import show  # noqa: E402

STATIONS = ("create and add", "schedule and collect", "ready to running, min", "ready to running, max")
SLICE_MS = 10.0
DISPATCH = 1.5  # a collected gang of 4 to four single dispatches, at most; instruction-counted


def measure(arguments: argparse.Namespace, clock: str) -> dict:
    job = {"app": "gang", "nodes": 1, "schedule": "timeshared", "name": "gang"}
    return batch.run([job], processors=arguments.processors, clock=clock, gang=arguments.gang, limit=600)[0]


def stations(rows: dict) -> bool:
    """False: dispatching a gang takes more than it may."""
    heads = ["members"] + [word for name in STATIONS for word in (f"{name}, us", "x", "paper x")]
    members = sorted(count for name, count in rows if name == STATIONS[0])
    lines = []
    for count in members:
        line: list = [count]
        for place, name in enumerate(STATIONS):
            value, of_two = rows[name, count], rows[name, 2]
            printed = published.GANG_MS.get(count)
            line += [f"{value / 1e3:.2f}", f"{value / of_two:.2f}"]
            line += [f"{printed[place] / published.GANG_MS[2][place]:.2f}" if printed else "-"]
        lines.append(line)
    show("figure 23: a gang on an idle machine, and as multiples of the gang of two", heads, lines)
    dispatch = rows["ready to running, max", 4] / (4 * rows["single dispatch", 4])
    holds = dispatch <= DISPATCH
    print(
        f"  {'holds' if holds else 'DOES NOT HOLD'}: dispatching a collected gang of 4 costs {dispatch:.2f}"
        f" times four single dispatches, at most {DISPATCH}"
    )
    return holds


def collection(rows: dict, processors: int) -> None:
    heads = ["members", "collect, ms", "Collect(TS,N,p)", "whole slices"]
    lines = []
    for count in sorted(count for name, count in rows if name == "collect, flooded"):
        expected = SLICE_MS * (count - 1) / (2 * (processors - 1))
        whole = SLICE_MS * (count - 1) / (processors + 1)
        lines.append(
            [count, f"{rows['collect, flooded', count] / 1e6:.2f}", f"{expected:.2f}", f"{whole:.2f}"]
        )
    show(f"figure 24: collecting from {processors} flooded processors; medians", heads, lines)
    print("  The load computes for whole slices, so the last column is what to expect; Collect assumes that")
    print("  processes give way at random (build/tests/sched has that case, where time is exact).")


def keep(arguments: argparse.Namespace, counted: dict, free: dict) -> None:
    """For the pictures."""
    data = {"stations": STATIONS, "processors": arguments.processors}
    for name, rows in (("counted", counted), ("free", free)):
        data[name] = [[*key, value] for key, value in rows.items()]
    measurements.keep(arguments.data, "gangs", data)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--processors", type=int, default=16)
    parser.add_argument("--gang", choices=("shared", "private"), default="shared")
    parser.add_argument("--data", default="", help="folder that gets the measurements for draw.py")
    arguments = parser.parse_args()
    try:
        counted = measure(arguments, "counted")
        good = stations(counted)
        free = measure(arguments, "free")
        collection(free, arguments.processors)
        keep(arguments, counted, free)
    except batch.Failed as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(closing.of(main))
