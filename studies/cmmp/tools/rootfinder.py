#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The rootfinder's theory, and measurements beside it.

rootfinder.py theory
rootfinder.py booted [--rounds N]       thresholds of two processes in booted kernels, free running:
                                        studies/cmmp/data/booted.json; 6 s a round
rootfinder.py costs                     counts what P and V cost here: studies/cmmp/data/profiles.json
rootfinder.py model                     thresholds from what P and V cost, beside the documents'; and from
                                        what they, and messages, cost here
rootfinder.py compare RECORD.json...    records of `make run APP=rootfinder`, or of nxrun
rootfinder.py advise FILE...            which semaphores fit what a program computes between waits:
                                        a record of the rootfinder, or a booted run's FILE.trace
"""

import argparse
import json
import os
import sys

TOOLS = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [TOOLS, os.path.join(TOOLS, "..", "..", "..", "tools")]

from cmmp import (  # noqa: E402
    advice,
    booted,
    measured,
    model,
    profiles,
    theory,
)
from parley_study import closing  # noqa: E402
from parley_runner.status import BadRequest  # noqa: E402


def show_advice(asked) -> None:
    if not asked.records:
        raise BadRequest("advise wants a record of the rootfinder, or a trace.")
    if not 0 < asked.limit < 100:
        raise BadRequest(f"--limit {asked.limit:g} is no percentage between 0 and 100.")
    if asked.instruction is not None and not asked.instruction > 0:
        raise BadRequest(f"--instruction {asked.instruction:g} is no time: it must be above 0.")
    profile = profiles.kept()[asked.profile]
    for place, path in enumerate(asked.records):
        said = advice.advise(path, profile, asked.profile, asked.limit / 100, asked.instruction)
        print("\n".join(["", *said] if place else said))


def carry_out(asked) -> int:
    try:
        if asked.command == "advise":
            show_advice(asked)
        elif asked.command == "booted":
            print("\n".join(booted.table(booted.record(asked.rounds))))
        else:
            from cmmp import native_costs

            print(json.dumps(native_costs.record(), indent=1))
    except BadRequest as problem:
        print(f"rootfinder: {problem}", file=sys.stderr)
        return 2
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    commands = ("theory", "model", "compare", "booted", "costs", "advise")
    parser.add_argument("command", choices=commands)
    parser.add_argument("records", nargs="*", metavar="FILE")
    parser.add_argument(
        "--deviation", type=float, default=0.25, help="of normal lengths, over their mean (default 0.25)"
    )
    parser.add_argument(
        "--rounds", type=int, default=7, help="booted: boots of each kind and length (default 7)"
    )
    parser.add_argument(
        "--limit", type=float, default=10, help="advise: percent that waiting may cost (default 10)"
    )
    parser.add_argument(
        "--profile", choices=("native", "cmmp-1978"), default="native", help="advise: whose costs"
    )
    parser.add_argument(
        "--instruction", type=float, metavar="NS", help="advise: how long an instruction of the profile takes"
    )
    asked = parser.parse_args()
    if asked.command == "theory":
        print(theory.table(asked.deviation))
        return 0
    if asked.command == "model":
        print("\n".join([model.documents_table(), *profiles.table(profiles.kept())]))
        return 0
    if asked.command in ("booted", "costs", "advise"):
        return carry_out(asked)
    try:
        runs = measured.runs_of(asked.records)
    except (OSError, json.JSONDecodeError, KeyError) as problem:
        print(f"rootfinder: a record cannot be read: {problem}", file=sys.stderr)
        return 2
    if not runs:
        print("rootfinder: these records hold no run of the rootfinder.", file=sys.stderr)
        return 2
    print(measured.table(runs, asked.deviation))
    return 0


if __name__ == "__main__":
    sys.exit(closing.of(main))
