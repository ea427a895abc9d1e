# SPDX-License-Identifier: MIT
"""HARPY on this machine's own processors: every version with 1 process and with more, by turns, under nxrun;
and whether all give the same answers (C05), also with more processes than there are processors."""

import json
import os
import statistics
import subprocess
import tempfile

from cmmp import harpy_documents as documents
from cmmp.harpy_measured import HarpyRun
from parley_runner import places

VERSIONS = ("V1", "V2", "V3", "V4", "V5")
MOST_FOR_ANSWERS = 4  # processes
LONGEST = 300  # seconds of one run
Answers = dict[tuple[str, int], tuple[str, ...]]  # by version and processes
Runs = dict[tuple[str, int], list[HarpyRun]]  # one of each round


def run(version: str, processes: int, semaphore: str, words: list[str]) -> tuple[HarpyRun, tuple[str, ...]]:
    """One run: what it has measured, and its sentences with their probabilities."""
    with tempfile.TemporaryDirectory() as here:
        record = os.path.join(here, "record.json")
        nxrun = os.path.join(places.BUILD, "native", "bin", "nxrun")
        harpy = os.path.join(places.BUILD, "native", "apps", "harpy", "harpy")
        if not os.path.exists(nxrun) or not os.path.exists(harpy):
            raise ValueError(f"there is no {nxrun} with its programs: run `make native` first.")
        command = [nxrun, "-n", str(processes), "--semaphore", semaphore, "--record", record, harpy]
        ran = subprocess.run(
            [*command, "--variant", version.removeprefix("V"), *words],
            capture_output=True,
            text=True,
            timeout=LONGEST,
        )
        if ran.returncode != 0:
            raise ValueError(f"{version} with {processes} processes failed: {ran.stderr.strip()}")
        with open(record, encoding="utf-8") as file:
            whole = json.load(file)
    sentences = tuple(line for line in ran.stdout.splitlines() if line.startswith('harpy: "'))
    return HarpyRun(whole, whole["jobs"][0]), sentences


def measure(processors: int, rounds: int, words: list[str]) -> tuple[Runs, Answers]:
    """All versions and numbers of processes, by turns; who waits spins, since each has a processor."""
    runs: Runs = {}
    answers: Answers = {}
    for _ in range(rounds):
        for version in VERSIONS:
            for processes in range(1, processors + 1):
                ran, answers[version, processes] = run(version, processes, "spin", words)
                runs.setdefault((version, processes), []).append(ran)
    return runs, answers


def more_answers(processors: int, words: list[str]) -> Answers:
    """Of the serial reference, and of processes that have to share processors."""
    answers = {("V0", 1): run("V0", 1, "kernel", words)[1]}
    for version in VERSIONS:
        for processes in range(processors + 1, MOST_FOR_ANSWERS + 1):
            answers[version, processes] = run(version, processes, "kernel", words)[1]
    return answers


def spread(values: list[float], digits: int) -> str:
    middle = statistics.median(values)
    return f"{middle:.{digits}f} ({min(values):.{digits}f} to {max(values):.{digits}f})"


def table(runs: Runs) -> str:
    """Medians over the rounds, and the least and the most; a speed-up is that of one round's times."""
    lines = [f"{'':4}{'n':>3}  {'forward, ms':30}{'own':24}{'on V1':24}{'busy %':>7}  {'pruning, ms':20}"]
    for (version, processes), all_runs in runs.items():
        forward = [one.forward for one in all_runs]
        busy = statistics.median(one.median("utilization") or 0.0 for one in all_runs)

        def against(other: str) -> str:
            first = runs[other, 1]
            return spread([one.forward / here for one, here in zip(first, forward)], 2)

        lines.append(
            f"{version:4}{processes:3}  {spread([one / 1e6 for one in forward], 3):30}"
            f"{against(version):24}{against('V1'):24}{busy:7.1f}"
            f"  {spread([one.pruning / 1e6 for one in all_runs], 3):20}"
        )
    lines += [f"{version}: {documents.line(version)}" for version in VERSIONS if documents.line(version)]
    return "\n".join(lines)


def same_answers(answers: Answers) -> tuple[str, bool]:
    """C05, over all that were run."""
    reference = answers["V0", 1]
    others = [f"{version} with {n}" for (version, n), one in answers.items() if one != reference]
    most = max(n for _, n in answers)
    told = f"differ: {', '.join(others)}" if others else f"{len(answers)} runs, {len(reference)} utterances"
    return (
        f"C05: V1 to V5 with 1 to {most} processes find the serial reference's sentences and probabilities"
        f" ({told})",
        not others and bool(reference),
    )
