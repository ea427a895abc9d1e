#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Where the time of parallel loops goes, as Natarajan, Sharma and Iyer found it on Cedar (1994).

overheads.py printed      what the document computes from its own numbers, computed again; status 1 if a
                          statement does not hold that is not known not to
"""

import argparse
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "..", "tools"))

from cedar import document  # noqa: E402
from cedar.statements import Statement, statements  # noqa: E402
from parley_study import closing  # noqa: E402


def lines(statement: Statement) -> list[str]:
    """The verdict, and what is to be said of single cells."""
    wrong = statement.disagreeing
    count = f"{len(statement.cells) - len(wrong)} of {len(statement.cells)}"
    verdict = "DOES NOT HOLD" if not statement.as_known else "does not hold" if wrong else "holds"
    said = [f"{verdict}: {statement.sentence} ({count}; from {statement.inputs})"]
    for cell in wrong:
        why = statement.known.get(cell.name)
        said.append(f"    {cell.name}: {cell.found}" + (f"; known: {why}" if why else "; not known before"))
    disagreeing = {cell.name for cell in wrong}
    said += [
        f"    {name}: holds, though it is listed as wrong"
        for name in statement.known
        if name not in disagreeing
    ]
    return said


def judge(_: argparse.Namespace) -> int:
    found = statements(document.read())
    for statement in found:
        print("\n".join(lines(statement)))
    return 0 if all(statement.as_known for statement in found) else 1


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    commands = parser.add_subparsers(required=True, dest="command")
    commands.add_parser("printed", allow_abbrev=False, help="the document's numbers, judged").set_defaults(
        run=judge
    )
    asked = parser.parse_args()
    return asked.run(asked)


if __name__ == "__main__":
    sys.exit(closing.of(main))
