# SPDX-License-Identifier: MIT
"""What the document on Cedar prints (printed.toml), as tables of intervals."""

import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cedar.intervals import Interval, printed

FILE = os.path.join(os.path.dirname(__file__), "..", "..", "printed.toml")


@dataclass(frozen=True)
class Row:
    """One program on so many processors. What is computed by the document is none on one processor."""

    completion: Interval
    loops: Interval
    speedup: Interval | None
    concurrency: Interval | None  # of all clusters together
    ideal: Interval | None
    contention: Interval | None
    loop_concurrency: Sequence[Interval]  # of each cluster, the main one first; none on one processor


@dataclass(frozen=True)
class Activity:
    """What the operating system does, on 32 processors."""

    name: str
    seconds: Interval
    percent: Interval


@dataclass(frozen=True)
class Document:
    programs: Mapping[str, Mapping[int, Row]]
    system: Mapping[str, Sequence[Activity]]


def cells(line: str) -> list[Interval | None]:
    return [None if cell == "-" else printed(cell) for cell in line.split()]


def read(path: str = FILE) -> Document:
    with open(path, "rb") as file:
        found = tomllib.load(file)
    programs = {}
    for name, table in found["programs"].items():
        columns = {key: cells(line) for key, line in table.items()}
        clusters = found["loop_concurrency"][name]
        programs[name] = {
            processors: Row(
                **{key: column[place] for key, column in columns.items()},
                loop_concurrency=cells(clusters.get(str(processors), "")),
            )
            for place, processors in enumerate(found["processors"])
        }
    system = dict(found["system"])
    names = system.pop("activities")
    return Document(
        programs,
        {
            name: [
                Activity(activity, seconds, percent)
                for activity, seconds, percent in zip(
                    names, cells(table["seconds"]), cells(table["percent"]), strict=True
                )
            ]
            for name, table in system.items()
        },
    )
