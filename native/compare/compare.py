#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Our library, the MPIs that are installed, and sockets, by turns on this machine: compare.py BUILD
[--rounds N] [--only WHO,WHO].

Every measurement is a ratio: to x, the bare message of two cache lines that the same program has taken before
and after each of a row's batches, or to a rival's in the same units. What the machine allows is a contestant,
too: exchanges that are written by hand (wire_limit.c). Rows in which the machine moved its processors again
and again are dropped. What is inside the noise is not ranked (judging.py). The record of it
all, which the report draws, is BUILD/compare/record.json. Status 0 whatever came out; 1: a program failed;
2: a request that makes no sense."""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import time

import judging

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "tools"))
from parley_runner import ending, frames, record, table  # noqa: E402

SETTLED = 20  # batches of a row, at least, at whose two ends the yardstick is the same
PAIR_TESTS = ("pingpong", "oneway", "stream", "collectives")
# What some contestants are there for; all others run all tests.
TESTS = {
    "parley": ("lines", *PAIR_TESTS),
    "parley-pointer": ("pingpong",),  # the other tests send one buffer again and again
    "parley-waiting": ("pingpong", "oneway"),
    "parley-large": ("pingpong",),
    "limit-line": PAIR_TESTS,
    "limit-lines": ("pingpong",),
    "limit-two-lines": ("pingpong",),
    "limit-once": ("pingpong",),
    "limit-twice": ("pingpong",),
    "limit-shared": ("pingpong",),
    "limit-pointer": ("pingpong",),
    "limit-ring": ("stream",),
}
CROWDS = (4, 8)
STARTED = 64  # ranks
STARTING = ("parley", "openmpi", "mpich")  # how they are tuned changes no start
IN_CROWDS = ("parley", "openmpi", "openmpi-tuned", "mpich", "mpich-tuned", "socket")
TUNED = {
    "openmpi": [
        *("--mca", "pml", "ob1", "--mca", "btl", "self,vader"),
        *("--mca", "btl_vader_single_copy_mechanism", "none"),
        *("--mca", "btl_vader_eager_limit", "65536", "--mca", "btl_vader_max_send_size", "65536"),
    ],
    "mpich": ["-env", "UCX_TLS", "self,posix"],
}


def contestants(build: str) -> dict[str, list[str]]:
    """How each is started with N ranks; a word of {n} stands for N."""
    nxrun = [os.path.join(build, "native", "bin", "nxrun"), "-n", "{n}", "--limit", "120"]
    measure = os.path.join(build, "compare", "measure-")
    found = {
        "parley": [*nxrun, f"{measure}nx"],
        "parley-large": [*nxrun, "-d", "native,transfer=adaptive", f"{measure}nx"],
        "parley-pointer": [*nxrun, "-d", "native-pointer", f"{measure}nx"],
        "parley-waiting": [*nxrun, "-d", "native,synchronization=two-phase", f"{measure}nx"],
    }
    root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    starts = {
        "openmpi": ["mpiexec.openmpi", *root, "--bind-to", "none", "--oversubscribe", "-n", "{n}"],
        "mpich": ["mpiexec.mpich", "-n", "{n}"],
    }
    for mpi, start in starts.items():
        if shutil.which(start[0]) and os.path.exists(measure + mpi):
            found[mpi] = [*start, measure + mpi]
            found[f"{mpi}-tuned"] = [*start, *TUNED[mpi], measure + mpi]
    found["socket"] = [f"{measure}socket", "-n", "{n}"]
    for way in ("line", "lines", "two-lines", "once", "twice", "shared", "pointer", "ring"):
        found[f"limit-{way}"] = [f"{measure}limit", "-n", "{n}", "--way", way]
    return found


def is_limit(who: str) -> bool:
    """Written by hand for one exchange: no message system, so it is ranked with none."""
    return who.startswith("limit-")


def rows_of(start: list[str], ranks: int, tests: tuple[str, ...]) -> list[dict] | None:
    """The rows that can be believed, in the words of a record, with their `yardstick` and the `ratio` to it
    (0: none). None: the program failed."""
    said = output_of([word.format(n=ranks) for word in start] + list(tests))
    if said is None:
        return None
    rows = []
    for text in said.splitlines():
        kind, *fields = text.split(",")
        if kind == "ROW":
            metric, size, *numbers = fields
            least, lower, median, upper, most, settled, yardstick, ratio = map(float, numbers)
            if settled >= SETTLED:
                spread = dict(zip(SPREAD, (median, lower, upper, least, most)))
                unit = {"yardstick": yardstick, "ratio": ratio}
                rows.append({"metric": metric, "size": int(size), **unit, **spread})
    return rows


def output_of(line: list[str]) -> str | None:
    try:
        done = subprocess.run(line, capture_output=True, text=True, timeout=300, check=False)
    except subprocess.TimeoutExpired:
        print(f"\nfailed: {' '.join(line)}\nIt took longer than five minutes.", file=sys.stderr)
        return None
    if done.returncode != 0:
        print(f"\nfailed: {' '.join(line)}\n{done.stderr[-500:]}", file=sys.stderr)
        return None
    return done.stdout


def start_of(start: list[str]) -> list[dict] | None:
    """As rows_of(): what the whole command takes that starts many ranks, which meet once and end."""
    before = time.monotonic_ns()
    if output_of([word.format(n=STARTED) for word in start]) is None:
        return None
    took = float(time.monotonic_ns() - before)
    about = {"metric": f"start-{STARTED}", "size": 0, "yardstick": 0.0, "ratio": 0.0}
    return [{**about, **dict.fromkeys(SPREAD, took)}]


SPREAD = ("median", "lower_quartile", "upper_quartile", "minimum", "maximum")
assert set(SPREAD) <= set(frames.SPREAD)


class Samples:
    """Of each contestant, metric and size: one quartile a round, in ns and in units of its yardsticks."""

    def __init__(self) -> None:
        self.of: dict[tuple[str, str, int], list[tuple[float, float]]] = {}
        self.yardsticks: list[float] = []

    def add(self, who: str, rows: list[dict]) -> None:
        for row in rows:
            took = row["lower_quartile"]
            if row["yardstick"]:
                self.yardsticks.append(row["yardstick"])
            one = (took, row["ratio"] if row["yardstick"] else took)
            self.of.setdefault((who, row["metric"], row["size"]), []).append(one)

    def ratio(self, who: str, metric: str, size: int) -> judging.Value | None:
        return judging.value_of([ratio for _, ratio in self.of.get((who, metric, size), [])])


def measure(found: dict[str, list[str]], rounds: int) -> tuple[Samples, list[dict], set[str]]:
    """The samples, a run of the record for each contestant and round, and who failed."""
    samples, runs, failed = Samples(), [], set()
    for turn in range(rounds):
        for who, start in found.items():
            print(f"\rround {turn + 1} of {rounds}: {who:16}", end="", file=sys.stderr, flush=True)
            rows = rows_of(start, 2, TESTS.get(who, PAIR_TESTS))
            if who in IN_CROWDS and rows is not None:
                for ranks in CROWDS:
                    crowd = rows_of(start, ranks, ("collectives",))
                    rows = None if crowd is None or rows is None else rows + crowd
            if who in STARTING and rows is not None:
                begun = start_of(start)
                rows = None if begun is None else rows + begun
            if rows is None:
                failed.add(who)
                continue
            samples.add(who, rows)
            runs.append(run_of(who, start, rows))
    print(file=sys.stderr)
    return samples, runs, failed


def run_of(who: str, start: list[str], rows: list[dict]) -> dict:
    """As a booted run's record (docs/reports.md), so that the report draws it."""
    about = {"job": 0, "node": 0, "access": "", "unit": "ns", "samples": 61}
    unit = statistics.median([row["yardstick"] for row in rows if row["yardstick"]] or [0.0])
    lines = [{**about, "name": table.YARDSTICK, "bytes": 0, "samples": 1, **dict.fromkeys(SPREAD, unit)}]
    for row in rows:
        metric, _, ranks = row["metric"].partition("-")
        name, size = (f"{metric}, {ranks}", 0) if ranks else (metric, row["size"])
        lines.append({**about, "name": name, "bytes": size, **{key: row[key] for key in SPREAD}})
    job = {"job": 0, "name": "measure", "app": "measure", "design": who, "nodes": 2, "status": "ok"}
    host = {"emulator": "Linux", "threads": "multi", "cores": os.cpu_count(), "processor": processor()}
    return {
        **{"format": record.FORMAT, "schema": record.SCHEMA, "status": "success", "exit_status": 0},
        **{"sentence": "", "design": who, "app": "measure", "nodes": 2, "processors": os.cpu_count()},
        **{"clock": "native", "dispatch": "virtual", "checks": None, "kernel": None, "plan": {}},
        **{"jobs": [job], "processes": [], "rows": lines, "times": [], "host": host},
        "asked": {"processors": os.cpu_count(), "jobs": [{"design": who, "app": "measure"}]},
        "command": " ".join(start).format(n=2),
    }


