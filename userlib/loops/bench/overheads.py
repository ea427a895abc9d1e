#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What OpenMP's constructs cost over our libgomp and over gcc's: overheads.py PROGRAM FOLDER [ROUNDS=5]
[OMP_NUM_THREADS=2].

The program (overheads.c) runs by turns over each, with threads that are bound to processors. Told are medians
of all rounds in nanoseconds, their least and most, and the ratio of the medians. It judges nothing."""

import os
import statistics
import subprocess
import sys

import words

SAMPLES = "11"


def ran(program: str, folder: str, threads: int) -> dict[str, float]:
    """Nanoseconds by construct; the folder "" has gcc's library."""
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "OMP_PROC_BIND": "true"}
    environment.update({"LD_LIBRARY_PATH": folder} if folder else {})
    said = subprocess.run(
        [program, SAMPLES], env=environment, capture_output=True, text=True, check=True, timeout=600
    ).stdout
    return {name: float(value) for name, value in (line.split("\t") for line in said.splitlines())}


def spread(values: list[float]) -> str:
    return f"{statistics.median(values):9.1f} ({min(values):.1f} to {max(values):.1f})"


def main() -> int:
    program, folder = sys.argv[1], os.path.abspath(sys.argv[2])
    rounds, threads = words.read(sys.argv[3:], (words.ROUNDS, words.THREADS))
    ours, theirs = [], []
    for at in range(rounds):
        for one, other in ((ours, folder), (theirs, "")) if at % 2 == 0 else ((theirs, ""), (ours, folder)):
            one.append(ran(program, other, threads))
    print(f"{'ns':22} {'ours':34} {'gcc':34} ratio   {rounds} rounds, {threads} threads")
    for name in ours[0]:
        mine, its = [run[name] for run in ours], [run[name] for run in theirs]
        ratio = statistics.median(mine) / statistics.median(its)
        print(f"{name:22} {spread(mine):34} {spread(its):34} {ratio:5.2f}")
    return 0


if __name__ == "__main__":
    words.run("bench-loops", main)
