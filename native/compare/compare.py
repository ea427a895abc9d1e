#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Our library and the MPIs that are installed, by turns on this machine: compare.py BUILD [--rounds N].

Every measurement is a ratio: to the bare message of two cache lines that the same program has taken just
before and just after (x), or to a rival's in the same units. Rows during which the machine moved its
processors are dropped. A goal holds or is missed only if all rounds say so; else it is inside the noise. The
rows stay in BUILD/compare/rows.json. Status 0 whatever came out; 1: a program failed."""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
SETTLED = 1.35  # of the two yardsticks of a row, at most so far apart
PAIR_TESTS = ("pingpong", "oneway", "stream", "collectives")
ONLY = {"parley-pointer": ("pingpong",)}  # the others send one buffer again and again
CROWDS = (4, 8)


def contestants(build: str) -> dict[str, list[str]]:
    """How each is started with N ranks; a word of {n} stands for N."""
    nxrun = [os.path.join(build, "native", "bin", "nxrun"), "-n", "{n}", "--limit", "120"]
    ours = os.path.join(build, "compare", "measure-nx")
    found = {
        "parley": [*nxrun, "-d", "exp6,port=carrying", ours],
        "parley-large": [*nxrun, "-d", "exp6,port=carrying,transfer=adaptive", ours],
        "parley-pointer": [*nxrun, "-d", "exp2-user,port=carrying", ours],
        "parley-waiting": [*nxrun, "-d", "exp6,port=carrying,synchronization=two-phase", ours],
    }
    root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    if shutil.which("mpiexec.openmpi"):
        start = ["mpiexec.openmpi", *root, "--bind-to", "none", "--oversubscribe", "-n", "{n}"]
        tuned = ["--mca", "pml", "ob1", "--mca", "btl", "self,vader"]
        tuned += ["--mca", "btl_vader_single_copy_mechanism", "none"]
        tuned += ["--mca", "btl_vader_eager_limit", "65536", "--mca", "btl_vader_max_send_size", "65536"]
        program = os.path.join(build, "compare", "measure-openmpi")
        found["openmpi"] = [*start, program]
        found["openmpi-tuned"] = [*start, *tuned, program]
    if shutil.which("mpiexec.mpich"):
        program = os.path.join(build, "compare", "measure-mpich")
        found["mpich"] = ["mpiexec.mpich", "-n", "{n}", program]
        found["mpich-tuned"] = ["mpiexec.mpich", "-env", "UCX_TLS", "self,posix", "-n", "{n}", program]
    return found


def rows_of(start: list[str], ranks: int, tests: tuple[str, ...]) -> list[tuple]:
    """(metric, bytes, least ns, quartile ns, yardstick ns or 0): of the rows that can be believed."""
    line = [word.format(n=ranks) for word in start] + list(tests)
    done = subprocess.run(line, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 0:
        print(f"failed: {' '.join(line)}\n{done.stderr[-500:]}", file=sys.stderr)
        return []
    rows = []
    for text in done.stdout.splitlines():
        kind, *fields = text.split(",")
        if kind != "ROW":
            continue
        metric, size, least, quartile, before, after = fields
        low, high = sorted((float(before), float(after)))
        if high <= SETTLED * low or high == 0:
            rows.append((metric, int(size), float(least), float(quartile), (low + high) / 2))
    return rows


class Samples:
    """Of each contestant, metric and size: one (ns, in units of the yardstick) a round."""

    def __init__(self) -> None:
        self.of: dict[tuple[str, str, int], list[tuple[float, float]]] = {}

    def add(self, who: str, rows: list[tuple]) -> None:
        for metric, size, _, quartile, yardstick in rows:
            ratio = quartile / yardstick if yardstick else quartile
            self.of.setdefault((who, metric, size), []).append((quartile, ratio))

    def ratios(self, who: str, metric: str, size: int) -> list[float]:
        return [ratio for _, ratio in self.of.get((who, metric, size), [])]

    def times(self, who: str, metric: str, size: int) -> list[float]:
        return [time for time, _ in self.of.get((who, metric, size), [])]


def measure(found: dict[str, list[str]], rounds: int) -> Samples:
    samples = Samples()
    for turn in range(rounds):
        for who, start in found.items():
            print(f"\rround {turn + 1} of {rounds}: {who:16}", end="", file=sys.stderr, flush=True)
            samples.add(who, rows_of(start, 2, ONLY.get(who, PAIR_TESTS)))
            if who in ("parley", "openmpi", "mpich"):
                for ranks in CROWDS:
                    samples.add(who, rows_of(start, ranks, ("collectives",)))
    print(file=sys.stderr)
    return samples


def spread(values: list[float]) -> str:
    if not values:
        return "-"
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def table(samples: Samples, found: dict[str, list[str]]) -> None:
    metrics = sorted(
        {(metric, size) for _, metric, size in samples.of}, key=lambda one: (one[0] != "pingpong", one)
    )
    head = ["in units of two cache lines", *found]
    lines = [head]
    for metric, size in metrics:
        if not metric.endswith(tuple(f"-{ranks}" for ranks in CROWDS)):
            values = [samples.ratios(who, metric, size) for who in found]
            lines.append([f"{metric} {size}", *(f"{statistics.median(v):.2f}" if v else "-" for v in values)])
    print_table(lines)


def print_table(lines: list[list[str]]) -> None:
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    for line in lines:
        cells = [line[0].ljust(widths[0])] + [cell.rjust(w) for cell, w in zip(line[1:], widths[1:])]
        print("  ".join(cells).rstrip())
    print()


def verdict(values: list[float], holds) -> str:
    if not values:
        return "not measured"
    told = {holds(value) for value in values}
    return "inside the noise" if len(told) > 1 else "holds" if told.pop() else "missed"


def against(samples: Samples, goal: dict, size: int) -> list[float]:
    """How many times faster than the better of those rivals, in each round."""
    mine = samples.ratios(goal["who"], goal["metric"], size)
    kinds = {"tuned": ("openmpi-tuned", "mpich-tuned"), "default": ("openmpi", "mpich")}
    rivals = [
        statistics.median(ratios)
        for who in kinds.get(goal["against"], (goal["against"],))
        if (ratios := samples.ratios(who, goal["metric"], size))
    ]
    return [min(rivals) / value for value in mine] if rivals else []


def verdicts(samples: Samples, goals: dict) -> None:
    lines = [["goal", "wanted", "median (range)", "verdict"]]

    def add(goal: dict, size: int, wanted: str, values: list[float], holds) -> None:
        what = f"{goal['who']}: {goal['metric']} {size}"
        lines.append([what, wanted, spread(values), verdict(values, holds)])

    for goal in goals["yardsticks"]:
        for size in goal["bytes"]:
            most = goal["most"]
            values = samples.ratios(goal["who"], goal["metric"], size)
            add(goal, size, f"at most {most} x", values, lambda value, most=most: value <= most)
    for goal in goals["times"]:
        for size in goal["bytes"]:
            most = goal["most_ns"]
            values = samples.times(goal["who"], goal["metric"], size)
            add(goal, size, f"at most {most} ns", values, lambda value, most=most: value <= most)
    for goal in goals["peers"] + goals["crowded"]:
        for size in goal.get("bytes", [0]):
            least = goal["least"]
            wanted = f"{least} times faster than {goal['against']}"
            values = against(samples, goal, size)
            add(goal, size, wanted, values, lambda value, least=least: value >= least)
    print_table(lines)


def main() -> int:
    parser = argparse.ArgumentParser(prog="make compare", description=__doc__)
    parser.add_argument("build")
    parser.add_argument("--rounds", type=int, default=5, help="how often everything is run, by turns")
    wanted = parser.parse_args()
    with open(os.path.join(HERE, "goals.json"), encoding="utf-8") as file:
        goals = json.load(file)
    found = contestants(wanted.build)
    for who, what in goals["contestants"].items():
        print(f"{who:16} {what}" + ("" if who in found else " (not installed, left out)"))
    print()
    samples = measure(found, wanted.rounds)
    table(samples, found)
    verdicts(samples, goals)
    path = os.path.join(wanted.build, "compare", "rows.json")
    rows = [{"who": w, "metric": m, "bytes": b, "samples": v} for (w, m, b), v in samples.of.items()]
    with open(f"{path}.new", "w", encoding="utf-8") as file:
        json.dump({"rounds": wanted.rounds, "rows": rows}, file, indent=1)
    os.replace(f"{path}.new", path)
    print(f"{len(rows)} rows in {path}; load of the host: {os.getloadavg()[0]:.1f}")
    return 0 if all(samples.ratios(who, "pingpong", 0) for who in found) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