def processor() -> str:
    """What Linux calls it, with family and model: the names of cloud machines say little else."""
    facts = {}
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        for line in file:
            name, _, value = line.partition(":")
            facts.setdefault(name.strip(), value.strip())
    family, model = (facts.get(name, "?") for name in ("cpu family", "model"))
    return f"{facts.get('model name', 'unknown')}, family {family} model {model}"


def is_crowd(metric: str) -> bool:
    return metric.endswith(tuple(f"-{ranks}" for ranks in (*CROWDS, STARTED)))


def tables(samples: Samples, found: dict[str, list[str]]) -> None:
    keys = {(metric, size) for _, metric, size in samples.of if metric != "lines"}
    keys = sorted(keys, key=lambda one: (is_crowd(one[0]), one[0] != "pingpong", one))
    systems, limits = ([who for who in found if is_limit(who) == by_hand] for by_hand in (False, True))
    pairs, crowds = ([key for key in keys if is_crowd(key[0]) == crowd] for crowd in (False, True))
    for title, names, rows, scale in (
        ("in x", systems, pairs, 1.0),
        ("by hand, in x", limits, pairs, 1.0),
        ("in us", systems, crowds, 1e-3),
    ):
        lines = [[title, *names, "" if names == limits else "fastest"]]
        for metric, size in rows:
            values = {who: value for who in names if (value := samples.ratio(who, metric, size))}
            cells = [scaled(values[who], scale).short if who in values else "-" for who in names]
            if values:
                lines.append([f"{metric} {size}", *cells, "" if names == limits else judging.fastest(values)])
        if len(lines) > 1:
            print_table(lines)


