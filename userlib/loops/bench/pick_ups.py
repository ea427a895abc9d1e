#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""How many instructions a thread of a team takes to pick up an iteration, under each distribution:
pick_ups.py PROGRAM FOLDER [OMP_NUM_THREADS=2]. The program (pick_ups.c) counts them over the library in the
folder; what is counted is the same in every run, for no other thread picks up meanwhile. Then in Cedar's
loops by calls, flat and within a cluster. It judges nothing."""

import os
import subprocess
import sys

import words

sys.path.insert(0, os.path.join(words.ROOT, "tools"))
import list_leaves  # noqa: E402


def counted(program: list[str], folder: str, distribution: str, threads: int) -> list[str]:
    """The least, the median and the most, and of how many."""
    environment = {
        **os.environ,
        "LD_LIBRARY_PATH": folder,
        "LD_BIND_NOW": "1",
        "OMP_NUM_THREADS": str(threads),
        "PARLEY_LOOPS": f"distribution={distribution}",
    }
    said = subprocess.run(program, env=environment, capture_output=True, text=True, check=True, timeout=600)
    return said.stdout.split()


def tell(name: str, found: list[str]) -> None:
    print(f"{name:14} " + " ".join(f"{number:>7}" for number in found))


def main() -> int:
    program, folder = sys.argv[1], os.path.abspath(sys.argv[2])
    (threads,) = words.read(sys.argv[3:], (words.THREADS,))
    names = list_leaves.leaves("distribution", list_leaves.ROOTS["loops"]["distribution"], words.ROOT)
    print(f"{'instructions':14} {'least':>7} {'median':>7} {'most':>7} {'of':>7}   {threads} threads")
    for name in sorted(names):
        tell(name, counted([program], folder, name.replace("_", "-"), threads))
    for loop, name in (("xdoall", "Cedar's XDOALL"), ("cdoall", "Cedar's CDOALL")):
        tell(name, counted([program, loop], folder, "xdoall", threads))
    return 0


if __name__ == "__main__":
    words.run("count-loops", main)
