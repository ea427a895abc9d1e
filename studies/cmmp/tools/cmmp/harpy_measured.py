# SPDX-License-Identifier: MIT
"""What runs of HARPY have measured, from their records, beside what the documents print."""

import json
import re

from cmmp import harpy_documents as documents
from cmmp.harpy_model import Costs
from cmmp.measured import Run


class HarpyRun(Run):
    """One job of a record that ran HARPY."""

    def __init__(self, record: dict, job: dict):
        super().__init__(record, job)
        asked = next(
            (one for one in record.get("asked", {}).get("jobs", [])[job["job"] : job["job"] + 1]), {}
        )
        self.task = re.sub(r"--(variant|work|units) \S+ ?", "", str(asked.get("args") or "")).strip()
        self.work = next(iter(re.findall(r"--work (\d+)", str(asked.get("args") or ""))), "0")

    @property
    def version(self) -> str:
        return next(row["access"] for row in self.rows if row["name"] == "answer")

    @property
    def forward(self) -> float:
        return self.median("forward") or self.median("serial forward") or 0.0

    @property
    def pruning(self) -> float:
        return self.median("pruning") or self.median("serial pruning") or 0.0

    def like(self, other: "HarpyRun") -> bool:
        """The same utterances, by the same clock, with units of the same length."""
        return (self.task, self.work, self.clock) == (other.task, other.work, other.clock)


def runs_of(paths: list[str]) -> list[HarpyRun]:
    found = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            whole = json.load(file)
        for record in whole.get("runs", [whole]):
            for job in record.get("jobs", []):
                if any(row["job"] == job["job"] and row["name"] == "answer" for row in record["rows"]):
                    found.append(HarpyRun(record, job))
    return sorted(found, key=lambda run: (run.task, run.semaphore, run.version, run.processes))


def one_process(run: HarpyRun, runs: list[HarpyRun], version: str) -> HarpyRun | None:
    return next(
        (one for one in runs if one.like(run) and one.version == version and one.processes == 1), None
    )


def ratio(above: float | None, below: float, digits: int = 3) -> str:
    return f"{above / below:8.{digits}f}" if above and below else f"{'-':>8}"


def table(runs: list[HarpyRun]) -> str:
    """Each run in a line; speed-ups on one process of the same version, and of V1."""
    lines = [
        f"{'':7}{'n':>3} {'semaphores':18}{'forward ms':>11}{'own':>8}{'on V1':>8}{'busy %':>8}"
        f"{'pruning ms':>11}{'own':>8}{'busy %':>8}  clock"
    ]
    for run in runs:
        own, first = one_process(run, runs, run.version), one_process(run, runs, "V1")
        lines.append(
            f"{run.version:7}{run.processes:3} {run.semaphore:18}{run.forward / 1e6:11.3f}"
            + ratio(own and own.forward, run.forward)
            + ratio(first and first.forward, run.forward)
            + ratio(run.median("utilization"), 1, 1)
            + f"{run.pruning / 1e6:11.3f}"
            + ratio(own and own.pruning, run.pruning)
            + ratio(run.median("pruning utilization"), 1, 1)
            + f"  {run.clock}"
        )
    printed = [f"{version}: {documents.line(version)}" for version in sorted({run.version for run in runs})]
    lines += [line for line in printed if not line.endswith(": ")]
    lines.append("busy: time at work over processes times time from barrier to barrier.")
    if any(run.clock == "counted" for run in runs):
        lines.append(
            "A counted clock adds up the instructions of all processors: its times are work, and its"
            " speed-ups mean nothing."
        )
    return "\n".join([*lines, *disagreements(runs)])


def disagreements(runs: list[HarpyRun]) -> list[str]:
    """Runs of the same utterances with other answers: there must be none."""
    found = []
    for run in runs:
        other = next(one for one in runs if one.task == run.task)
        if run.median("answer") != other.median("answer"):
            found.append(
                f"WRONG: {run.version} with {run.processes} processes and {other.version} with"
                f" {other.processes} give different answers for {run.task or 'the same utterances'}."
            )
    return found


def costs_of(run: HarpyRun, wake: float) -> Costs | None:
    """In nanoseconds, from one process's record with --units yes. `wake`: a V, and then as long again until
    the process runs."""
    names = (
        "CHECKNEXT",
        "CHECKSTATE, update",
        "CHECKSTATE, none",
        "SAVESTATES, kept",
        "push alone",
        "pop alone",
    )
    medians = [run.median(name) for name in names]
    pairs, candidates = run.median("pairs"), run.median("candidates")
    if None in medians or not pairs or not candidates:
        return None
    expand, update, none, save, push, pop = medians
    return Costs(
        max(0.0, expand / (pairs / candidates) - push), update, none, save, pop, push, pop, wake, wake
    )
