# SPDX-License-Identifier: MIT
"""Whether a machine ran steadily: what part of the time its threads were ready and got no core of the host.

Times that a free-running machine measures are the host's as much as its own. Medians bear a little of that;
what was measured while a processor stood still for a quarter of the time says nothing.
"""

import os
import time

from . import table

UNSTEADY = 0.25  # of the time, that a processor was kept from running
LEAST_SPAN = 0.05  # seconds; in less the host's own slices show


# Takes the host's scheduler at no word; the yardstick still counts.
TRUSTED = os.environ.get("PARLEY_STEADY") == "1"


def delays(pid: int) -> dict[str, int]:
    """thread -> nanoseconds that it has waited for a core; empty where the host does not tell"""
    found = {}
    if TRUSTED:
        return found
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/schedstat", encoding="ascii") as file:
                found[task] = int(file.read().split()[1])
    except (OSError, IndexError, ValueError):
        return {}
    return found


class Steadiness:
    """Of one emulator. Measurements that come together share the time since those before."""

    def __init__(self, pid: int):
        self.pid = pid
        self.kept = 0.0  # the part of the last span
        self.begin()

    def begin(self) -> None:
        self.at, self.before = time.monotonic(), delays(self.pid)

    def kept_from_running(self) -> float:
        """The part of the time since the last measurement that the machine was kept from running."""
        span = time.monotonic() - self.at
        if span >= LEAST_SPAN:
            now = delays(self.pid)
            waited = max((value - self.before.get(task, 0) for task, value in now.items()), default=0)
            self.kept = min(1.0, waited / 1e9 / span)
            self.begin()
        return self.kept


def mark(rows: list[dict], kept: list[float], clock: str, threads: str) -> None:
    """Says of each row whether it is `unsteady`. An instruction-counted machine always runs steadily."""
    everywhere = clock == "free" and table.busy({"rows": rows, "host": {"threads": threads}})
    for position, row in enumerate(rows):
        part = kept[position] if position < len(kept) else 0.0
        row["unsteady"] = everywhere or (clock == "free" and part >= UNSTEADY)


def unsteady(entry: dict) -> int:
    """How many rows of a record are."""
    return sum(bool(row.get("unsteady")) for row in entry["rows"])
