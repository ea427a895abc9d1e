#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What OpenMP's constructs cost over our libgomp and over gcc's: overheads.py PROGRAM FOLDER [ROUNDS=5]
[OMP_NUM_THREADS=2].

The program (overheads.c) runs by turns over each, with threads that are bound to processors. Told are
medians of all rounds in nanoseconds with the intervals that cover them in nine of ten cases, the ratio of the
medians, and whether ours takes at most what gcc's takes. Status 1: it takes more for some construct."""

import os
import subprocess
import sys

import words

sys.path.append(os.path.join(words.ROOT, "native", "compare"))
from judging import HOLDS, MISSED, NOISE, Value, value_of  # noqa: E402

SAMPLES = "11"
AIM = 0.7  # of what gcc's takes


def ran(program: str, folder: str, threads: int) -> dict[str, float]:
    """Nanoseconds by construct; the folder "" has gcc's library."""
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "OMP_PROC_BIND": "true"}
    environment.update({"LD_LIBRARY_PATH": folder} if folder else {})
    said = subprocess.run(
        [program, SAMPLES], env=environment, capture_output=True, text=True, check=True, timeout=600
    ).stdout
    return {name: float(value) for name, value in (line.split("\t") for line in said.splitlines())}


def spread(value: Value) -> str:
    return f"{value.median:9.1f} ({value.low:.1f} to {value.high:.1f})"


def verdict(mine: Value, its: Value) -> str:
    """Of intervals that do not meet; overheads may be nothing, so none divides by another."""
    if not mine.is_enough:
        return f"too few rounds ({mine.rounds})"
    if mine.high <= its.low:
        return HOLDS + ", below the aim" * (mine.high <= AIM * its.low)
    return MISSED if mine.low > its.high else NOISE


def judged(ours: list[dict[str, float]], theirs: list[dict[str, float]]) -> tuple[list[str], bool]:
    """A line for each construct, of the rounds over each library, and whether any is missed."""
    lines, is_missed = [], False
    for name in ours[0]:
        mine, its = value_of([run[name] for run in ours]), value_of([run[name] for run in theirs])
        ratio = f"{mine.median / its.median:5.2f}" if its.median > 0 else "    -"
        found = verdict(mine, its)
        is_missed = is_missed or found == MISSED
        lines.append(f"{name:22} {spread(mine):34} {spread(its):34} {ratio}  {found}")
    return lines, is_missed


def main() -> int:
    program, folder = sys.argv[1], os.path.abspath(sys.argv[2])
    rounds, threads = words.read(sys.argv[3:], (words.ROUNDS, words.THREADS))
    ours, theirs = [], []
    for at in range(rounds):
        for one, other in ((ours, folder), (theirs, "")) if at % 2 == 0 else ((theirs, ""), (ours, folder)):
            one.append(ran(program, other, threads))
    lines, is_missed = judged(ours, theirs)
    print(f"{'ns':22} {'ours':34} {'gcc':34} ratio  at most gcc's: {rounds} rounds, {threads} threads")
    print("\n".join(lines))
    return 1 if is_missed else 0


if __name__ == "__main__":
    words.run("bench-loops", main)