def scaled(value: judging.Value, scale: float) -> judging.Value:
    return judging.Value(value.median * scale, value.low * scale, value.high * scale, value.rounds)


def print_table(lines: list[list[str]]) -> None:
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    for line in lines:
        cells = [cell.rjust(width) for cell, width in zip(line[1:-1], widths[1:-1])]
        print("  ".join([line[0].ljust(widths[0]), *cells, line[-1]]).rstrip())
    print()


RIVALS = {
    "tuned": ("openmpi-tuned", "mpich-tuned"),
    "default": ("openmpi", "mpich"),
    "every MPI": ("openmpi", "openmpi-tuned", "mpich", "mpich-tuned"),
    "a copy by hand": ("limit-once", "limit-twice", "limit-shared"),
}


def best_of(samples: Samples, name: str, metric: str, size: int) -> judging.Value | None:
    """The contestant's of that name, or the best of those that it stands for."""
    values = [samples.ratio(who, metric, size) for who in RIVALS.get(name, (name,))]
    return judging.best([value for value in values if value]) if any(values) else None


def against(samples: Samples, goal: dict, size: int) -> judging.Value | None:
    """How many times faster than the better of those rivals, or than a rival was at its quietest."""
    mine = samples.ratio(goal["who"], goal["metric"], size)
    rival = best_of(samples, goal["against"], goal["metric"], size)
    if not mine or not rival:
        return None
    if goal.get("quietest"):
        least = min(ratio for _, ratio in samples.of[goal["against"], goal["metric"], size])
        rival = judging.Value(least, least, least, rival.rounds)
    return judging.times_faster(mine, rival)


