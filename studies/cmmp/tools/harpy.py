#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""HARPY's versions by a model, and measurements, beside what the documents print.

harpy.py model WORK.txt...              a model: all units of work, a clock for each processor
harpy.py compare RECORD.json...         records of `make run APP=harpy`, or of nxrun
harpy.py native [--rounds N] [--utterances N] [--work N]   measured on this machine, under nxrun

WORK.txt is what `harpy --variant 0 --write work` shows, under nxrun for instance. The model's costs are the
documents', in milliseconds, or those of a record (--costs) of one process with --variant 4 --units yes.
"""

import argparse
import json
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "..", "tools"))

from cmmp import harpy_measured, harpy_model, harpy_native, harpy_study, harpy_work  # noqa: E402
from parley_study import closing  # noqa: E402


def costs_for(asked: argparse.Namespace, segments: list[harpy_work.Segment]) -> harpy_model.Costs:
    if not asked.costs:
        return harpy_model.documents_costs(segments)
    for run in harpy_measured.runs_of([asked.costs]):
        costs = harpy_measured.costs_of(run, asked.wake)
        if costs:
            return costs
    raise ValueError(
        f"{asked.costs}: no run in it has timed its units: take --variant 4 --units yes, one process"
    )


def model(asked: argparse.Namespace) -> int:
    held, all_results = True, []
    for path in asked.files:
        segments = harpy_work.read(path)
        costs = costs_for(asked, segments)
        results = harpy_study.results_of(costs, segments, asked.processes)
        all_results.append((harpy_study.complexity(segments), results))
        unit, source = ("ns", asked.costs) if asked.costs else ("ms", "the documents")
        print(f"{path}: {harpy_study.workload(segments)}")
        print(f"A model, no measurement; costs from {source}, times in {unit}.")
        print(harpy_study.table(results))
        for sentence, holds in harpy_study.findings(results, costs):
            print(f"{'holds' if holds else 'DOES NOT HOLD'}: {sentence}")
            held = held and holds
        print()
    if len(all_results) > 1:
        sentence, holds = harpy_study.richer(all_results)
        print(f"{'holds' if holds else 'DOES NOT HOLD'}: {sentence}")
        held = held and holds
    return 0 if held else 1


def compare(asked: argparse.Namespace) -> int:
    runs = harpy_measured.runs_of(asked.files)
    if not runs:
        print("harpy: these records hold no run of harpy.", file=sys.stderr)
        return 2
    print(harpy_measured.table(runs))
    return 1 if harpy_measured.disagreements(runs) else 0


def native(asked: argparse.Namespace) -> int:
    processors = min(len(os.sched_getaffinity(0)), harpy_native.MOST_FOR_ANSWERS)
    words = ["--utterances", str(asked.utterances), "--work", str(asked.work)]
    runs, answers = harpy_native.measure(processors, asked.rounds, words)
    print(
        f"Measured under nxrun, time-stamp counter, {asked.rounds} rounds by turns, {processors} processors,"
        f" --semaphore spin, {' '.join(words)}: median (least to most)."
    )
    print(harpy_native.table(runs))
    sentence, holds = harpy_native.same_answers(answers | harpy_native.more_answers(processors, words))
    print(f"{'holds' if holds else 'DOES NOT HOLD'}: {sentence}")
    return 0 if holds else 1


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("command", choices=("model", "compare", "native"))
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--processes", type=int, default=8, choices=range(2, 13), help="at most (default 8)")
    parser.add_argument("--costs", metavar="RECORD.json", help="of units of work (default: the documents')")
    parser.add_argument(
        "--wake", type=float, default=0, help="with --costs: a V, and a wake-up, in ns (default 0)"
    )
    parser.add_argument("--rounds", type=int, default=5, choices=range(1, 101), metavar="N", help="native")
    parser.add_argument("--utterances", type=int, default=15, metavar="N", help="native: so many each run")
    parser.add_argument("--work", type=int, default=0, metavar="N", help="native: units of work are longer")
    asked = parser.parse_intermixed_args()
    if (asked.command == "native") == bool(asked.files):
        print(f"harpy: {asked.command} takes {'no files' if asked.files else 'files'}.", file=sys.stderr)
        return 2
    try:
        if asked.command == "native":
            return native(asked)
        return model(asked) if asked.command == "model" else compare(asked)
    except (OSError, json.JSONDecodeError, KeyError) as problem:
        print(f"harpy: a file cannot be read: {problem}", file=sys.stderr)
    except ValueError as problem:
        print(f"harpy: {problem}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(closing.of(main))
