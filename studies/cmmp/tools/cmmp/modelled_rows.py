# SPDX-License-Identifier: MIT
"""What one record of the rootfinder says, by the names of its rows: nanoseconds of simulated time."""

from cmmp import theory

STAGE = "mean of later stages"


def rows(record: dict, name: str) -> list[dict]:
    return [row for row in record["rows"] if row["name"] == name]


def value(record: dict, name: str) -> float:
    """Of a row that one process alone reports."""
    (row,) = rows(record, name)
    return row["median"]


def longest(record: dict, name: str) -> float:
    return max(row["maximum"] for row in rows(record, name))


def longest_of(record: dict, node: int, name: str) -> float:
    """Of one process."""
    return max(row["maximum"] for row in rows(record, name) if row["node"] == node)


def middle(record: dict, name: str) -> float:
    """The mean of the processes' medians."""
    medians = [row["median"] for row in rows(record, name)]
    return sum(medians) / len(medians)


def counts(record: dict) -> dict[str, float]:
    """What semaphores counted; no waits where they spin."""
    names = ("kernel P and V", "P that waited", "policy requests", "page writes")
    return {name: value(record, name) for name in names if rows(record, name)}


def each_wait(counted: dict[str, float], name: str) -> float:
    return counted[name] / (counted.get("P that waited") or 1.0)


def roots(record: dict) -> int:
    """That were looked for."""
    words = record["asked"]["jobs"][0]["args"].split()
    return int(words[words.index("--roots") + 1])


def runtime(record: dict, processes: int) -> float:
    """Of a root."""
    return theory.stages(processes) * value(record, STAGE)


def speedup(records: dict[str, dict], one: str, several: str) -> float:
    return runtime(records[one], 1) / runtime(records[several], records[several]["nodes"])


def undisturbed_name(kind: str, processes: int) -> str:
    return f"undisturbed {processes}" if kind == "spin" else f"undisturbed {kind} {processes}"