def verdicts(samples: Samples, goals: dict) -> None:
    lines = [["goal", "wanted", "median (interval)", "verdict"]]

    def add(goal: dict, size: int, wanted: str, value: judging.Value | None, **limits: float) -> None:
        what = f"{goal['who']}: {goal['metric']} {size}"
        lines.append([what, wanted, str(value or "-"), judging.verdict(value, **limits)])

    for goal in goals["yardsticks"]:
        for size in goal["bytes"]:
            value = samples.ratio(goal["who"], goal["metric"], size)
            add(goal, size, f"at most {goal['most']} x", value, most=goal["most"])
    for goal in goals["slower"]:
        for size in goal["bytes"]:
            mine = samples.ratio(goal["who"], goal["metric"], size)
            other = best_of(samples, goal["against"], goal["metric"], size)
            value = judging.times_faster(other, mine) if mine and other else None
            add(goal, size, f"at most {goal['most']} times {goal['against']}", value, most=goal["most"])
    for goal in goals["peers"]:
        for size in goal["bytes"]:
            wanted = f"{goal['least']} times faster than {goal['against']}"
            wanted += " at its quietest" if goal.get("quietest") else ""
            add(goal, size, wanted, against(samples, goal, size), least=goal["least"])
    print_table(lines)


def describe_unit(samples: Samples) -> None:
    """x brackets each batch. The same exchange as a row of its own shows what that makes of it."""
    unit, lines = judging.value_of(samples.yardsticks), samples.ratio("parley", "lines", 0)
    if unit:
        print(f"x: a bare message of two cache lines, one way, before and after each batch: {unit} ns")
    if lines:
        print(f"The same measured as a row of its own, in 61 batches: {lines} x")
    print()


def chosen(names: list[str], found: dict[str, list[str]]) -> dict[str, list[str]]:
    unknown = [name for name in names if name not in found]
    if unknown:
        print(f"There is no contestant {unknown[0]}; there are {', '.join(found)}.", file=sys.stderr)
        sys.exit(2)
    return {who: start for who, start in found.items() if not names or who in names}


def main() -> int:
    parser = argparse.ArgumentParser(prog="make compare", description=__doc__)
    parser.add_argument("build")
    parser.add_argument("--rounds", type=int, default=8, help="how often everything is run, by turns")
    parser.add_argument("--only", default="", help="contestants, with commas between them")
    wanted = parser.parse_args()
    if wanted.rounds < 1:
        print(f"ROUNDS takes a number of rounds from 1 on, not {wanted.rounds}.", file=sys.stderr)
        return 2
    with open(os.path.join(HERE, "goals.json"), encoding="utf-8") as file:
        goals = json.load(file)
    everyone = contestants(wanted.build)
    found = chosen([name for name in wanted.only.split(",") if name], everyone)
    for who, what in goals["contestants"].items():
        print(f"{who:16} {what}" + ("" if who in everyone else " (not installed, left out)"))
    print()
    samples, runs, failed = measure(found, wanted.rounds)
    print(f"on {processor()}, {os.cpu_count()} processors")
    describe_unit(samples)
    tables(samples, found)
    verdicts(samples, goals)
    path = os.path.join(wanted.build, "compare", "record.json")
    if runs:
        record.write(path, runs)
        print(f"{len(runs)} runs in {path}; load of the host: {os.getloadavg()[0]:.1f}")
    return 1 if failed or not runs else 0


if __name__ == "__main__":
    try:
        sys.exit(ending.of(main))
    except KeyboardInterrupt:
        sys.exit(130)
