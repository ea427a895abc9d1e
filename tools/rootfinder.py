#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The rootfinder's theory, and measurements beside it.

  tools/rootfinder.py theory
  tools/rootfinder.py study [--out DIR]         tables 4.1 and 4.2, and the figures, on the simulated machine
  tools/rootfinder.py costs                     counts what P and V cost here: docs/data/cmmp-profiles.json
  tools/rootfinder.py model                     thresholds from what P and V cost, beside the documents'
  tools/rootfinder.py compare RECORD.json...    records of `make run APP=rootfinder`, or of nxrun
"""

import argparse
import json
import os
import sys

TOOLS = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [TOOLS]

from cmmp import (  # noqa: E402
    claims,
    documents,
    machine_claims,
    machine_study,
    machine_tables,
    measured,
    model,
    simulation,
    study,
    tables,
    theory,
)
from parley_report import packages, page  # noqa: E402
from parley_runner.status import BadRequest  # noqa: E402


def show_study(folder: str) -> None:
    """Prints; with a folder, draws too."""
    if folder:
        packages.need("matplotlib", "jinja2")
        page.check_folder(folder)
    profiles = simulation.profiles()
    machine = simulation.Machine(profiles["cmmp-1978"])
    whole = study.whole(machine, "cmmp-1978")
    hardware = machine_study.whole(machine)
    made = claims.judge(machine, whole) + machine_claims.judge(machine.profile, hardware)
    judged = [("Claims, profile cmmp-1978", sorted(made, key=lambda claim: claim.number))]
    lines = [
        *tables.costs(whole, 1e6, "ms"),
        *tables.crossings(whole, 1e6, "ms"),
        *tables.servers(whole),
        *tables.authentic(whole),
        *tables.synthetic(whole),
        *tables.ranges(whole),
        *machine_tables.whole(hardware),
    ]
    if "native" in profiles:
        native = study.find_thresholds(simulation.Machine(profiles["native"]), "native")
        lines += tables.costs(native, 1e3, "thousands of instructions")
        lines += tables.crossings(native, 1e3, "thousands of instructions")
        judged.append(("Claims, profile native", claims.judge_thresholds(native)))
    for title, made in judged:
        lines += tables.judged(title, made)
    print("\n".join(lines))
    if folder:
        from parley_report import cmmp_figures

        charts = cmmp_figures.charts(whole, study, documents, theory)
        charts += cmmp_figures.machine_charts(hardware, machine_study, documents)
        sentences = [(title, [claim.sentence() for claim in made]) for title, made in judged]
        path = cmmp_figures.write(folder, charts, sentences, lines)
        print(f"\n{path} and {len(charts)} pictures (SVG) beside it")


def simulate(asked) -> int:
    try:
        if asked.command == "study":
            show_study(asked.out)
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
    parser.add_argument("command", choices=("theory", "model", "compare", "study", "costs"))
    parser.add_argument("records", nargs="*", metavar="RECORD.json")
    parser.add_argument(
        "--deviation", type=float, default=0.25, help="of normal lengths, over their mean (default 0.25)"
    )
    parser.add_argument("--out", metavar="DIR", default="", help="study: a page with its pictures")
    asked = parser.parse_args()
    if asked.command == "theory":
        print(theory.table(asked.deviation))
        return 0
    if asked.command == "model":
        print(model.documents_table())
        return 0
    if asked.command in ("study", "costs"):
        return simulate(asked)
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
    sys.exit(main())
