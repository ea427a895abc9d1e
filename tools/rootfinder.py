#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The rootfinder's theory, and measurements beside it.

  tools/rootfinder.py theory
  tools/rootfinder.py model                     thresholds from what P and V cost, beside the documents'
  tools/rootfinder.py compare RECORD.json...    records of `make run APP=rootfinder`, or of nxrun
"""

import argparse
import json
import sys

from cmmp import measured, model, theory


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("command", choices=("theory", "model", "compare"))
    parser.add_argument("records", nargs="*", metavar="RECORD.json")
    parser.add_argument(
        "--deviation", type=float, default=0.25, help="of normal lengths, over their mean (default 0.25)"
    )
    asked = parser.parse_args()
    if asked.command == "theory":
        print(theory.table(asked.deviation))
        return 0
    if asked.command == "model":
        print(model.documents_table())
        return 0
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
