# SPDX-License-Identifier: MIT
"""What runs of the rootfinder have measured, from their records, beside the theory."""

import json

from cmmp import theory


class Run:
    """One job of a record that ran the rootfinder."""

    def __init__(self, record: dict, job: dict):
        self.job = job
        self.clock = record.get("clock", "")
        self.processors = record.get("processors")
        self.rows = [row for row in record["rows"] if row["job"] == job["job"]]

    def median(self, name: str) -> float | None:
        """Over all nodes that report it: the mean of their medians."""
        values = [row["median"] for row in self.rows if row["name"] == name]
        return sum(values) / len(values) if values else None

    @property
    def processes(self) -> int:
        return int(self.job["nodes"])

    @property
    def semaphore(self) -> str:
        """What its processes wait with: a kind of semaphores, or a design that carries messages."""
        names = {row["name"] for row in self.rows}
        for mark, carried in (("csend to all others", "messages"), ("gcol", "collective")):
            if mark in names:
                return f"{carried}, {self.job.get('row') or self.job.get('design', '')}"
        return self.job.get("semaphore", "")

    @property
    def lengths(self) -> str:
        return next((row["access"] for row in self.rows if row["name"] == "elapsed"), "")

    @property
    def elapsed(self) -> float:
        return self.median("elapsed") or 0.0


def runs_of(paths: list[str]) -> list[Run]:
    found = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            whole = json.load(file)
        for record in whole.get("runs", [whole]):
            found += [Run(record, job) for job in record.get("jobs", [])]
    return sorted(
        (run for run in found if run.elapsed), key=lambda run: (run.lengths, run.semaphore, run.processes)
    )


def speedup_of(run: Run, runs: list[Run]) -> float | None:
    """Against one process of the same kind, by the same clock."""
    for other in runs:
        same = (other.lengths, other.semaphore, other.clock) == (run.lengths, run.semaphore, run.clock)
        if same and other.processes == 1:
            return other.elapsed / run.elapsed
    return None


def cell(value: float | None, scale: float = 1.0, digits: int = 1) -> str:
    return f"{'-':>10}" if value is None else f"{value / scale:10.{digits}f}"


NAMES = (
    *("stage", "evaluation", "FIND", "V of all others", "wake-up", "P without a wait", "P alone"),
    "V alone",
)


def table(runs: list[Run], deviation: float) -> str:
    """Each run in a line; times in microseconds of the clock that is named."""
    lines = [
        f"{'lengths':12} {'semaphores':18} {'n':>3} {'stages':>6} {'elapsed ms':>10} "
        + " ".join(f"{name[:10]:>10}" for name in NAMES)
        + f" {'speed-up':>10} {'theory':>10}  clock"
    ]
    for run in runs:
        kind = run.lengths if run.lengths in theory.KINDS else "constant"
        lines.append(
            f"{run.lengths:12} {run.semaphore:18} {run.processes:3} {int(run.median('stages') or 0):6} "
            f"{run.elapsed / 1e6:10.3f} "
            + " ".join(cell(run.median(name), 1e3) for name in NAMES)
            + " "
            + cell(speedup_of(run, runs), digits=3)
            + " "
            + cell(theory.speedup(kind, run.processes, deviation), digits=3)
            + f"  {run.clock}"
        )
    lines.append(
        "Times are medians in microseconds. Theory: (3.6) for these lengths, without overhead; for authentic"
        " ones that of constant lengths, which is an upper bound."
    )
    if any(run.clock == "counted" for run in runs):
        lines.append(
            "A counted clock adds up the instructions of all processors: its times are work, and its"
            " speed-ups mean nothing."
        )
    return "\n".join(lines)
